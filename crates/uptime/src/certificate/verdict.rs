//! What a sighting means at a moment.

use pharos_domain::wire_enum;
use time::OffsetDateTime;

use super::leaf::Certificate;
use super::session::TlsSession;
use super::sighting::{Encounter, Presented, Sighting};

wire_enum! {
    /// How a site stands with its certificate.
    CertificateState {
        /// Nothing is wrong with it.
        Valid = "valid",
        /// It is valid, and has to be renewed soon.
        ExpiringSoon = "expiring_soon",
        /// It was valid until a moment in the past.
        Expired = "expired",
        /// It is valid from a moment in the future.
        NotYetValid = "not_yet_valid",
        /// It is for other names.
        NameMismatch = "name_mismatch",
        /// It does not lead to a trusted authority, or cannot be read.
        Untrusted = "untrusted",
        /// It names itself as its issuer, and is not trusted.
        SelfSigned = "self_signed",
        /// No certificate was presented.
        Unreachable = "unreachable",
        /// The site is served over plain http.
        None = "none",
    }
}

wire_enum! {
    /// What is checked of a certificate and its connection.
    CertificateCheckCode {
        /// Whether it has not expired.
        NotExpired = "not_expired",
        /// Whether it is for the host.
        NameMatches = "name_matches",
        /// Whether it leads to a trusted authority.
        ChainTrusted = "chain_trusted",
        /// Whether its key is long enough.
        StrongKey = "strong_key",
        /// Whether the signature under it resists collisions.
        StrongSignature = "strong_signature",
        /// Whether the connection spoke TLS 1.2 or TLS 1.3.
        ModernProtocol = "modern_protocol",
    }
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was checked.
    pub code: CertificateCheckCode,
    /// Whether all is well; `None` if that cannot be told.
    pub passed: Option<bool>,
    /// Why it is not, or cannot be told, in a sentence; `None` where all is well, and where no certificate was presented.
    pub detail: Option<String>,
}

/// How a site stands with its certificate at `now`. Of several faults the one that a check would fail with counts: first
/// the certificate's time, then who vouches for it, then its names.
///
/// It expires soon once `days_remaining` is at or below the largest of `warn_days`, or a tenth of its lifetime or less
/// is left, whichever comes first. So a certificate of a year is told of in time though nobody named days; with
/// `warn_days` empty the share alone decides.
#[must_use]
pub fn state(sighting: &Sighting, warn_days: &[u32], now: OffsetDateTime) -> CertificateState {
    let presented = match &sighting.encounter {
        Encounter::Plain => return CertificateState::None,
        Encounter::Unreachable { .. } => return CertificateState::Unreachable,
        Encounter::Presented { presented, .. } => presented,
    };
    match &presented.certificate {
        None => CertificateState::Untrusted,
        Some(certificate) if certificate.valid_until < now => CertificateState::Expired,
        Some(certificate) if now < certificate.valid_from => CertificateState::NotYetValid,
        Some(_) if presented.is_self_signed() => CertificateState::SelfSigned,
        Some(_) if !presented.chain_trusted => CertificateState::Untrusted,
        Some(_) if presented.name_matches != Some(true) => CertificateState::NameMismatch,
        Some(certificate) if expires_soon(certificate, warn_days, now) => CertificateState::ExpiringSoon,
        Some(_) => CertificateState::Valid,
    }
}

fn expires_soon(certificate: &Certificate, warn_days: &[u32], now: OffsetDateTime) -> bool {
    let first_warning = warn_days.iter().copied().max().map(i64::from);
    let by_days = first_warning.is_some_and(|days| certificate.days_remaining(now) <= days);
    let by_share = (certificate.valid_until - now) * 10 <= certificate.valid_until - certificate.valid_from;
    by_days || by_share
}

/// What each check comes to at `now`, in the order of [`CertificateCheckCode::ALL`].
#[must_use]
pub fn findings(sighting: &Sighting, now: OffsetDateTime) -> Vec<Finding> {
    let judged = |code| match &sighting.encounter {
        Encounter::Plain | Encounter::Unreachable { .. } => (None, None),
        Encounter::Presented {
            presented, session, ..
        } => judge(code, &sighting.host, presented, session.as_ref(), now),
    };
    CertificateCheckCode::ALL
        .iter()
        .map(|code| {
            let (passed, detail) = judged(*code);
            Finding {
                code: *code,
                passed,
                detail: detail.filter(|_| passed != Some(true)),
            }
        })
        .collect()
}

fn judge(
    code: CertificateCheckCode,
    host: &str,
    presented: &Presented,
    session: Option<&TlsSession>,
    now: OffsetDateTime,
) -> (Option<bool>, Option<String>) {
    use CertificateCheckCode as Code;
    let certificate = presented.certificate.as_ref();
    let (passed, detail) = match (code, certificate) {
        // A handshake with anything older does not come about.
        (Code::ModernProtocol, _) => (session.map(|_| true), "The handshake was broken off.".to_owned()),
        (_, None) => (None, "The certificate can not be read.".to_owned()),
        (Code::NotExpired, Some(certificate)) => (
            Some(now <= certificate.valid_until),
            format!("It expired on {}.", certificate.valid_until.date()),
        ),
        (Code::NameMatches, Some(_)) => match presented.name_matches {
            None => (None, "Its names can not be compared.".to_owned()),
            matches => (matches, format!("It is not for {host}.")),
        },
        (Code::ChainTrusted, Some(_)) => (Some(presented.chain_trusted), untrusted(presented).to_owned()),
        (Code::StrongKey, Some(certificate)) => strong_key(certificate),
        (Code::StrongSignature, Some(certificate)) => strong_signature(certificate),
    };
    (passed, Some(detail))
}

fn strong_key(certificate: &Certificate) -> (Option<bool>, String) {
    let key = certificate.key;
    match (key.is_strong(), key.bits) {
        (Some(strong), Some(bits)) => {
            let detail = format!(
                "Its {} key has {bits} bits; RSA needs 2048, ECDSA 256.",
                key.algorithm
            );
            (Some(strong), detail)
        }
        (strong, _) => (strong, "The kind or the size of its key is not known.".to_owned()),
    }
}

fn strong_signature(certificate: &Certificate) -> (Option<bool>, String) {
    let signature = &certificate.signature;
    let detail = match signature.is_strong {
        None => format!("The signature {} is not known.", signature.algorithm),
        Some(_) => format!(
            "The signature {} does not resist collisions.",
            signature.algorithm
        ),
    };
    (signature.is_strong, detail)
}

fn untrusted(presented: &Presented) -> &'static str {
    if presented.is_self_signed() {
        "It is self-signed."
    } else if presented.chain_complete == Some(false) {
        "It does not lead to a trusted authority: an intermediate certificate is missing, or the authority is not known."
    } else {
        "It does not lead to a trusted authority."
    }
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;
    use crate::certificate::{Alpn, Key, KeyAlgorithm, Signature, TlsProtocol};
    use crate::probe::ErrorClass;

    const START: OffsetDateTime = datetime!(2026-01-01 00:00 UTC);

    /// A certificate of so many days that nothing is wrong with.
    fn sighting(days: i64, change: impl FnOnce(&mut Presented)) -> Sighting {
        let mut presented = Presented {
            certificate: Some(Certificate {
                valid_from: START,
                valid_until: START + Duration::days(days),
                subject_common_name: None,
                subject_alt_names: vec!["shop.example".to_owned()],
                subject_alt_names_count: 1,
                issuer_common_name: None,
                issuer_organization: None,
                serial_number: "01".to_owned(),
                fingerprint_sha256: "ab".repeat(32),
                key: Key {
                    algorithm: KeyAlgorithm::Ecdsa,
                    bits: Some(256),
                },
                signature: Signature {
                    algorithm: "ecdsa-with-SHA256".to_owned(),
                    is_strong: Some(true),
                },
                is_self_issued: false,
            }),
            chain: Vec::new(),
            name_matches: Some(true),
            chain_trusted: true,
            chain_complete: Some(true),
        };
        change(&mut presented);
        Sighting {
            host: "shop.example".to_owned(),
            port: 443,
            encounter: Encounter::Presented {
                presented: Box::new(presented),
                session: Some(TlsSession {
                    protocol: TlsProtocol::Tls13,
                    cipher_suite: "TLS_AES_128_GCM_SHA256".to_owned(),
                    alpn: Some(Alpn::H2),
                }),
                hsts: None,
            },
        }
    }

    /// Worked out by hand. Of 90 days a tenth is 9, of 398 it is 39.8; a warning 30 days ahead begins when less than 31
    /// are left, since days are rounded down.
    #[test]
    fn a_certificate_expires_soon_by_days_or_by_share() {
        for (lifetime, warn_days, left, soon) in [
            (90, &[30, 14][..], Duration::days(31), false),
            (90, &[30, 14], Duration::days(31) - Duration::SECOND, true),
            (90, &[], Duration::days(9) + Duration::SECOND, false),
            (90, &[], Duration::days(9), true),
            (398, &[30], Duration::hours(956), false),
            (398, &[30], Duration::hours(955), true),
            (90, &[0], Duration::hours(23), true),
            (6, &[], Duration::days(1), false),
        ] {
            let seen = sighting(lifetime, |_| ());
            let now = START + Duration::days(lifetime) - left;
            let want = if soon {
                CertificateState::ExpiringSoon
            } else {
                CertificateState::Valid
            };
            assert_eq!(
                state(&seen, warn_days, now),
                want,
                "{lifetime} {warn_days:?} {left}"
            );
        }
    }

    #[test]
    fn the_validity_includes_its_last_second() {
        let seen = sighting(90, |_| ());
        let end = START + Duration::days(90);
        assert_eq!(state(&seen, &[], end), CertificateState::ExpiringSoon);
        assert_eq!(
            state(&seen, &[], end + Duration::SECOND),
            CertificateState::Expired
        );
        assert_eq!(
            state(&seen, &[], START - Duration::SECOND),
            CertificateState::NotYetValid
        );
    }

    #[test]
    fn of_several_faults_the_one_that_a_check_fails_with_counts() {
        let now = START + Duration::days(1);
        let names_itself = |presented: &mut Presented| {
            presented.chain_trusted = false;
            presented.name_matches = Some(false);
            if let Some(certificate) = &mut presented.certificate {
                certificate.is_self_issued = true;
            }
        };
        let seen = sighting(90, names_itself);
        assert_eq!(state(&seen, &[], now), CertificateState::SelfSigned);
        let late = now + Duration::days(90);
        assert_eq!(state(&seen, &[], late), CertificateState::Expired);
        let foreign = sighting(90, |presented| {
            presented.chain_trusted = false;
            presented.name_matches = Some(false);
        });
        assert_eq!(state(&foreign, &[], now), CertificateState::Untrusted);
        let other = sighting(90, |presented| presented.name_matches = Some(false));
        assert_eq!(state(&other, &[], now), CertificateState::NameMismatch);
        let unreadable = sighting(90, |presented| presented.certificate = None);
        assert_eq!(state(&unreadable, &[], now), CertificateState::Untrusted);
        let anchor = sighting(90, |presented| {
            if let Some(certificate) = &mut presented.certificate {
                certificate.is_self_issued = true;
            }
        });
        assert_eq!(
            state(&anchor, &[], now),
            CertificateState::Valid,
            "it is trusted as it is"
        );
    }

    #[test]
    fn without_a_certificate_every_check_is_open() {
        for (encounter, want) in [
            (Encounter::Plain, CertificateState::None),
            (
                Encounter::Unreachable {
                    error_class: ErrorClass::TlsHandshake,
                },
                CertificateState::Unreachable,
            ),
        ] {
            let seen = Sighting {
                encounter,
                ..sighting(90, |_| ())
            };
            assert_eq!(state(&seen, &[30], START), want);
            let findings = findings(&seen, START);
            assert_eq!(findings.len(), 6);
            assert!(
                findings
                    .iter()
                    .all(|finding| finding.passed.is_none() && finding.detail.is_none())
            );
        }
    }

    #[test]
    fn each_check_fails_for_its_own_reason() {
        let now = START + Duration::days(1);
        let failing = |seen: &Sighting, now| {
            let failing = findings(seen, now);
            failing
                .into_iter()
                .filter(|finding| finding.passed != Some(true))
                .map(|finding| (finding.code, finding.passed, finding.detail.unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        use CertificateCheckCode as Code;
        assert_eq!(failing(&sighting(90, |_| ()), now), []);
        let late = failing(&sighting(90, |_| ()), now + Duration::days(90));
        assert_eq!(
            late,
            [(
                Code::NotExpired,
                Some(false),
                "It expired on 2026-04-01.".to_owned()
            )]
        );
        let weak = sighting(90, |presented| {
            presented.name_matches = Some(false);
            presented.chain_trusted = false;
            presented.chain_complete = Some(false);
            if let Some(certificate) = &mut presented.certificate {
                certificate.key = Key {
                    algorithm: KeyAlgorithm::Rsa,
                    bits: Some(1_024),
                };
                certificate.signature.is_strong = Some(false);
            }
        });
        let codes: Vec<_> = failing(&weak, now)
            .into_iter()
            .map(|(code, passed, _)| (code, passed))
            .collect();
        let want = [
            Code::NameMatches,
            Code::ChainTrusted,
            Code::StrongKey,
            Code::StrongSignature,
        ];
        assert_eq!(codes, want.map(|code| (code, Some(false))));
    }
}
