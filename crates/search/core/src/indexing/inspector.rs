//! The port to the upstream: it inspects URLs.

use async_trait::async_trait;
use pharos_domain::{ids::DomainId, problem::Suffix};
use thiserror::Error;
use time::Duration;

use super::inspection::{Inspection, Malformed};
use crate::gsc::property::Permission;

/// Asks the upstream as the account that reads a domain's property.
#[async_trait]
pub trait Inspector: Send + Sync {
    /// Opens the account, to ask for some URLs below the property.
    async fn session(&self, domain: DomainId, site_url: &str) -> Result<Box<dyn Inspecting>, InspectError>;

    /// The account's permission by now; `None`: the upstream does not say.
    async fn permission(&self, domain: DomainId, site_url: &str) -> Result<Option<Permission>, InspectError>;
}

/// Asks as an account that was opened, for one URL at a time.
#[async_trait]
pub trait Inspecting: Send + Sync {
    /// Asks Google for its record of a URL below the property.
    async fn inspect(&self, url: &str) -> Result<Inspection, InspectError>;
}

/// Why an inspection failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InspectError {
    /// The domain is not linked, or the account's consent is over.
    #[error("the account can't read the property: {0}")]
    NoAccess(String),
    /// The account may not inspect URLs of the property, or this URL is none of it: the upstream says the same of both.
    #[error("the account may not inspect the URL: {0}")]
    NotPermitted(String),
    /// The property's inspections of the day are used up.
    #[error("the property's inspections of the day are used up")]
    DayExhausted,
    /// The upstream wants fewer requests.
    #[error("the upstream wants fewer requests")]
    Busy {
        /// For so long; `None`: it does not say.
        retry_after: Option<Duration>,
    },
    /// The upstream did not answer.
    #[error("the upstream did not answer: {0}")]
    Away(String),
    /// It refuses this URL.
    #[error("the upstream refuses the URL: {0}")]
    Refused(String),
    /// The answer can't be read.
    #[error(transparent)]
    Malformed(#[from] Malformed),
}

impl InspectError {
    /// The error's code for callers.
    #[must_use]
    pub const fn code(&self) -> Suffix {
        match self {
            Self::NoAccess(_) => Suffix::GscPropertyNotLinked,
            Self::NotPermitted(_) => Suffix::Forbidden,
            Self::DayExhausted => Suffix::QuotaExhausted,
            Self::Busy { .. } => Suffix::RateLimited,
            Self::Away(_) => Suffix::UpstreamUnavailable,
            Self::Refused(_) => Suffix::InvalidRequest,
            Self::Malformed(_) => Suffix::UpstreamError,
        }
    }

    /// The same where the account was answered for other URLs of the property: what is not permitted is of this one then.
    #[must_use]
    pub fn beside_answers(self, are_answered: bool) -> Self {
        match self {
            Self::NotPermitted(why) if are_answered => Self::Refused(why),
            error => error,
        }
    }

    /// Whether it is about this URL alone, so that others may be asked for.
    #[must_use]
    pub const fn is_of_the_url(&self) -> bool {
        matches!(self, Self::Refused(_) | Self::Malformed(_))
    }
}
