//! The names of countries.

/// The English name of a country by ISO 3166-1 alpha-2; of one that the list does not have, its code; "Unknown" without a code.
#[must_use]
pub fn country_name(code: Option<&str>) -> String {
    match code {
        None => "Unknown".to_owned(),
        // In use, though no code of ISO 3166-1.
        Some("XK") => "Kosovo".to_owned(),
        Some(code) => rust_iso3166::from_alpha2(code)
            .map_or(code, |country| country.name)
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
