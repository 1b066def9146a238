//! The rule over the document's words: each sentence has a subject.

use serde_json::Value;

use super::{Document, Fault, Rule, schemas::visit};

/// The words that no sentence begins with: the reader of one that does has to look for its subject.
const OPENINGS: [&str; 2] = ["What", "Of"];

/// Reports every summary and description that has a sentence which begins with one of them.
pub(super) fn sentence_without_subject(document: &Document, faults: &mut Vec<Fault>) {
    visit(&document.root, "", &mut |pointer, node| {
        for key in ["summary", "description"] {
            let text = node.get(key).and_then(Value::as_str).unwrap_or_default();
            for opening in OPENINGS {
                if begins_a_sentence(text, opening) {
                    let detail = format!("a sentence begins with {opening}; name its subject");
                    let place = format!("{pointer}/{key}");
                    faults.push(Fault::new(Rule::SentenceWithoutSubject, place, detail));
                }
            }
        }
    });
}

/// Whether a word begins the text, or stands in it after the end of a sentence or after a colon.
fn begins_a_sentence(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let end = text[..at].trim_end().chars().next_back();
        let after = text[at + found.len()..].chars().next();
        before.is_none_or(char::is_whitespace)
            && end.is_none_or(|end| ".!?:".contains(end))
            && after.is_none_or(|after| !after.is_alphanumeric())
    })
}
