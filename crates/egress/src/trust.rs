//! Who is trusted to vouch for a certificate, and TLS as it is spoken with that trust.

use std::sync::Arc;

use rustls::client::VerifierBuilderError;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use url::Host;

/// The certificate authorities whose certificates are accepted.
#[derive(Clone, Debug)]
pub struct TrustAnchors {
    roots: Arc<RootCertStore>,
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

    /// The roots of these authorities.
    #[must_use]
    pub fn roots(&self) -> &Arc<RootCertStore> {
        &self.roots
    }

    /// TLS 1.2 and 1.3 by ring, for HTTP/2 and HTTP/1.1, with certificates of these authorities alone.
    ///
    /// # Errors
    /// The provider lacks what TLS needs.
    pub fn client_config(&self) -> Result<ClientConfig, TlsSetupError> {
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(TlsSetupError::Config)?
            .with_root_certificates(Arc::clone(&self.roots))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }
}

/// The name by which TLS knows a host; `None` where it can't.
#[must_use]
pub fn server_name(host: &Host<&str>) -> Option<ServerName<'static>> {
    match host {
        Host::Domain(name) => ServerName::try_from(name.strip_suffix('.').unwrap_or(name).to_owned()).ok(),
        Host::Ipv4(ip) => Some(ServerName::from(std::net::IpAddr::V4(*ip))),
        Host::Ipv6(ip) => Some(ServerName::from(std::net::IpAddr::V6(*ip))),
    }
}
