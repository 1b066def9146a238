//! The operations of a page's content, with where each stands: what is not changed stays byte for byte.

use std::ops::Range;

use lopdf::{Object, content::Content};

use super::Unfit;

/// An operation, its operands before it.
#[derive(Clone, Debug)]
pub(super) struct Operation<'a> {
    pub(super) operator: &'a [u8],
    /// Where it stands, from its first operand on.
    pub(super) at: Range<usize>,
    whole: &'a [u8],
}

impl Operation<'_> {
    /// The operands.
    pub(super) fn operands(&self) -> Result<Vec<Object>, Unfit> {
        let mut read = Content::decode_strict(self.whole)?.operations;
        Ok(read.pop().map(|operation| operation.operands).unwrap_or_default())
    }
}

/// All operations.
pub(super) fn operations(content: &[u8]) -> Result<Vec<Operation<'_>>, Unfit> {
    let mut found = Vec::new();
    let (mut at, mut from, mut depth) = (0, None, 0_usize);
    while let Some(first) = content.get(at) {
        let begins = at;
        let rest = &content[at..];
        match first {
            0 | b'\t' | b'\n' | 0x0c | b'\r' | b' ' => {
                at += 1;
                continue;
            }
            b'%' => {
                at += length(rest, |byte| !matches!(byte, b'\n' | b'\r'));
                continue;
            }
            b'(' => at += text(rest)?,
            b'<' if rest.starts_with(b"<<") => (at, depth) = (at + 2, depth + 1),
            b'<' => at += 1 + length(rest, |byte| *byte != b'>'),
            b'>' if rest.starts_with(b">>") => (at, depth) = (at + 2, depth.saturating_sub(1)),
            b'[' => (at, depth) = (at + 1, depth + 1),
            b']' => (at, depth) = (at + 1, depth.saturating_sub(1)),
            b'/' => at += 1 + length(&rest[1..], is_regular),
            first if is_regular(first) => {
                at += length(rest, is_regular);
                let word = &content[begins..at];
                if depth == 0 && is_operator(word) {
                    if word == b"BI" {
                        // Its bytes are no operations, and where they end is hard to tell.
                        return Err(Unfit::Unknown("a picture amid its content"));
                    }
                    let from = from.take().unwrap_or(begins);
                    let whole = &content[from..at];
                    found.push(Operation {
                        operator: word,
                        at: from..at,
                        whole,
                    });
                    continue;
                }
            }
            _ => return Err(Unfit::Unknown("content that can't be read")),
        }
        from = from.or(Some(begins));
    }
    Ok(found)
}

fn is_regular(byte: &u8) -> bool {
    !matches!(
        byte,
        0 | b'\t'
            | b'\n'
            | 0x0c
            | b'\r'
            | b' '
            | b'('
            | b')'
            | b'<'
            | b'>'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'/'
            | b'%'
    )
}

/// Words are operators, but for those that are values.
fn is_operator(word: &[u8]) -> bool {
    let is_number = word
        .first()
        .is_some_and(|first| matches!(first, b'0'..=b'9' | b'+' | b'-' | b'.'));
    !is_number && !matches!(word, b"true" | b"false" | b"null")
}

/// How many bytes it takes.
fn length(bytes: &[u8], is_in: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_in(byte)).count()
}

/// How long a text in parentheses is, which may hold others.
fn text(bytes: &[u8]) -> Result<usize, Unfit> {
    let (mut depth, mut is_escaped) = (0_usize, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'(' => depth += 1,
            b')' if depth == 1 => return Ok(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    Err(Unfit::Unknown("a text that does not end"))
}

#[cfg(test)]
mod tests {
    use super::operations;

    #[test]
    fn operations_are_told_from_what_they_are_about() {
        let content =
            b"q\n1 0 0 -1 .5 -2 cm % cm S\n/P <</MCID 0 /A [/f (n)]>>BDC [(a\\)(f)) -3 <6e>] TJ true f*";
        let found = operations(content).unwrap();
        let told: Vec<_> = found
            .iter()
            .map(|one| {
                let at = &content[one.at.clone()];
                (
                    String::from_utf8_lossy(one.operator).into_owned(),
                    String::from_utf8_lossy(at).into_owned(),
                )
            })
            .collect();
        let pairs = [
            ("q", "q"),
            ("cm", "1 0 0 -1 .5 -2 cm"),
            ("BDC", "/P <</MCID 0 /A [/f (n)]>>BDC"),
            ("TJ", "[(a\\)(f)) -3 <6e>] TJ"),
            ("f*", "true f*"),
        ];
        assert_eq!(
            told,
            pairs.map(|(operator, at)| (operator.to_owned(), at.to_owned()))
        );
        assert_eq!(
            found[3].operands().unwrap()[0].as_array().unwrap()[0]
                .as_str()
                .unwrap(),
            b"a)(f)"
        );
    }

    #[test]
    fn what_is_no_content_is_refused() {
        for odd in [
            &b"(never ends"[..],
            b"q ) Q",
            b"{ 1 } Q",
            b"BI /W 1 ID x EI",
            b"> Q",
        ] {
            assert!(operations(odd).is_err(), "{odd:?}");
        }
    }
}
