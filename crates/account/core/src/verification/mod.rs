//! Whether a domain is its workspace's: its owner shows a token of it where nobody else can.

mod site;
mod tag;

use async_trait::async_trait;
use pharos_domain::{hostname::Hostname, ids::DomainId, wire_enum};
use pharos_egress::{client::EgressError, resolver::ResolveError};
use thiserror::Error;
use time::OffsetDateTime;

pub use self::site::SiteCheck;

/// The name of the meta tag, and what stands before the token in a record and in the file.
pub const NAME: &str = "pharos-verification";
/// The path of the file.
pub const FILE_PATH: &str = "/.well-known/pharos-verification.txt";

wire_enum! {
    /// Where the token is shown.
    Method {
        /// In a TXT record of DNS.
        Dns = "dns",
        /// In a file of the site.
        File = "file",
        /// In a tag of the site's first page.
        Tag = "tag",
    }
}

/// How it is known that a domain is its workspace's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Its owner has shown the token.
    Shown(Method),
    /// Whoever runs the installation says so.
    Vouched,
}

impl Proof {
    /// Its name in the audit trail.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shown(method) => method.as_str(),
            Self::Vouched => "operator",
        }
    }
}

/// The text that an owner shows. It is the same for as long as the domain is in its workspace, and no other workspace has it: the
/// domain's id. It need not be secret, since it counts only where the owner alone can put it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnershipToken(String);

impl OwnershipToken {
    /// The token of a domain.
    #[must_use]
    pub fn of(domain: DomainId) -> Self {
        Self(domain.0.simple().to_string())
    }

    /// The token itself, as the meta tag has it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The line of the TXT record and of the file.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{NAME}={}", self.0)
    }

    /// The meta tag.
    #[must_use]
    pub fn tag(&self) -> String {
        format!(r#"<meta name="{NAME}" content="{}">"#, self.0)
    }
}

/// The name of the TXT record. It is one of its own, so that it stands beside an alias, and no other record is touched.
#[must_use]
pub fn record_name(hostname: &Hostname) -> String {
    format!("_pharos.{hostname}")
}

/// Why a token is not shown.
#[derive(Debug, Error)]
pub enum NotShown {
    /// DNS does not have it.
    #[error(
        "{name} has no TXT record with this text. A new record may take an hour until all name servers know it."
    )]
    NoRecord {
        /// Where the record belongs.
        name: String,
    },
    /// DNS can't be asked.
    #[error("DNS can't be asked for {name}: {error}.")]
    NoNameServer {
        /// Where the record belongs.
        name: String,
        /// Why.
        error: ResolveError,
    },
    /// The site does not answer.
    #[error("{url} does not answer: {error}.")]
    NoAnswer {
        /// The URL that was requested.
        url: String,
        /// Why.
        error: EgressError,
    },
    /// The site answers with something that is no page.
    #[error("{url} answers with status {status}.")]
    Status {
        /// The URL that was requested.
        url: String,
        /// The status.
        status: u16,
    },
    /// The site sends its visitors on to somebody else's, or without end.
    #[error(
        "{url} redirects to where this site can't be recognised: another name, another port, or too far."
    )]
    Elsewhere {
        /// The URL that redirects.
        url: String,
    },
    /// The file says something else.
    #[error("{url} does not hold this text alone.")]
    OtherFile {
        /// The file.
        url: String,
    },
    /// The page has no such tag.
    #[error("{url} has no such tag in its head.")]
    NoTag {
        /// The page.
        url: String,
    },
}

/// Looks for tokens.
#[async_trait]
pub trait OwnershipCheck: Send + Sync {
    /// Looks for the token of a domain of that name once.
    ///
    /// # Errors
    /// It is not there, or that can't be known.
    async fn look(
        &self,
        hostname: &Hostname,
        token: &OwnershipToken,
        method: Method,
        now: OffsetDateTime,
    ) -> Result<(), NotShown>;
}
