//! Countries, as Search Console writes them.

use crate::gsc::place::Country;

/// The country of three letters of ISO 3166-1, in whatever case; `None`: the place is unknown (`zzz`), or nobody knows the
/// code. Kosovo, which has no code there, is `xkk` and XK.
#[must_use]
pub fn country(letters: &str) -> Option<Country> {
    let letters = letters.to_ascii_uppercase();
    if letters == "XKK" {
        return Country::new("XK");
    }
    Country::new(rust_iso3166::from_alpha3(&letters)?.alpha2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_letters_become_two() {
        let of = |letters| country(letters).map(|country| country.as_str().to_owned());
        assert_eq!(of("deu").as_deref(), Some("DE"));
        assert_eq!(of("USA").as_deref(), Some("US"));
        assert_eq!(of("xkk").as_deref(), Some("XK"));
        assert_eq!(of("zzz"), None);
        assert_eq!(of(""), None);
    }
}
