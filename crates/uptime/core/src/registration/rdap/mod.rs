//! RDAP, the registries' protocol (RFC 7480 to 7484, 9082, 9083, 9224).

mod bootstrap;
mod client;
mod jcard;
mod object;

use http::StatusCode;
use pharos_egress::client::{EgressError, NotJson};

pub use self::client::RdapClient;

/// Why a registry's answer could not be had.
#[derive(Debug, thiserror::Error)]
pub enum RdapError {
    /// No answer came.
    #[error(transparent)]
    Egress(#[from] EgressError),
    /// The registry knows no such name (404).
    #[error("the registry has no such name: it is not registered, or its RDAP service does not show it")]
    NotRegistered,
    /// Another status than 200.
    #[error("the server answered {0}")]
    Status(StatusCode),
    /// The answer is not in its documented form. No part of it is repeated: it may be a person's name.
    #[error("the answer is not {form}, from line {line}, column {column} on")]
    Malformed {
        /// The form that it should have, with the RFC that documents it.
        form: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// The answer is about something else.
    #[error("the answer is about {0} and not about the name that was asked for")]
    AnotherName(String),
    /// The list of services could not be fetched a moment ago.
    #[error("the list of RDAP services could not be fetched a moment ago")]
    NoList,
    /// The file of services holds no URL that can be asked.
    #[error("the list of RDAP services has no usable URL for the top-level domain")]
    NoUrl,
}

impl RdapError {
    fn malformed(form: &'static str, error: impl Into<NotJson>) -> Self {
        let NotJson { line, column } = error.into();
        Self::Malformed { form, line, column }
    }
}
