//! From a sighting to what callers are shown of it.

use pharos_domain::timestamp::Timestamp;
use pharos_uptime::certificate::{
    Certificate, ChainCertificate, Encounter, Hsts, Key, Presented, Signature, TlsSession,
    store::LastSighting,
    verdict::{CertificateState, Finding, findings, state},
};
use time::OffsetDateTime;

use super::{ChainCertificatePublic, SslCertificatePublic, SslCheckPublic};

impl SslCertificatePublic {
    pub(super) fn new(last: LastSighting, warn_days: &[u32], now: OffsetDateTime) -> Self {
        let LastSighting { sighting, checked_at } = last;
        let bare = Self {
            state: state(&sighting, warn_days, now),
            checked_at: Some(checked_at.into()),
            checks: findings(&sighting, now)
                .into_iter()
                .map(SslCheckPublic::from)
                .collect(),
            ..Self::of_nothing(sighting.host, sighting.port)
        };
        match sighting.encounter {
            Encounter::Plain => bare,
            Encounter::Unreachable { error_class } => Self {
                error_class: Some(error_class),
                ..bare
            },
            Encounter::Presented {
                presented,
                session,
                hsts,
            } => bare.of_certificate(*presented, now).of_connection(session, hsts),
        }
    }

    fn of_nothing(host: String, port: u16) -> Self {
        Self {
            state: CertificateState::None,
            checked_at: None,
            host,
            port,
            error_class: None,
            subject_common_name: None,
            subject_alt_names: Vec::new(),
            subject_alt_names_count: None,
            issuer_common_name: None,
            issuer_organization: None,
            serial_number: None,
            fingerprint_sha256: None,
            valid_from: None,
            valid_until: None,
            days_remaining: None,
            lifetime_days: None,
            key_algorithm: None,
            key_bits: None,
            signature_algorithm: None,
            protocol: None,
            cipher_suite: None,
            alpn: None,
            hsts_max_age_seconds: None,
            hsts_include_subdomains: None,
            hsts_preload: None,
            chain: Vec::new(),
            chain_complete: None,
            checks: Vec::new(),
        }
    }

    fn of_certificate(self, presented: Presented, now: OffsetDateTime) -> Self {
        let Presented {
            certificate,
            chain,
            name_matches: _,
            chain_trusted: _,
            chain_complete,
        } = presented;
        let own = chain.first().map(|link| link.fingerprint_sha256.clone());
        let bare = Self {
            fingerprint_sha256: own,
            chain: chain
                .into_iter()
                .enumerate()
                .map(ChainCertificatePublic::from)
                .collect(),
            chain_complete,
            ..self
        };
        let Some(certificate) = certificate else {
            return bare;
        };
        let (days_remaining, lifetime_days) = (certificate.days_remaining(now), certificate.lifetime_days());
        let Certificate {
            valid_from,
            valid_until,
            subject_common_name,
            subject_alt_names,
            subject_alt_names_count,
            issuer_common_name,
            issuer_organization,
            serial_number,
            fingerprint_sha256,
            key: Key { algorithm, bits },
            signature:
                Signature {
                    algorithm: signature_algorithm,
                    is_strong: _,
                },
            is_self_issued: _,
        } = certificate;
        Self {
            subject_common_name,
            subject_alt_names,
            subject_alt_names_count: Some(subject_alt_names_count),
            issuer_common_name,
            issuer_organization,
            serial_number: Some(serial_number),
            fingerprint_sha256: Some(fingerprint_sha256),
            valid_from: Some(valid_from.into()),
            valid_until: Some(valid_until.into()),
            days_remaining: Some(days_remaining),
            lifetime_days: Some(lifetime_days),
            key_algorithm: Some(algorithm),
            key_bits: bits,
            signature_algorithm: Some(signature_algorithm),
            ..bare
        }
    }

    fn of_connection(self, session: Option<TlsSession>, hsts: Option<Hsts>) -> Self {
        let (protocol, cipher_suite, alpn) = match session {
            Some(TlsSession {
                protocol,
                cipher_suite,
                alpn,
            }) => (Some(protocol), Some(cipher_suite), alpn),
            None => (None, None, None),
        };
        Self {
            protocol,
            cipher_suite,
            alpn,
            hsts_max_age_seconds: hsts.map(|hsts| hsts.max_age_seconds),
            hsts_include_subdomains: hsts.map(|hsts| hsts.include_subdomains),
            hsts_preload: hsts.map(|hsts| hsts.preload),
            ..self
        }
    }
}

impl From<(usize, ChainCertificate)> for ChainCertificatePublic {
    fn from((position, link): (usize, ChainCertificate)) -> Self {
        let ChainCertificate {
            common_name,
            issuer_common_name,
            valid_until,
            fingerprint_sha256,
            is_root,
        } = link;
        Self {
            position,
            common_name,
            issuer_common_name,
            valid_until: valid_until.map(Timestamp::from),
            fingerprint_sha256,
            is_root,
        }
    }
}

impl From<Finding> for SslCheckPublic {
    fn from(finding: Finding) -> Self {
        let Finding { code, passed, detail } = finding;
        Self { code, passed, detail }
    }
}
