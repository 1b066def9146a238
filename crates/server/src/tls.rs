//! TLS by Pharos itself: a certificate and its key from files, which are read anew on SIGHUP.

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock},
};

use anyhow::{Context, anyhow, bail, ensure};
use rustls::{
    Error, InconsistentKeys, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};

/// The files of a certificate, in PEM.
#[derive(Clone, Debug)]
pub struct CertificateFiles {
    /// The certificate, and those of the authorities between it and a root.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

impl CertificateFiles {
    /// Reads the certificate and its key.
    ///
    /// # Errors
    /// A file can't be read or has something else in it, or the key is another certificate's.
    pub fn read(&self) -> anyhow::Result<CertifiedKey> {
        let (certificate, key) = (self.certificate.display(), self.key.display());
        let pem = fs::read(&self.certificate)
            .with_context(|| format!("tls_certificate {certificate} can't be read"))?;
        // Neither error says more: they quote lines of the file.
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&pem)
            .collect::<Result<_, _>>()
            .map_err(|_| anyhow!("tls_certificate {certificate} is not PEM"))?;
        ensure!(
            !chain.is_empty(),
            "tls_certificate {certificate} has no certificate in it"
        );
        let pem = fs::read(&self.key).with_context(|| format!("tls_key {key} can't be read"))?;
        let private = PrivateKeyDer::from_pem_slice(&pem)
            .map_err(|_| anyhow!("tls_key {key} has no private key in PEM in it"))?;
        match CertifiedKey::from_der(chain, private, &ring::default_provider()) {
            Err(Error::InconsistentKeys(InconsistentKeys::KeyMismatch)) => {
                bail!("tls_key {key} is not the key of the certificate in {certificate}")
            }
            read => read.with_context(|| format!("{certificate} and {key} can't be used")),
        }
    }
}

/// The certificate that connections get now.
#[derive(Debug)]
pub struct Presented {
    files: CertificateFiles,
    now: RwLock<Arc<CertifiedKey>>,
}

impl Presented {
    /// The certificate of these files.
    ///
    /// # Errors
    /// They can't be used.
    pub fn open(files: CertificateFiles) -> anyhow::Result<Self> {
        let now = RwLock::new(Arc::new(files.read()?));
        Ok(Self { files, now })
    }

    /// Reads the files anew, for the connections from now on.
    ///
    /// # Errors
    /// They can't be used; the certificate of before stays.
    pub fn reread(&self) -> anyhow::Result<()> {
        let read = Arc::new(self.files.read()?);
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(())
    }

    /// TLS 1.2 and 1.3 by ring, with the certificate of each moment.
    ///
    /// # Errors
    /// The provider lacks what TLS needs.
    pub fn server_config(self: Arc<Self>) -> anyhow::Result<ServerConfig> {
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .context("TLS can't be set up")?
            .with_no_client_auth()
            .with_cert_resolver(self);
        Ok(config)
    }
}

impl ResolvesServerCert for Presented {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let now = self.now.read().unwrap_or_else(PoisonError::into_inner);
        Some(Arc::clone(&now))
    }
}
