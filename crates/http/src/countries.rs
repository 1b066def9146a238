//! The names of countries.

use pharos_domain::country::Country;

/// The English name of a country by ISO 3166-1 alpha-2; of one that the list does not have, its code; "Unknown" without a code.
#[must_use]
pub fn country_name(code: Option<&str>) -> String {
    match code {
        None => "Unknown".to_owned(),
        Some(code) => Country::new(code)
            .and_then(Country::name)
            .unwrap_or(code)
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::country_name;

    #[test]
    fn countries_have_names() {
        assert_eq!(country_name(Some("DE")), "Germany");
        assert_eq!(country_name(Some("XK")), "Kosovo");
        assert_eq!(country_name(Some("QQ")), "QQ");
        assert_eq!(country_name(None), "Unknown");
    }
}
