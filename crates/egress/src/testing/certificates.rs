//! Certificates of every quality, made on the spot.

use std::sync::Arc;

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ConfigBuilder, RootCertStore, ServerConfig, SupportedProtocolVersion, WantsVerifier};
use time::{Duration, OffsetDateTime};
use tokio_rustls::TlsAcceptor;

/// A certificate authority.
pub struct Authority {
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

/// A key with the chain that a server sends for it.
pub struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: KeyPair,
}

impl Authority {
    /// An authority with a key of its own.
    #[expect(clippy::new_without_default, reason = "none is like another")]
    pub fn new() -> Self {
        Self::of(KeyPair::generate().unwrap())
    }

    /// An authority with this key.
    pub fn of(key: KeyPair) -> Self {
        let params = ca_params("Test Root");
        let certificate = params.self_signed(&key).unwrap();
        Self {
            certificate,
            issuer: Issuer::new(params, key),
        }
    }

    /// An authority that this one vouches for.
    pub fn intermediate(&self) -> Self {
        let (params, key) = (ca_params("Test Intermediate"), KeyPair::generate().unwrap());
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        Self {
            certificate,
            issuer: Issuer::new(params, key),
        }
    }

    /// Its certificate, for those who shall trust it.
    pub fn pem(&self) -> String {
        self.certificate.pem()
    }

    /// A certificate for these names, valid today.
    pub fn issue(&self, names: &[&str]) -> Identity {
        self.issue_with(names, |_| ())
    }

    /// The same, changed in some way.
    pub fn issue_with(&self, names: &[&str], change: impl FnOnce(&mut CertificateParams)) -> Identity {
        self.issue_for(names, KeyPair::generate().unwrap(), change)
    }

    /// The same, for a given key.
    pub fn issue_for(
        &self,
        names: &[&str],
        key: KeyPair,
        change: impl FnOnce(&mut CertificateParams),
    ) -> Identity {
        let mut params = params(names);
        change(&mut params);
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        Identity {
            chain: vec![certificate.der().clone()],
            key,
        }
    }
}

impl Identity {
    /// A certificate that nobody vouches for.
    pub fn self_signed(names: &[&str]) -> Self {
        let key = KeyPair::generate().unwrap();
        let certificate = params(names).self_signed(&key).unwrap();
        Self {
            chain: vec![certificate.der().clone()],
            key,
        }
    }

    /// A key whose certificate is none.
    pub fn unreadable() -> Self {
        Self {
            chain: vec![CertificateDer::from(b"\x30\x03\x02\x01\x01".to_vec())],
            key: KeyPair::generate().unwrap(),
        }
    }

    /// Has the certificate end at this UTCTime, which none should be: its signature is broken by it.
    pub fn ending(mut self, end: &str) -> Self {
        // The validity: a SEQUENCE of two UTCTimes of 13 letters.
        let mut der = self.chain[0].to_vec();
        let at = der.windows(4).position(|four| four == [0x30, 0x1e, 0x17, 0x0d]);
        let at = at.unwrap();
        let (length, grown) = (
            u8::try_from(end.len()).unwrap(),
            u8::try_from(end.len() - 13).unwrap(),
        );
        let end = [&[0x17, length], end.as_bytes()].concat();
        der.splice(at + 17..at + 32, end);
        der[at + 1] += grown;
        // The certificate, and what of it is signed; both are of 256 octets and more.
        for start in [0, 4] {
            assert_eq!(der[start..start + 2], [0x30, 0x82]);
            let length = u16::from_be_bytes([der[start + 2], der[start + 3]]) + u16::from(grown);
            der[start + 2..start + 4].copy_from_slice(&length.to_be_bytes());
        }
        self.chain[0] = CertificateDer::from(der);
        self
    }

    /// The certificate in DER.
    pub fn der(&self) -> &[u8] {
        &self.chain[0]
    }

    /// Sends this authority's certificate along.
    pub fn with(mut self, authority: &Authority) -> Self {
        self.chain.push(authority.certificate.der().clone());
        self
    }

    /// TLS for a server that offers these protocols.
    pub fn acceptor(&self, alpn: &[&str]) -> TlsAcceptor {
        self.acceptor_for(alpn, rustls::ALL_VERSIONS)
    }

    /// Lets only clients in that have a certificate of this authority.
    pub fn acceptor_of_members(&self, authority: &Authority) -> TlsAcceptor {
        let mut roots = RootCertStore::empty();
        roots.add(authority.certificate.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        let config = builder(rustls::ALL_VERSIONS)
            .with_client_cert_verifier(verifier)
            .with_single_cert(self.chain.clone(), key)
            .unwrap();
        TlsAcceptor::from(Arc::new(config))
    }

    /// The same, for these versions of TLS alone.
    pub fn acceptor_for(&self, alpn: &[&str], versions: &[&'static SupportedProtocolVersion]) -> TlsAcceptor {
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        let key = rustls::crypto::ring::sign::any_supported_type(&key).unwrap();
        // Unlike `with_single_cert` this does not look at the certificate.
        let identity = SingleCertAndKey::from(CertifiedKey::new(self.chain.clone(), key));
        let mut config = builder(versions)
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(identity));
        config.alpn_protocols = alpn.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
        TlsAcceptor::from(Arc::new(config))
    }
}

fn builder(versions: &[&'static SupportedProtocolVersion]) -> ConfigBuilder<ServerConfig, WantsVerifier> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
}

/// Moves the validity to these days from today.
pub fn valid(from: i64, until: i64) -> impl FnOnce(&mut CertificateParams) {
    move |params| {
        params.not_before = OffsetDateTime::now_utc() + Duration::days(from);
        params.not_after = OffsetDateTime::now_utc() + Duration::days(until);
    }
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names.clone()).unwrap();
    params
        .distinguished_name
        .push(DnType::CommonName, names[0].clone());
    valid(-1, 40)(&mut params);
    params
}

fn ca_params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.distinguished_name.push(DnType::CommonName, name);
    params
        .distinguished_name
        .push(DnType::OrganizationName, "Pharos tests");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params
}
