//! Looks for a keyword in a body that comes piece by piece.

use memchr::memmem::Finder;

/// A search that carries on across the borders between pieces.
///
/// Bytes are compared: UTF-8 cannot match in the middle of a character, so this finds the same as a
/// search of the text, and a body that is not quite UTF-8 can be searched all the same.
pub(super) struct KeywordSearch {
    finder: Finder<'static>,
    /// The end of what was seen, one byte shorter than the keyword.
    tail: Vec<u8>,
    found: bool,
}

impl KeywordSearch {
    pub(super) fn new(keyword: &str) -> Self {
        Self {
            finder: Finder::new(keyword.as_bytes()).into_owned(),
            tail: Vec::new(),
            found: keyword.is_empty(),
        }
    }

    pub(super) fn found(&self) -> bool {
        self.found
    }

    pub(super) fn push(&mut self, piece: &[u8]) {
        if self.found {
            return;
        }
        let overlap = self.finder.needle().len() - 1;
        // A match across the border lies within the tail and as many bytes of the piece.
        self.tail.extend_from_slice(&piece[..piece.len().min(overlap)]);
        self.found = self.finder.find(&self.tail).is_some() || self.finder.find(piece).is_some();
        if piece.len() >= overlap {
            self.tail.clear();
            self.tail.extend_from_slice(&piece[piece.len() - overlap..]);
        } else {
            self.tail.drain(..self.tail.len().saturating_sub(overlap));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeywordSearch;

    fn found(keyword: &str, pieces: &[&[u8]]) -> bool {
        let mut search = KeywordSearch::new(keyword);
        for piece in pieces {
            search.push(piece);
        }
        search.found()
    }

    #[test]
    fn a_keyword_is_found_however_the_body_is_cut() {
        let body = "the ship's größe is known".as_bytes();
        for keyword in ["the", "known", "größe", " ", "the ship's größe is known", "ö"] {
            for size in 1..=body.len() {
                let pieces: Vec<_> = body.chunks(size).collect();
                assert!(found(keyword, &pieces), "{keyword} in pieces of {size}");
            }
        }
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let body = "abababab".as_bytes();
        for size in 1..=body.len() {
            let pieces: Vec<_> = body.chunks(size).collect();
            assert!(
                !found("abba", &pieces) && !found("ababababa", &pieces),
                "pieces of {size}"
            );
        }
    }

    #[test]
    fn an_empty_keyword_is_everywhere_and_case_counts() {
        assert!(found("", &[]));
        assert!(!found("Ship", &[b"ship"]));
    }
}
