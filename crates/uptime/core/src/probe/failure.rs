//! How the steps of a probe say what went wrong.

use std::error::Error;
use std::io;

use super::bounded::BEYOND;
use super::error_class::ErrorClass;
use super::report::ProbeError;
use crate::address_policy::{AddressFault, UrlFault};

impl ProbeError {
    pub(super) fn new(class: ErrorClass, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
        }
    }

    pub(super) fn unknown(message: impl Into<String>) -> Self {
        Self::new(ErrorClass::Unknown, message)
    }

    pub(super) fn read_timeout(during: &str) -> Self {
        Self::new(
            ErrorClass::ReadTimeout,
            format!("The time was over during {during}."),
        )
    }

    /// An established connection that broke.
    pub(super) fn broken(error: &io::Error, during: &str) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Self::read_timeout(during),
            BEYOND => Self::unknown(format!(
                "The server sent more than a check takes in during {during}."
            )),
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::NotConnected
            | io::ErrorKind::UnexpectedEof => Self::new(
                ErrorClass::ConnectionReset,
                format!("The server broke the connection off during {during}."),
            ),
            _ => Self::unknown(format!("The connection failed during {during}.")),
        }
    }
}

impl From<AddressFault> for ProbeError {
    fn from(fault: AddressFault) -> Self {
        Self::unknown(sentence(&fault.to_string()))
    }
}

impl From<UrlFault> for ProbeError {
    fn from(fault: UrlFault) -> Self {
        Self::unknown(sentence(&fault.to_string()))
    }
}

/// The first error of this type in a chain of sources.
pub(super) fn source_of<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        // An io::Error hides what it wraps from `source`, but tells it here.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if let Some(found) = inner.and_then(|inner| inner.downcast_ref::<E>()) {
            return Some(found);
        }
        next = error.source();
    }
    None
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), chars.as_str())
    })
}
