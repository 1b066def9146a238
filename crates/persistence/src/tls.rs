//! TLS to the database, with the meanings that libpq gives to `sslmode`.

use std::{path::Path, sync::Arc};

use pharos_domain::store::StoreError;
use rustls::{
    ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A connector that checks the server's certificate against the authorities of a file or, without one, those that
/// browsers trust; or one that encrypts without asking who the server is.
pub(crate) fn connector(verify: bool, authorities: Option<&Path>) -> Result<MakeRustlsConnect, StoreError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| StoreError::Failed(Box::new(error)))?;
    let config = if verify {
        let roots = roots(authorities)?;
        builder.with_root_certificates(roots).with_no_client_auth()
    } else {
        let anyone = Arc::new(AnyServer(provider));
        builder
            .dangerous()
            .with_custom_certificate_verifier(anyone)
            .with_no_client_auth()
    };
    Ok(MakeRustlsConnect::new(config))
}

fn roots(authorities: Option<&Path>) -> Result<RootCertStore, StoreError> {
    let mut roots = RootCertStore::empty();
    let Some(path) = authorities else {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
        return Ok(roots);
    };
    let unreadable = |error: &dyn std::fmt::Display| {
        StoreError::Failed(format!("sslrootcert {}: {error}", path.display()).into())
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))?;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| unreadable(&error))?;
        roots.add(certificate).map_err(|error| unreadable(&error))?;
    }
    if roots.is_empty() {
        return Err(unreadable(&"holds no certificate"));
    }
    Ok(roots)
}

/// Takes any certificate, as `sslmode=require` and `prefer` do: against listeners on the wire, not against
/// somebody in its midst. Signatures are still checked.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.0.signature_verification_algorithms;
        rustls::crypto::verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
