//! The meta tag in the head of a page.

use html5gum::{DefaultEmitter, Token, Tokenizer};

use super::NAME;

/// The tags that may stand in a head. The first other tag begins the body, where a page may show what strangers wrote.
const OF_HEAD: [&[u8]; 10] = [
    b"html",
    b"head",
    b"title",
    b"meta",
    b"link",
    b"base",
    b"style",
    b"script",
    b"noscript",
    b"template",
];

/// Whether the head of a page has the meta tag with this token.
pub(super) fn shows(page: &[u8], token: &str) -> bool {
    let mut emitter = DefaultEmitter::default();
    // The emitter has to know scripts and styles: tags in them are text.
    emitter.naively_switch_states(true);
    for Ok(part) in Tokenizer::new_with_emitter(page, emitter) {
        match part {
            Token::StartTag(tag) if *tag.name == b"meta" => {
                let attribute = |name: &[u8]| {
                    let value = tag.attributes.get(name)?;
                    std::str::from_utf8(value.as_ref()).ok().map(str::trim)
                };
                let is_ours = attribute(b"name").is_some_and(|name| name.eq_ignore_ascii_case(NAME));
                if is_ours && attribute(b"content") == Some(token) {
                    return true;
                }
            }
            Token::StartTag(tag) if !OF_HEAD.contains(&tag.name.as_slice()) => return false,
            Token::EndTag(tag) if *tag.name == b"head" => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_counts_in_a_head_alone() {
        let tag = r#"<meta name="pharos-verification" content="abc">"#;
        for good in [
            format!("<!doctype html><html><head><title>Shop</title>{tag}</head><body>"),
            format!("<script>if (a < b) {{}}</script>{tag}"),
            r#"<HEAD><META CONTENT=" abc " NAME=Pharos-Verification>"#.to_owned(),
        ] {
            assert!(shows(good.as_bytes(), "abc"), "{good}");
        }
        for bad in [
            String::new(),
            format!("<head></head>{tag}"),
            format!("<body>{tag}"),
            format!("<p>{tag}"),
            format!("<!-- {tag} -->"),
            format!("<title>{tag}</title>"),
            format!("<script>{tag}</script>"),
            "<meta name=\"pharos-verification\" content=\"abcd\">".to_owned(),
            "<meta name=\"description\" content=\"abc\">".to_owned(),
            "<meta name=\"pharos-verification\"".to_owned(),
        ] {
            assert!(!shows(bad.as_bytes(), "abc"), "{bad}");
        }
        assert!(!shows(b"\xff\xfe<meta \xff=\"", "abc"));
    }
}
