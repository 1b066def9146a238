//! Names of strangers in tables and titles: long ones without their middle, and the ways from them.

use maud::{Markup, html};

use crate::shown::shown;

/// The longest addresses that names of tables lead to, which carry all filters: a page has some hundred of them.
const LONGEST_LINK: usize = 750;
/// How many characters of a name are shown of its beginning, and of its end where it has more than both. Whoever calls the site
/// makes them as long as they like.
const BEGINNING: usize = 70;
const END: usize = 30;

/// A name of the site's, or of whoever calls it, as it is shown: a long one without its middle.
pub(crate) fn brief(name: &str) -> String {
    let letters = name.chars().count();
    if letters <= BEGINNING + END {
        return shown(name);
    }
    let beginning: String = name.chars().take(BEGINNING).collect();
    let end: String = name.chars().skip(letters - END).collect();
    format!("{}…{}", shown(&beginning), shown(&end))
}

/// A name that leads to an address, unless that is too long.
pub(crate) fn leading(address: &str, name: &str) -> Markup {
    html! {
        @if address.len() > LONGEST_LINK {
            bdi { (name) }
        } @else {
            a href=(address) { bdi { (name) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_is_shown_without_its_middle_and_leads_nowhere_if_its_address_is_too_long() {
        let fits = "/".repeat(BEGINNING + END);
        assert_eq!(brief(&fits), fits);
        let long = format!("/a/{}/ü", "x".repeat(2_000));
        let told = brief(&long);
        assert_eq!(told.chars().count(), BEGINNING + 1 + END);
        assert!(told.starts_with("/a/x") && told.ends_with("x/ü"), "{told}");
        assert!(told.contains("x…x"), "{told}");
        assert!(brief(&format!("{long}\u{202e}")).ends_with("⟦U+202E⟧"));

        let short = leading("/console?page=/a", "/a<").into_string();
        assert_eq!(short, "<a href=\"/console?page=/a\"><bdi>/a&lt;</bdi></a>");
        assert_eq!(leading(&long, "/a").into_string(), "<bdi>/a</bdi>");
    }
}
