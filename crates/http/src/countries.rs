//! Which countries there are, and what they are called.

/// In use, though no code of ISO 3166-1.
const KOSOVO: &str = "XK";

/// Whether a text is a country by ISO 3166-1 alpha-2, in whatever case.
pub(crate) fn is_country(text: &str) -> bool {
    let code = text.to_ascii_uppercase();
    code == KOSOVO || rust_iso3166::from_alpha2(&code).is_some()
}

/// The English name of a country by ISO 3166-1 alpha-2; of one that the list does not have, its code; "Unknown" without a code.
#[must_use]
pub fn country_name(code: Option<&str>) -> String {
    match code {
        None => "Unknown".to_owned(),
        Some(KOSOVO) => "Kosovo".to_owned(),
        Some(code) => rust_iso3166::from_alpha2(code)
            .map_or(code, |country| country.name)
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{country_name, is_country};

    #[test]
    fn a_country_is_two_letters_that_are_given_to_one() {
        for country in ["DE", "us", "Xk"] {
            assert!(is_country(country), "{country}");
        }
        for text in ["", "U", "QQ", "ZZ", "USA", "Germany", "U1", "ü"] {
            assert!(!is_country(text), "{text}");
        }
    }

    #[test]
    fn countries_have_names() {
        assert_eq!(country_name(Some("DE")), "Germany");
        assert_eq!(country_name(Some("XK")), "Kosovo");
        assert_eq!(country_name(Some("QQ")), "QQ");
        assert_eq!(country_name(None), "Unknown");
    }
}
