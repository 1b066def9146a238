//! A site's TLS, as one check saw it.

use serde::{Deserialize, Serialize};

use super::chain::ChainCertificate;
use super::hsts::Hsts;
use super::leaf::Certificate;
use super::session::TlsSession;
use crate::error_class::ErrorClass;

/// A site's TLS, as one check saw it: that of the last hop, where the site redirects. Two checks that see the same make
/// equal sightings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// The host that was asked.
    pub host: String,
    /// The port that the handshake went to.
    pub port: u16,
    /// The session that came of it, or why none did.
    pub encounter: Encounter,
}

/// The outcome of asking for a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encounter {
    /// The site is served over plain http.
    Plain,
    /// No certificate was presented.
    Unreachable {
        /// Why there was no certificate.
        error_class: ErrorClass,
    },
    /// A certificate was presented, whether it was accepted or not.
    Presented {
        /// The certificates, and how far they are to be trusted.
        presented: Box<Presented>,
        /// The session; `None` if the handshake was broken off, as over a certificate that is refused.
        session: Option<TlsSession>,
        /// The answer's `Strict-Transport-Security`; `None` without a valid one.
        hsts: Option<Hsts>,
    },
}

/// The certificates that a server presented to prove who it is, as verification judges them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presented {
    /// The server's own certificate; `None` if it cannot be read.
    pub certificate: Option<Certificate>,
    /// The chain, that certificate first: its first [`super::chain::LINKS`] certificates.
    pub chain: Vec<ChainCertificate>,
    /// Whether the certificate is for the host (RFC 9525); `None` if that cannot be told.
    pub name_matches: Option<bool>,
    /// Whether the chain leads to a trusted authority. For a certificate out of its time: whether it does while it is
    /// valid.
    pub chain_trusted: bool,
    /// Whether every issuer was sent along, up to an authority; `None` if the certificate cannot be read.
    pub chain_complete: Option<bool>,
}

impl Presented {
    /// Whether the server vouches for itself, and nobody trusts it.
    #[must_use]
    pub fn is_self_signed(&self) -> bool {
        let names_itself = self.certificate.as_ref().is_some_and(|one| one.is_self_issued);
        names_itself && !self.chain_trusted
    }
}

impl Sighting {
    /// The certificate that was presented, if it can be read.
    #[must_use]
    pub fn certificate(&self) -> Option<&Certificate> {
        match &self.encounter {
            Encounter::Presented { presented, .. } => presented.certificate.as_ref(),
            Encounter::Plain | Encounter::Unreachable { .. } => None,
        }
    }
}
