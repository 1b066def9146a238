//! Verification of the certificates that a server presented.

use std::sync::Arc;

use rustls::RootCertStore;
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;

use crate::certificate::{Certificate, Presented, chain};

/// Judges chains, each question by itself: a verifier stops at the first fault.
#[derive(Clone, Debug)]
pub(super) struct Judge {
    pub(super) roots: Arc<RootCertStore>,
    pub(super) algorithms: WebPkiSupportedAlgorithms,
}

impl Judge {
    /// Judges a chain for a host. One that the verifier accepted is not verified again.
    pub(super) fn judge(
        &self,
        sent: &[CertificateDer<'static>],
        name: &ServerName<'_>,
        now: UnixTime,
        accepted: bool,
    ) -> Presented {
        let certificate = sent.first().and_then(|leaf| Certificate::read(leaf));
        let parsed = sent
            .first()
            .and_then(|leaf| ParsedCertificate::try_from(leaf).ok());
        let name_matches = parsed.as_ref().map(|leaf| verify_server_name(leaf, name).is_ok());
        let chain_trusted = accepted
            || parsed.is_some_and(|leaf| {
                let at = certificate.as_ref().map_or(now, |read| within(read, now));
                self.leads_to_a_root(&leaf, sent, at)
            });
        let chain_complete = if chain_trusted {
            Some(true)
        } else {
            chain::is_complete(sent, |issuer| self.is_root(issuer))
        };
        Presented {
            certificate,
            chain: chain::links(sent),
            name_matches,
            chain_trusted,
            chain_complete,
        }
    }

    fn leads_to_a_root(
        &self,
        leaf: &ParsedCertificate<'_>,
        sent: &[CertificateDer<'_>],
        at: UnixTime,
    ) -> bool {
        let intermediates = sent.get(1..).unwrap_or_default();
        let algorithms = self.algorithms.all;
        verify_server_cert_signed_by_trust_anchor(leaf, &self.roots, intermediates, at, algorithms).is_ok()
    }

    fn is_root(&self, name: &[u8]) -> bool {
        self.roots.roots.iter().any(|root| root.subject.as_ref() == name)
    }
}

/// The moment of a certificate's validity that is the nearest to now.
fn within(certificate: &Certificate, now: UnixTime) -> UnixTime {
    let seconds = |at: time::OffsetDateTime| u64::try_from(at.unix_timestamp()).unwrap_or_default();
    let (from, until) = (seconds(certificate.valid_from), seconds(certificate.valid_until));
    let at = now.as_secs().min(until).max(from);
    UnixTime::since_unix_epoch(std::time::Duration::from_secs(at))
}
