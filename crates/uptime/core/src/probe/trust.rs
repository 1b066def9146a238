//! Whom a probe trusts to vouch for a certificate.

use std::sync::Arc;

use rustls::RootCertStore;
use rustls::client::VerifierBuilderError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// The certificate authorities whose certificates are accepted.
#[derive(Clone, Debug)]
pub struct TrustAnchors {
    pub(crate) roots: Arc<RootCertStore>,
}

/// TLS could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsSetupError {
    /// The text is not PEM, or holds no certificate.
    #[error("the additional trust anchors are not PEM certificates")]
    Pem,
    /// A certificate cannot serve as a trust anchor.
    #[error("an additional trust anchor was not accepted")]
    Anchor(#[source] rustls::Error),
    /// The verifier could not be built.
    #[error("the certificate verifier could not be built")]
    Verifier(#[from] VerifierBuilderError),
    /// The TLS configuration could not be built.
    #[error("the TLS configuration could not be built")]
    Config(#[source] rustls::Error),
}

impl TrustAnchors {
    /// The authorities that browsers trust, as Mozilla lists them.
    #[must_use]
    pub fn web() -> Self {
        let roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        Self {
            roots: Arc::new(roots),
        }
    }

    /// These, and every certificate in `pem` besides.
    ///
    /// # Errors
    /// If `pem` holds no certificate, or one that cannot be a trust anchor.
    pub fn with_extra(self, pem: &[u8]) -> Result<Self, TlsSetupError> {
        let certificates: Vec<_> = CertificateDer::pem_slice_iter(pem)
            .collect::<Result<_, _>>()
            .map_err(|_| TlsSetupError::Pem)?;
        if certificates.is_empty() {
            return Err(TlsSetupError::Pem);
        }
        let mut roots = Arc::unwrap_or_clone(self.roots);
        for certificate in certificates {
            roots.add(certificate).map_err(TlsSetupError::Anchor)?;
        }
        Ok(Self {
            roots: Arc::new(roots),
        })
    }
}
