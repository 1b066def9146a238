//! The TLS handshake, with a verifier that remembers what it was shown.

use std::io;
use std::sync::{Arc, OnceLock};

use pharos_egress::exchange::{Broken, source_of};
use pharos_egress::trust::{TlsSetupError, TrustAnchors, server_name};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, InvalidMessage, ProtocolVersion, SignatureScheme,
};
use time::OffsetDateTime;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use super::certificate::Judge;
use super::report::{ProbeError, ProbeReport};
use crate::certificate::{Alpn, Presented, TlsProtocol, TlsSession};
use crate::error_class::ErrorClass;

const HANDSHAKE: &str = "the TLS handshake";

/// TLS, prepared once for all probes.
pub(super) struct Tls {
    base: ClientConfig,
    verifier: Arc<WebPkiServerVerifier>,
    judge: Judge,
}

impl Tls {
    pub(super) fn new(trust: &TrustAnchors) -> Result<Self, TlsSetupError> {
        let provider = Arc::new(ring::default_provider());
        let verifier =
            WebPkiServerVerifier::builder_with_provider(Arc::clone(trust.roots()), Arc::clone(&provider))
                .build()?;
        let judge = Judge {
            roots: Arc::clone(trust.roots()),
            algorithms: provider.signature_verification_algorithms,
        };
        let mut base = trust.client_config()?;
        // A resumed session skips the certificate and most of the work: it would measure and prove nothing.
        base.resumption = Resumption::disabled();
        Ok(Self {
            base,
            verifier,
            judge,
        })
    }

    /// Shakes hands, and records the certificate and what was agreed on, whatever the outcome.
    pub(super) async fn handshake(
        &self,
        stream: TcpStream,
        host: &Host<&str>,
        verify: bool,
        deadline: Instant,
        report: &mut ProbeReport,
    ) -> Result<TlsStream<TcpStream>, ProbeError> {
        let name = server_name(host).ok_or_else(|| {
            ProbeError::new(ErrorClass::TlsHandshake, "The host name cannot be used with TLS.")
        })?;
        let witness = Arc::new(Witness {
            inner: Arc::clone(&self.verifier),
            verify,
            seen: OnceLock::new(),
        });
        let mut config = self.base.clone();
        config
            .dangerous()
            .set_certificate_verifier(Arc::clone(&witness) as Arc<dyn ServerCertVerifier>);

        let outcome = timeout_at(
            deadline,
            TlsConnector::from(Arc::new(config)).connect(name.clone(), stream),
        )
        .await;
        report.certificate = witness
            .seen
            .get()
            .map(|seen| self.judge.judge(&seen.chain, &name, seen.at, seen.accepted));
        match outcome {
            Ok(Ok(stream)) => {
                report.tls_session = session(stream.get_ref().1);
                Ok(stream)
            }
            Ok(Err(error)) => Err(classify(&error, host, report.certificate.as_ref())),
            Err(_) => Err(ProbeError::read_timeout(HANDSHAKE)),
        }
    }
}

fn session(connection: &rustls::ClientConnection) -> Option<TlsSession> {
    Some(TlsSession {
        protocol: match connection.protocol_version()? {
            ProtocolVersion::TLSv1_2 => TlsProtocol::Tls12,
            ProtocolVersion::TLSv1_3 => TlsProtocol::Tls13,
            _ => return None,
        },
        cipher_suite: iana_name(connection.negotiated_cipher_suite()?.suite()),
        alpn: match connection.alpn_protocol() {
            Some(b"h2") => Some(Alpn::H2),
            Some(b"http/1.1") => Some(Alpn::Http11),
            _ => None,
        },
    })
}

/// rustls writes TLS 1.3 suites as `TLS13_…`; the registry, and everyone else, as `TLS_…`.
fn iana_name(suite: rustls::CipherSuite) -> String {
    format!("{suite:?}").replacen("TLS13_", "TLS_", 1)
}

/// Stands between rustls and its verifier for one handshake.
#[derive(Debug)]
struct Witness {
    inner: Arc<WebPkiServerVerifier>,
    verify: bool,
    seen: OnceLock<Seen>,
}

#[derive(Debug)]
struct Seen {
    chain: Vec<CertificateDer<'static>>,
    at: UnixTime,
    accepted: bool,
}

impl ServerCertVerifier for Witness {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let outcome = self
            .inner
            .verify_server_cert(leaf, intermediates, name, ocsp, now);
        let chain = [leaf]
            .into_iter()
            .chain(intermediates)
            .map(|one| one.clone().into_owned())
            .collect();
        let _ = self.seen.set(Seen {
            chain,
            at: now,
            accepted: outcome.is_ok(),
        });
        if self.verify {
            outcome
        } else {
            Ok(ServerCertVerified::assertion())
        }
    }

    // Without verification nobody is authenticated, so a signature proves nothing either; and the key of
    // a certificate that webpki cannot read could not be tried at all.
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if !self.verify {
            return Ok(HandshakeSignatureValid::assertion());
        }
        self.inner.verify_tls12_signature(message, certificate, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        if !self.verify {
            return Ok(HandshakeSignatureValid::assertion());
        }
        self.inner.verify_tls13_signature(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}

fn classify(error: &io::Error, host: &Host<&str>, certificate: Option<&Presented>) -> ProbeError {
    match source_of::<rustls::Error>(error) {
        Some(rustls::Error::InvalidCertificate(fault)) => faulty(fault, host, certificate),
        Some(rustls::Error::InvalidMessage(
            InvalidMessage::HandshakePayloadTooLarge | InvalidMessage::CertificatePayloadTooLarge,
        )) => ProbeError::new(
            ErrorClass::TlsHandshake,
            "The certificates of the server are larger than a check takes in, which is 64 KiB.",
        ),
        Some(rustls::Error::InvalidMessage(_)) => {
            ProbeError::new(ErrorClass::TlsHandshake, "The server did not answer with TLS.")
        }
        Some(rustls::Error::AlertReceived(_) | rustls::Error::PeerIncompatible(_)) => ProbeError::new(
            ErrorClass::TlsHandshake,
            "The server and the check could not agree on a TLS version, a cipher or a protocol.",
        ),
        Some(_) => ProbeError::new(ErrorClass::TlsHandshake, "The TLS handshake failed."),
        None if error.kind() == io::ErrorKind::UnexpectedEof => ProbeError::new(
            ErrorClass::TlsHandshake,
            "The server closed the connection during the TLS handshake.",
        ),
        None => ProbeError::broken(Broken::from(error), HANDSHAKE),
    }
}

fn faulty(fault: &CertificateError, host: &Host<&str>, certificate: Option<&Presented>) -> ProbeError {
    let class = class_of(fault);
    let message = match class {
        ErrorClass::TlsExpired => match certificate.and_then(|presented| presented.certificate.as_ref()) {
            Some(leaf) if leaf.valid_until <= OffsetDateTime::now_utc() => {
                format!("The certificate expired on {}.", leaf.valid_until.date())
            }
            _ => "A certificate that the server sent along has expired.".to_owned(),
        },
        ErrorClass::TlsNameMismatch => format!("The certificate is not for {host}."),
        _ => untrusted(fault, certificate).to_owned(),
    };
    ProbeError::new(class, message)
}

fn untrusted(fault: &CertificateError, certificate: Option<&Presented>) -> &'static str {
    match (fault, certificate) {
        (CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }, _) => {
            "The certificate is not valid yet."
        }
        (_, Some(presented)) if presented.is_self_signed() => "The certificate is self-signed.",
        (CertificateError::UnknownIssuer, Some(presented)) if presented.chain.len() == 1 => {
            "The certificate does not lead to a trusted authority: the server sent no intermediate certificate."
        }
        (CertificateError::UnknownIssuer, _) => "The certificate does not lead to a trusted authority.",
        (CertificateError::Revoked, _) => "The certificate has been revoked.",
        (CertificateError::BadSignature, _) => "The signature of the certificate does not hold.",
        _ => "The certificate is not fit for a web server.",
    }
}

fn class_of(fault: &CertificateError) -> ErrorClass {
    match fault {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => ErrorClass::TlsExpired,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            ErrorClass::TlsNameMismatch
        }
        _ => ErrorClass::TlsUntrusted,
    }
}
