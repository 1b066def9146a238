//! The meaning of a sighting at a moment.

use pharos_domain::wire_enum;
use time::OffsetDateTime;

use super::{Certificate, Encounter, Presented, Sighting, TlsSession};

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
    /// A check of a certificate or its connection.
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

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule that was judged.
    pub code: CertificateCheckCode,
    /// Whether all is well; `None` if that cannot be told.
    pub passed: Option<bool>,
    /// Why it is not, or cannot be told, in a sentence; `None` where all is well, and where no certificate was presented.
    pub detail: Option<String>,
}

/// How a site stands with its certificate at `now`. Where it has several faults, the one that a check would fail with
/// counts: first the certificate's time, then who vouches for it, then its names.
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

/// The result of each check at `now`, in the order of [`CertificateCheckCode::ALL`].
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
mod tests;
