//! Messages as sentences.

/// A clause as a sentence, and a sentence as it is. A first word that is more than letters, such as a hostname, stays as it is written.
pub(crate) fn sentence(clause: &str) -> String {
    let word = clause.split_whitespace().next().unwrap_or_default();
    let is_plain = word
        .trim_end_matches([',', ':', ';', '.'])
        .chars()
        .all(|one| one.is_alphabetic() || matches!(one, '-' | '’' | '\''));
    let mut rest = clause.chars();
    let first = match rest.next() {
        Some(first) if is_plain => first.to_uppercase().to_string(),
        first => first.map(String::from).unwrap_or_default(),
    };
    let end = if clause.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{end}", rest.as_str())
}

/// The fault of something by its label, as a list of faults says it.
pub(crate) fn labelled(label: &str, why: &str) -> String {
    sentence(&format!("{label}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_becomes_a_sentence_and_names_keep_their_letters() {
        for (clause, expected) in [
            ("the name is taken", "The name is taken."),
            ("lower-case letters alone", "Lower-case letters alone."),
            ("category: none of these", "Category: none of these."),
            ("The name is taken.", "The name is taken."),
            ("1 to 100", "1 to 100."),
            ("shop.example is there already", "shop.example is there already."),
            (
                "https://shop.example/: no page",
                "https://shop.example/: no page.",
            ),
            ("start_date lies after today", "start_date lies after today."),
        ] {
            assert_eq!(sentence(clause), expected);
        }
    }
}
