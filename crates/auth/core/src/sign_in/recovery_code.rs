//! Recovery codes: each stands in for a code of the second factor, once.

use std::fmt;

use ring::rand::{SecureRandom, SystemRandom};

use crate::secret::{NoRandomness, SecretDigest};

/// How many a user gets at once.
pub const RECOVERY_CODES: usize = 10;
/// 80 bits, so that the digest of a code can't be turned back.
const RANDOM_BYTES: usize = 10;
/// The same in base32.
const CHARACTERS: usize = 16;
/// How many characters stand together.
const A_GROUP: usize = 4;

/// A recovery code: 16 characters of base32. It is shown once; neither log nor `Debug` ever has it.
#[derive(PartialEq, Eq)]
pub struct RecoveryCode(String);

impl RecoveryCode {
    /// How many new codes a user gets.
    ///
    /// # Errors
    /// The system has no randomness to give.
    pub fn generate() -> Result<Vec<Self>, NoRandomness> {
        let random = SystemRandom::new();
        let mut codes = Vec::with_capacity(RECOVERY_CODES);
        for _ in 0..RECOVERY_CODES {
            let mut bytes = [0; RANDOM_BYTES];
            random.fill(&mut bytes).map_err(|_| NoRandomness)?;
            codes.push(Self(totp_rs::Secret::from(bytes).to_base32().to_lowercase()));
        }
        Ok(codes)
    }

    /// The code that somebody typed, whatever its case and however it is grouped. `None` where it is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        // No longer than a code whose characters all stand apart.
        if text.len() > 2 * CHARACTERS {
            return None;
        }
        let code: String = text
            .chars()
            .filter(|character| !matches!(character, ' ' | '-'))
            .map(|character| character.to_ascii_lowercase())
            .collect();
        let is_code =
            code.len() == CHARACTERS && code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'));
        is_code.then_some(Self(code))
    }

    /// The code in groups, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> String {
        let characters: Vec<char> = self.0.chars().collect();
        let groups: Vec<String> = characters
            .chunks(A_GROUP)
            .map(|group| group.iter().collect())
            .collect();
        groups.join("-")
    }

    /// Its digest, which is stored in its place.
    #[must_use]
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(&self.0)
    }
}

impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_user_gets_ten_that_differ() {
        let codes = RecoveryCode::generate().unwrap();
        let shown: BTreeSet<String> = codes.iter().map(RecoveryCode::reveal).collect();
        assert_eq!(shown.len(), 10);
        assert!(shown.iter().all(|code| code.len() == 19), "{shown:?}");
        assert_eq!(format!("{:?}", codes[0]), "RecoveryCode(…)");
    }

    #[test]
    fn a_code_is_known_however_it_is_typed() {
        let code = RecoveryCode::parse("abcd-efgh-2345-mnop").unwrap();
        assert_eq!(code.reveal(), "abcd-efgh-2345-mnop");
        for typed in ["abcdefgh2345mnop", " ABCD EFGH 2345 MNOP ", "Abcd-efgh 2345mnop"] {
            assert_eq!(
                RecoveryCode::parse(typed).unwrap().digest(),
                code.digest(),
                "{typed}"
            );
        }
        let long = "a".repeat(300_000);
        for bad in [
            "",
            "123456",
            "abcd-efgh-2345-mno",
            "abcd-efgh-2345-mnop-q",
            "abcd-efgh-2345-mno1",
            "ábcdefgh2345mnop",
            &long,
        ] {
            assert!(RecoveryCode::parse(bad).is_none(), "{bad}");
        }
    }
}
