//! How an exchange fails on a connection that had been made.

use std::error::Error;
use std::io;

use super::bounded::BEYOND;

/// Why an answer did not come, or its body did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// The time was over.
    #[error("the time was over before the whole answer was there")]
    Timeout,
    /// In TLS 1.3 a server objects to the client only after the handshake is over for the client.
    #[error("TLS failed after the handshake")]
    Tls,
    /// The server closed or reset the connection.
    #[error("the server broke the connection off")]
    Closed,
    /// The server sent more than is taken from a connection.
    #[error("the server sent more than is taken in")]
    TooLarge,
    /// The connection failed in another way.
    #[error("the connection failed")]
    Failed,
    /// hyper does not tell a client whether a head was wrong or too large.
    #[error("the answer is not valid HTTP, or has more or longer headers than are accepted")]
    Invalid,
}

impl From<&io::Error> for Broken {
    fn from(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Self::Timeout,
            BEYOND => Self::TooLarge,
            io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::NotConnected
            | io::ErrorKind::UnexpectedEof => Self::Closed,
            _ => Self::Failed,
        }
    }
}

impl From<&hyper::Error> for Broken {
    fn from(error: &hyper::Error) -> Self {
        let h2 = source_of::<h2::Error>(error);
        if let Some(io) = source_of::<io::Error>(error).or_else(|| h2.and_then(h2::Error::get_io)) {
            return match source_of::<rustls::Error>(io) {
                Some(_) => Self::Tls,
                None => Self::from(io),
            };
        }
        let is_ended = h2.is_some_and(|error| error.is_remote() && (error.is_reset() || error.is_go_away()));
        if is_ended || error.is_incomplete_message() || error.is_closed() || error.is_canceled() {
            Self::Closed
        } else {
            Self::Invalid
        }
    }
}

/// The first error of this type in a chain of sources.
pub fn source_of<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
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
