//! Lists that are typed into a field, and the faults of settings at the fields of a form.

use pharos_domain::settings::SettingFault;

use crate::parts::form::Faults;

/// More entries than any list may have. The rules refuse such a list, and nobody needs the faults of all the rest.
const MOST_READ: usize = 101;

/// The entries of a list, one a line.
pub(in crate::domain) fn lines(written: &str) -> Vec<String> {
    let lines = written.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(MOST_READ).map(str::to_owned).collect()
}

/// The entries of a list, with commas or spaces between them.
pub(super) fn words(written: &str) -> Vec<String> {
    let words = written.split([',', ' ']).filter(|word| !word.is_empty());
    words.take(MOST_READ).map(str::to_owned).collect()
}

/// Adds faults of settings at the fields that are called as those are behind `prefix`, each entry of a list by its place.
pub(in crate::domain) fn tell(prefix: &str, found: Vec<SettingFault>, faults: &mut Faults) {
    for fault in found {
        let mut parts = fault.pointer.trim_start_matches('/').split('/');
        let field = format!("{prefix}{}", parts.next().unwrap_or_default());
        let place = parts.next().and_then(|place| place.parse::<usize>().ok());
        let why = match place {
            Some(place) => format!("Entry {}: {}", place + 1, fault.detail),
            None => fault.detail.clone(),
        };
        faults.add(field, why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_far_as_rules_look() {
        assert_eq!(lines(" a \n\n b c\r\n"), ["a", "b c"]);
        assert_eq!(words("2xx, 301,,418 "), ["2xx", "301", "418"]);
        assert_eq!(lines(&"a\n".repeat(1_000)).len(), MOST_READ);
        assert_eq!(words(&"a,".repeat(1_000)).len(), MOST_READ);
    }

    #[test]
    fn a_fault_names_its_field_and_its_entry() {
        let mut faults = Faults::default();
        let found = vec![
            SettingFault::new("/brand_terms/1", "a text"),
            SettingFault::new("/min_impressions", "a number"),
        ];
        tell("gsc_", found, &mut faults);
        assert_eq!(faults.of("gsc_brand_terms"), Some("Entry 2: a text."));
        assert_eq!(faults.of("gsc_min_impressions"), Some("A number."));
    }
}
