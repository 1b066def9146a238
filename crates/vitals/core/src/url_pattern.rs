//! Patterns of groups of pages: `*` stands for any text without a slash, `**` for any text.

/// The places at which each byte stands in a path, a bit each, by which a pattern is held against 64 of them at once. A site may have a
/// hundred patterns, and whoever stores its views stores those of all others, too.
pub(crate) struct Places {
    /// How many bytes the path has.
    length: usize,
    /// How many words the bits of a path take: there is one more than there are bytes.
    words: usize,
    /// The places of each byte, one after the other.
    of_bytes: Vec<u64>,
    /// All places.
    all: Vec<u64>,
    /// Those of no slash.
    within: Vec<u64>,
}

impl Places {
    /// The places of a path.
    pub(crate) fn of(path: &str) -> Self {
        let words = path.len() / 64 + 1;
        let (mut of_bytes, mut all, mut within) = (vec![0; 256 * words], vec![0; words], vec![0; words]);
        for (place, byte) in path.bytes().enumerate() {
            let (word, bit) = (place / 64, 1_u64 << (place % 64));
            of_bytes[usize::from(byte) * words + word] |= bit;
            all[word] |= bit;
            if byte != b'/' {
                within[word] |= bit;
            }
        }
        Self {
            length: path.len(),
            words,
            of_bytes,
            all,
            within,
        }
    }

    /// Whether the path is as a pattern says.
    pub(crate) fn fit(&self, pattern: &str) -> bool {
        // Bit `i`: whether the pattern so far fits the first `i` bytes of the path.
        let mut open = vec![0_u64; self.words];
        open[0] = 1;
        let mut rest = pattern.as_bytes();
        while let Some(first) = rest.first() {
            let stars = rest.iter().take_while(|byte| **byte == b'*').count();
            match stars {
                0 => step(&mut open, self.of_byte(*first)),
                1 => extend(&mut open, &self.within),
                _ => extend(&mut open, &self.all),
            }
            rest = &rest[stars.max(1)..];
        }
        (open[self.length / 64] >> (self.length % 64)) & 1 == 1
    }

    fn of_byte(&self, byte: u8) -> &[u64] {
        let begin = usize::from(byte) * self.words;
        &self.of_bytes[begin..begin + self.words]
    }
}

/// Goes one byte on, where that is one of `places`.
fn step(open: &mut [u64], places: &[u64]) {
    let mut carried = 0;
    for (open, places) in open.iter_mut().zip(places) {
        let fitting = *open & places;
        *open = (fitting << 1) | carried;
        carried = fitting >> 63;
    }
}

/// Goes on by as many bytes as there may be, as long as they are of `places`. A bit that is added to the first place of a run carries through
/// all of it, and turns it over.
fn extend(open: &mut [u64], places: &[u64]) {
    let mut carried = false;
    for (open, places) in open.iter_mut().zip(places) {
        let (sum, is_over) = places.overflowing_add(*open & places);
        let (sum, is_over_by_one) = sum.overflowing_add(u64::from(carried));
        carried = is_over || is_over_by_one;
        *open |= sum ^ places;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(pattern: &str, path: &str) -> bool {
        Places::of(path).fit(pattern)
    }

    /// The same place by place.
    fn fits_slowly(pattern: &str, path: &str) -> bool {
        let path = path.as_bytes();
        let mut open = vec![false; path.len() + 1];
        open[0] = true;
        let mut rest = pattern.as_bytes();
        while let Some(first) = rest.first() {
            let stars = rest.iter().take_while(|byte| **byte == b'*').count();
            if stars == 0 {
                for at in (0..path.len()).rev() {
                    open[at + 1] = open[at] && path[at] == *first;
                }
                open[0] = false;
            } else {
                for at in 0..path.len() {
                    open[at + 1] |= open[at] && (stars > 1 || path[at] != b'/');
                }
            }
            rest = &rest[stars.max(1)..];
        }
        open[path.len()]
    }

    #[test]
    fn a_star_stops_at_a_slash_and_two_do_not() {
        for (pattern, path, want) in [
            ("/p/*", "/p/1", true),
            ("/p/*", "/p/1/reviews", false),
            ("/p/**", "/p/1/reviews", true),
            ("/p/*/reviews", "/p/1/reviews", true),
            ("/p", "/p", true),
            ("/p", "/p/", false),
            ("/**/x", "/a/b/x", true),
            ("/*", "/", true),
        ] {
            assert_eq!(fits(pattern, path), want, "{pattern} {path}");
        }
    }

    proptest::proptest! {
        #[test]
        fn it_is_as_if_each_place_were_looked_at(pattern in "/[a/*b]{0,9}", path in "/([ab/]{0,9}|[ab/]{55,75}|[ab/]{120,140})") {
            proptest::prop_assert_eq!(fits(&pattern, &path), fits_slowly(&pattern, &path));
        }
    }
}
