//! The path of a rule, and whether it matches a URL's.

use memchr::memmem;

/// Stands for any text where patterns are compared. No path holds it: it would be encoded.
const ANY: u8 = 0;

/// Characters of a URL that percent-encoding leaves alone, as RFC 3986 (section 2.3) has them.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// Delimiters of RFC 3986 (section 2.2) that stay as they are written. `*` and `$`, which mean something in a rule, are encoded, and so
/// is a `%` that encodes nothing.
const fn is_reserved(byte: u8) -> bool {
    matches!(
        byte,
        b':' | b'/'
            | b'?'
            | b'#'
            | b'['
            | b']'
            | b'@'
            | b'!'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'+'
            | b','
            | b';'
            | b'='
    )
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit)
        .to_digit(16)
        .and_then(|value| u8::try_from(value).ok())
}

fn encode(byte: u8, into: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    into.extend([
        b'%',
        DIGITS[usize::from(byte >> 4)],
        DIGITS[usize::from(byte & 15)],
    ]);
}

/// Brings text into the one form in which paths are compared: what may stand in a URL unencoded does, and everything else is
/// percent-encoded with upper-case digits (RFC 9309, section 2.2.2).
fn normalise(text: &[u8], into: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        let encoded = (byte == b'%')
            .then(|| Some(hex(*text.get(at)?)? << 4 | hex(*text.get(at + 1)?)?))
            .flatten();
        match encoded {
            Some(decoded) => {
                at += 2;
                if is_unreserved(decoded) {
                    into.push(decoded);
                } else {
                    encode(decoded, into);
                }
            }
            None if is_unreserved(byte) || is_reserved(byte) => into.push(byte),
            None => encode(byte, into),
        }
    }
}

/// Where a part stands first. The search for a single octet needs no preparing, which takes most of the time in a pattern of many.
fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    match part {
        [octet] => memchr::memchr(*octet, text),
        part => memmem::find(text, part),
    }
}

/// The path, parameters and query of a URL, in the form in which they are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target(Vec<u8>);

impl Target {
    /// Reads a URL's path and query, without the fragment. An empty path is `/`.
    #[must_use]
    pub fn new(path_and_query: &str) -> Self {
        let end = memchr::memchr(b'#', path_and_query.as_bytes()).unwrap_or(path_and_query.len());
        let text = &path_and_query.as_bytes()[..end];
        let mut normalised = Vec::with_capacity(text.len() + 1);
        if !text.starts_with(b"/") {
            normalised.push(b'/');
        }
        normalise(text, &mut normalised);
        Self(normalised)
    }

    /// Its octets, as they are compared.
    pub(super) fn octets(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is the path of the robots.txt itself, which may always be fetched (RFC 9309, section 2.2.2).
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        self.0 == b"/robots.txt"
    }
}

/// The path of a rule: literal parts with any text between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The parts between the wildcards, as they are compared. The first stands at the beginning.
    parts: Vec<Vec<u8>>,
    is_anchored: bool,
    octets: usize,
}

impl Pattern {
    /// Reads the path as it is written in the file.
    #[must_use]
    pub fn new(written: &[u8]) -> Self {
        let (body, is_anchored) = match written.strip_suffix(b"$") {
            Some(body) => (body, true),
            None => (written, false),
        };
        let mut octets = usize::from(is_anchored);
        let mut parts: Vec<Vec<u8>> = Vec::new();
        for (index, written) in body.split(|byte| *byte == b'*').enumerate() {
            let mut part = Vec::with_capacity(written.len());
            normalise(written, &mut part);
            octets += part.len() + usize::from(index > 0);
            // Wildcards that follow each other are one.
            if index < 2 || !part.is_empty() || !parts.last().is_some_and(Vec::is_empty) {
                parts.push(part);
            }
        }
        Self {
            parts,
            is_anchored,
            octets,
        }
    }

    /// By how many octets it counts beside other rules: the longest that matches decides.
    #[must_use]
    pub const fn octets(&self) -> usize {
        self.octets
    }

    /// Whether it holds a `*`.
    #[must_use]
    pub fn has_wildcard(&self) -> bool {
        self.parts.len() > 1
    }

    /// Whether it ends in a `$`, so that the URL has to end there too.
    #[must_use]
    pub const fn is_anchored(&self) -> bool {
        self.is_anchored
    }

    /// Whether the rule has no path, and so says nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.octets == 0
    }

    /// Whether both match the same paths, however they are written: a `*` at the end says nothing.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        self.is_anchored == other.is_anchored && self.without_end() == other.without_end()
    }

    fn without_end(&self) -> &[Vec<u8>] {
        match self.parts.as_slice() {
            [rest @ .., last] if last.is_empty() && !rest.is_empty() && !self.is_anchored => rest,
            all => all,
        }
    }

    /// The part before the first wildcard, which stands at the beginning of all that it matches.
    pub(super) fn start(&self) -> &[u8] {
        self.parts.first().map(Vec::as_slice).unwrap_or_default()
    }

    /// The parts behind the first wildcard that are not empty, in the order in which they stand in all that it matches.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let others = self.parts.iter().skip(1).map(Vec::as_slice);
        others.filter(|part| !part.is_empty())
    }

    /// Whether the text ends as it has to.
    pub(super) fn allows_end(&self, text: &[u8]) -> bool {
        let last = self.parts.last();
        !self.is_anchored || last.is_none_or(|last| text.ends_with(last))
    }

    /// How much it takes to match it, in octets that are checked against others. To look for a part takes some preparing.
    pub(super) fn effort(&self, target: &Target) -> usize {
        const OF_PART: usize = 64;
        self.octets + target.0.len() + self.parts.len() * OF_PART
    }

    /// Whether it matches. Takes time in proportion to the lengths of both, whatever they hold.
    #[must_use]
    pub fn matches(&self, target: &Target) -> bool {
        let Some((first, others)) = self.parts.split_first() else {
            return true;
        };
        let Some(mut rest) = target.0.strip_prefix(first.as_slice()) else {
            return false;
        };
        let Some((last, between)) = others.split_last() else {
            return !self.is_anchored || rest.is_empty();
        };
        // The earliest place of each part leaves the most for those that follow.
        let mut skip = |part: &[u8]| find(rest, part).map(|at| rest = &rest[at + part.len()..]);
        if between.iter().any(|part| skip(part).is_none()) {
            return false;
        }
        if self.is_anchored {
            rest.ends_with(last)
        } else {
            skip(last).is_some()
        }
    }

    /// Whether it matches all that the other matches.
    ///
    /// A letter that no path holds stands for each wildcard of the other: only a wildcard of ours can match it, and then
    /// any text in its place.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        let mut word = other.parts.join(&ANY);
        if !other.is_anchored {
            word.push(ANY);
        }
        if word.starts_with(b"/") {
            return self.matches(&Target(word));
        }
        if word.first() != Some(&ANY) {
            // It begins with no slash, so it matches nothing.
            return false;
        }
        // Every path begins with a slash: the wildcard's, or the one after it.
        let within = Target([b"/", word.as_slice()].concat());
        let after = Target(word[1..].to_vec());
        self.matches(&within) && (!after.0.starts_with(b"/") || self.matches(&after))
    }

    /// Whether there is a path that both match.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let (ours, theirs) = (self.tokens(), other.tokens());
        // A pattern that begins with neither matches no path. A text that both match and that has no slash yet may have one
        // before it, since then both begin with a wildcard.
        let is_path = |tokens: &[u8]| matches!(tokens.first(), Some(&(b'/' | ANY)));
        if !is_path(&ours) || !is_path(&theirs) {
            return false;
        }
        // reach[at]: whether what is left of ours from here, and of theirs from `at`, can be one text. Filled from the end.
        let mut reach = vec![false; theirs.len() + 1];
        reach[theirs.len()] = true;
        for at in (0..theirs.len()).rev() {
            reach[at] = theirs[at] == ANY && reach[at + 1];
        }
        for token in ours.iter().rev() {
            let mut before = reach[theirs.len()];
            reach[theirs.len()] = *token == ANY && before;
            for at in (0..theirs.len()).rev() {
                let below = reach[at];
                reach[at] = match (*token, theirs[at]) {
                    (ANY, _) => below || reach[at + 1],
                    (_, ANY) => reach[at + 1] || below,
                    (ours, theirs) => ours == theirs && before,
                };
                before = below;
            }
        }
        reach[0]
    }

    fn tokens(&self) -> Vec<u8> {
        let mut tokens = self.parts.join(&ANY);
        if !self.is_anchored {
            tokens.push(ANY);
        }
        tokens
    }

    /// A path that it matches, with `x` for any text.
    #[must_use]
    pub fn example(&self) -> String {
        let joined = self.parts.join(&b'x');
        let text = String::from_utf8_lossy(&joined);
        match text.strip_prefix('/') {
            Some(_) => text.into_owned(),
            None => format!("/{text}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        Pattern::new(pattern.as_bytes()).matches(&Target::new(path))
    }

    /// The table of Google's documentation, "URL matching based on path values".
    #[test]
    fn paths_match_as_google_documents_it() {
        let table: [(&str, &[&str], &[&str]); 10] = [
            ("/", &["/", "/a", "/?q"], &[]),
            ("/*", &["/", "/a"], &[]),
            ("/$", &["/"], &["/a"]),
            (
                "/fish",
                &[
                    "/fish",
                    "/fish.html",
                    "/fish/salmon.html",
                    "/fishheads/yummy.html",
                    "/fish.php?id=anything",
                ],
                &["/Fish.asp", "/catfish", "/?id=fish", "/desert/fish"],
            ),
            (
                "/fish*",
                &["/fish", "/fishheads", "/fish.php?id=anything"],
                &["/Fish.asp", "/catfish"],
            ),
            (
                "/fish/",
                &["/fish/", "/fish/?id=anything", "/fish/salmon.htm"],
                &["/fish", "/fish.html", "/animals/fish/"],
            ),
            (
                "/*.php",
                &[
                    "/index.php",
                    "/filename.php",
                    "/folder/filename.php?parameters",
                    "/folder/any.php.file.html",
                ],
                &["/", "/windows.PHP"],
            ),
            (
                "/*.php$",
                &["/filename.php", "/folder/filename.php"],
                &[
                    "/filename.php?parameters",
                    "/filename.php/",
                    "/filename.php5",
                    "/windows.PHP",
                ],
            ),
            (
                "/fish*.php",
                &["/fish.php", "/fishheads/catfish.php?parameters"],
                &["/Fish.PHP"],
            ),
            (
                "/a*b*c$",
                &["/abc", "/axbxcxc", "/a/b/c"],
                &["/ab", "/acb", "/abcd"],
            ),
        ];
        for (pattern, yes, no) in table {
            for path in yes {
                assert!(matches(pattern, path), "{pattern} {path}");
            }
            for path in no {
                assert!(!matches(pattern, path), "{pattern} {path}");
            }
        }
    }

    /// RFC 9309, section 2.2.2, the table of percent-encoded paths, and section 2.2.3, special characters.
    #[test]
    fn encodings_match_as_rfc_9309_has_it() {
        assert!(matches("/foo/bar?baz=quz", "/foo/bar?baz=quz"));
        assert!(matches(
            "/foo/bar?baz=https://foo.bar",
            "/foo/bar?baz=https://foo.bar"
        ));
        assert!(matches("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84"));
        assert!(matches("/foo/bar/%E3%83%84", "/foo/bar/\u{30c4}"));
        assert!(matches("/foo/bar/%62%61%7A", "/foo/bar/baz"));
        assert!(matches("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"));
        assert!(matches("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"));
        assert!(!matches("/path/file-with-a-%2A.html", "/path/file-with-a-b.html"));
        assert!(matches("/path/foo-%24", "/path/foo-$"));
        assert!(!matches("/path/foo-%24", "/path/foo-"));
        assert!(
            !matches("/a%2Fb", "/a/b"),
            "a delimiter that is encoded is another"
        );
    }

    #[test]
    fn a_dollar_anchors_only_at_the_end() {
        assert!(matches("/a$b", "/a$b"));
        assert!(!matches("/a$b", "/a"));
        assert!(matches("/a$$", "/a$"));
        assert!(!matches("/a$$", "/a"));
        assert!(matches("/*$", "/anything?at=all"));
        assert!(matches("*$", "/"));
    }

    #[test]
    fn octets_are_those_of_the_encoded_path() {
        let octets = |written: &str| Pattern::new(written.as_bytes()).octets();
        assert_eq!(octets(""), 0);
        assert_eq!(octets("/fish"), 5);
        assert_eq!(octets("/f*h$"), 5);
        assert_eq!(octets("/\u{fc}"), 7);
        assert_eq!(octets("/%62"), 2);
        assert_eq!(
            octets("/a%"),
            5,
            "a percent sign that encodes nothing is encoded itself"
        );
    }

    #[test]
    fn wildcards_cost_no_more_than_the_text_is_long() {
        let pattern = Pattern::new("/*a".repeat(8_000).as_bytes());
        assert!(!pattern.matches(&Target::new(&"/a".repeat(7_999))));
        assert!(pattern.matches(&Target::new(&"/a".repeat(8_000))));
        assert!(Pattern::new("*".repeat(16_000).as_bytes()).matches(&Target::new("/x")));
    }

    /// Held against all short paths over a small alphabet.
    #[test]
    fn covering_and_meeting_are_what_paths_say() {
        let mut paths = vec!["/".to_owned()];
        let mut last = paths.clone();
        for _ in 0..5 {
            last = last
                .iter()
                .flat_map(|path| ["a", "b", "/"].map(|next| format!("{path}{next}")))
                .collect();
            paths.extend(last.iter().cloned());
        }
        let targets: Vec<Target> = paths.iter().map(|path| Target::new(path)).collect();
        let written = [
            "/", "/$", "/a", "/a$", "/a*", "/*a", "*a", "*/a", "/*a$", "/a*b", "/a*b$", "*a*", "/ab",
            "/*b*a", "*$", "*/b$", "/b",
        ];
        for one in written.map(|one| (one, Pattern::new(one.as_bytes()))) {
            for other in written.map(|other| (other, Pattern::new(other.as_bytes()))) {
                let all = targets
                    .iter()
                    .filter(|target| other.1.matches(target))
                    .all(|target| one.1.matches(target));
                let some = targets
                    .iter()
                    .any(|target| other.1.matches(target) && one.1.matches(target));
                assert_eq!(one.1.covers(&other.1), all, "{} covers {}", one.0, other.0);
                assert_eq!(one.1.meets(&other.1), some, "{} meets {}", one.0, other.0);
            }
        }
    }

    #[test]
    fn an_example_is_matched() {
        for written in ["/a*b$", "/", "*.pdf$", "/x*y*z", "/\u{fc}"] {
            let pattern = Pattern::new(written.as_bytes());
            assert!(pattern.matches(&Target::new(&pattern.example())), "{written}");
        }
    }
}
