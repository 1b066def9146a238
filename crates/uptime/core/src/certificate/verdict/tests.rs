//! States and checks, computed by hand.

use time::Duration;

use super::*;
use crate::certificate::{
    Key, KeyAlgorithm,
    fixture::{START, sighting},
};
use crate::error_class::ErrorClass;

/// Computed by hand. A tenth of 90 days is 9, of 398 it is 39.8; a warning 30 days ahead begins when less than 31
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
