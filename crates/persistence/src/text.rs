//! Texts as PostgreSQL keeps them.

/// PostgreSQL's text and JSON hold no NUL; what comes from outside may.
pub fn without_nul(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{fffd}")
    } else {
        text
    }
}

/// The beginning of a text, so many bytes at most.
pub fn beginning(mut text: String, most: usize) -> String {
    text.truncate(text.floor_char_boundary(most));
    text
}
