//! Codes of a second factor that go by the time (TOTP, RFC 6238), as apps on phones make them.

use std::fmt;

use ring::rand::{SecureRandom, SystemRandom};
use time::OffsetDateTime;
use totp_rs::{Builder, Totp};

use crate::secret::NoRandomness;

/// As long as RFC 4226 (section 4) recommends.
const SECRET_BYTES: usize = 20;
/// The name that apps write above the code, besides the account.
const ISSUER: &str = "Pharos";
/// How many digits a code has.
pub const DIGITS: usize = 6;

/// The secret that a user's app makes codes from: SHA-1, six digits, a new one every 30 seconds, which is the one form that
/// all apps know. Neither log nor `Debug` has it.
#[derive(Clone)]
pub struct TotpSecret(Totp);

impl TotpSecret {
    /// A new secret.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn generate() -> Result<Self, NoRandomness> {
        let mut bytes = [0; SECRET_BYTES];
        SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
        Self::of(totp_rs::Secret::from(bytes)).ok_or(NoRandomness)
    }

    /// The secret of this text, which is base32 (RFC 4648). `None` where it is none.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        Self::of(totp_rs::Secret::try_from_base32(text).ok()?)
    }

    fn of(secret: totp_rs::Secret) -> Option<Self> {
        let built = Builder::new()
            .with_secret(secret)
            .with_issuer(Some(ISSUER))
            .build();
        built.ok().map(Self)
    }

    /// The secret as text, in base32: to be typed into an app, and to be sealed.
    #[must_use]
    pub fn text(&self) -> String {
        self.0.secret().to_base32()
    }

    /// The address that an app reads from a QR code, for the account of an e-mail address.
    #[must_use]
    pub fn address(&self, email: &str) -> Option<String> {
        let named = Builder::new()
            .with_secret(self.0.secret().clone())
            .with_issuer(Some(ISSUER))
            // The one character that the format has for itself.
            .with_account_name(email.replace(':', " "));
        named.build().ok()?.to_url().ok()
    }

    /// The step of 30 seconds whose code this is: the present one, the one before or the one after, since clocks differ. Apps
    /// show a code in two groups, so that it may be typed with the space between them.
    #[must_use]
    pub fn step(&self, typed: &str, now: OffsetDateTime) -> Option<u64> {
        let code: String = typed.split_whitespace().collect();
        self.0.check(&code, u64::try_from(now.unix_timestamp()).ok()?)
    }

    /// The code at a moment.
    #[must_use]
    pub fn code(&self, at: OffsetDateTime) -> String {
        let seconds = u64::try_from(at.unix_timestamp()).unwrap_or_default();
        self.0.generate(seconds).to_string()
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;

    /// The key of RFC 6238's appendix B for SHA-1, "12345678901234567890", in base32.
    const KEY: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    fn at(seconds: i64) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp(seconds).unwrap()
    }

    /// The RFC's codes have eight digits; a code of six is the last six of them (RFC 4226, section 5.3).
    #[test]
    fn codes_are_those_of_rfc_6238() {
        let secret = TotpSecret::of_text(KEY).unwrap();
        for (seconds, code) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            let code = &code[2..];
            assert_eq!(secret.code(at(seconds)), code, "{seconds}");
            let step = u64::try_from(seconds / 30).unwrap();
            assert_eq!(secret.step(code, at(seconds)), Some(step), "{seconds}");
        }
    }

    #[test]
    fn a_code_holds_for_its_step_and_one_to_either_side() {
        let secret = TotpSecret::of_text(KEY).unwrap();
        // The beginning of a step.
        let now = datetime!(2026-03-31 09:15:00 UTC);
        let code = secret.code(now);
        let step = secret.step(&code, now);
        assert!(step.is_some());
        for (seconds, holds) in [(-31, false), (-30, true), (29, true), (59, true), (60, false)] {
            let found = secret.step(&code, now + Duration::seconds(seconds));
            assert_eq!(found, step.filter(|_| holds), "{seconds}");
        }
    }

    #[test]
    fn a_code_is_known_in_groups_too() {
        let secret = TotpSecret::of_text(KEY).unwrap();
        for typed in ["287082", "287 082", " 28 70 82\t", "287\u{a0}082"] {
            assert_eq!(secret.step(typed, at(59)), Some(1), "{typed:?}");
        }
        assert_eq!(secret.step("287-082", at(59)), None);
    }

    #[test]
    fn what_is_no_code_is_none() {
        let secret = TotpSecret::of_text(KEY).unwrap();
        let now = at(59);
        for text in [
            "",
            "0",
            "94287082",
            "28708",
            "2870820",
            "28708a",
            "+87082",
            "２８７０８２",
            "287 82",
        ] {
            assert_eq!(secret.step(text, now), None, "{text}");
        }
        assert_eq!(secret.step("287082", at(-1)), None);
    }

    #[test]
    fn a_secret_is_160_random_bits_and_comes_back_from_its_text() {
        let secret = TotpSecret::generate().unwrap();
        assert_eq!(secret.text().len(), 32);
        assert_ne!(secret.text(), TotpSecret::generate().unwrap().text());
        let again = TotpSecret::of_text(&secret.text()).unwrap();
        assert_eq!(again.code(at(59)), secret.code(at(59)));
        assert_eq!(format!("{secret:?}"), "TotpSecret(…)");
        for bad in ["", "GEZDGNBV", "1", "é"] {
            assert!(TotpSecret::of_text(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn its_address_names_the_account() {
        let secret = TotpSecret::of_text(KEY).unwrap();
        let address = secret.address("ada+x@example.org").unwrap();
        assert_eq!(
            address,
            format!("otpauth://totp/Pharos:ada%2Bx%40example.org?secret={KEY}&issuer=Pharos")
        );
        assert!(secret.address("\"a:b\"@example.org").is_some());
    }
}
