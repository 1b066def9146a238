//! From Markdown to HTML.

use std::collections::HashSet;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html::push_html};

use crate::Guide;

impl Guide {
    /// Everything below its title, as HTML. HTML in the text is shown as text, and pictures are left out.
    ///
    /// `address` says where a file of the repository is served. A link to one that is not stays as its words.
    pub fn html(&self, address: &dyn Fn(&str) -> Option<String>) -> String {
        let mut html = String::new();
        push_html(&mut html, events(self, address).into_iter());
        html
    }

    /// The Markdown with its links as they are from elsewhere, by the same rule.
    pub fn linked(&self, address: &dyn Fn(&str) -> Option<String>) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut from = 0;
        for (event, place) in Parser::new_ext(self.text, Options::ENABLE_TABLES).into_offset_iter() {
            let Event::Start(Tag::Link { dest_url, .. }) = event else {
                continue;
            };
            // An address that stands for itself has no other words.
            let Some((words, _)) = self.text[place.clone()].rsplit_once("](") else {
                continue;
            };
            text.push_str(&self.text[from..place.start]);
            match target(self.file, &dest_url, address) {
                Some(target) => text.push_str(&format!("{words}]({target})")),
                None => text.push_str(words.strip_prefix('[').unwrap_or(words)),
            }
            from = place.end;
        }
        text.push_str(&self.text[from..]);
        text
    }
}

fn events(guide: &Guide, address: &dyn Fn(&str) -> Option<String>) -> Vec<Event<'static>> {
    let mut made = Vec::new();
    let mut anchors = HashSet::new();
    let mut is_title = false;
    let mut is_linked = false;
    // Where the heading that is read begins, and its words.
    let mut heading: Option<(usize, String)> = None;
    for event in Parser::new_ext(guide.text, Options::ENABLE_TABLES) {
        if let (Event::Text(text) | Event::Code(text), Some((_, words))) = (&event, &mut heading) {
            words.push_str(text);
        }
        match event {
            // The page has the title as its own.
            Event::Start(Tag::Heading {
                level: HeadingLevel::H1,
                ..
            }) => is_title = true,
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => is_title = false,
            _ if is_title => {}
            Event::Start(Tag::Heading { .. }) => heading = Some((made.len(), String::new())),
            Event::End(TagEnd::Heading(level)) => {
                if let Some((at, words)) = heading.take() {
                    let anchor = anchor(&words, &mut anchors);
                    let link = format!(
                        " <a class=\"here\" href=\"#{anchor}\" aria-label=\"Link to this section\">#</a>"
                    );
                    let start = Tag::Heading {
                        level,
                        id: Some(anchor.into()),
                        classes: Vec::new(),
                        attrs: Vec::new(),
                    };
                    made.insert(at, Event::Start(start));
                    made.push(Event::InlineHtml(link.into()));
                    made.push(Event::End(TagEnd::Heading(level)));
                }
            }
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }) => {
                let target = target(guide.file, &dest_url, address);
                is_linked = target.is_some();
                if let Some(target) = target {
                    made.push(Event::Start(Tag::Link {
                        link_type,
                        dest_url: target.into(),
                        title,
                        id,
                    }));
                }
            }
            Event::End(TagEnd::Link) if !is_linked => {}
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            Event::Html(text) | Event::InlineHtml(text) => made.push(Event::Text(text)),
            // A table or code that is wider than the screen is scrolled by itself, by keys too.
            Event::Start(Tag::CodeBlock(_)) => {
                made.push(Event::Html("<pre tabindex=\"0\"><code>".into()));
            }
            Event::End(TagEnd::CodeBlock) => made.push(Event::Html("</code></pre>\n".into())),
            Event::Start(Tag::Table(alignments)) => {
                made.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
                made.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                made.push(Event::End(TagEnd::Table));
                made.push(Event::Html("</div>\n".into()));
            }
            other => made.push(other),
        }
    }
    made
}

/// Where a link in `file` leads from the page of it; `None` where that is not served.
fn target(file: &str, link: &str, address: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    if link.starts_with('#') || link.starts_with("https://") {
        return Some(link.to_owned());
    }
    let (path, section) = link.split_once('#').unwrap_or((link, ""));
    let page = address(&beside(file, path)?)?;
    Some(if section.is_empty() {
        page
    } else {
        format!("{page}#{section}")
    })
}

/// The file at a relative path from `file`; `None` outside of the repository.
fn beside(file: &str, path: &str) -> Option<String> {
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    for step in path.split('/') {
        match step {
            ".." => {
                folders.pop()?;
            }
            "" | "." => {}
            name => folders.push(name),
        }
    }
    Some(folders.join("/"))
}

/// The anchor of a heading, as links to it are written in the guides: in small letters, without signs, with hyphens for
/// spaces, and with a number where another heading has it already.
fn anchor(heading: &str, taken: &mut HashSet<String>) -> String {
    let kept = heading
        .chars()
        .filter(|one| one.is_alphanumeric() || " -_".contains(*one));
    let plain: String = kept.map(|one| if one == ' ' { '-' } else { one }).collect();
    let plain = plain.to_lowercase();
    let mut anchor = plain.clone();
    let mut beside = 0;
    while !taken.insert(anchor.clone()) {
        beside += 1;
        anchor = format!("{plain}-{beside}");
    }
    anchor
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guide(text: &'static str) -> Guide {
        Guide {
            name: "one",
            file: "docs/guides/one.md",
            text,
        }
    }

    fn served(file: &str) -> Option<String> {
        (file == "docs/guides/install.md").then(|| "/served/install".to_owned())
    }

    fn html(text: &'static str) -> String {
        guide(text).html(&served)
    }

    #[test]
    fn links_of_markdown_lead_to_what_is_served_too_and_all_else_stays() {
        let text = "# One\n\nA [`first`](install.md#upgrade), a [second](../../deploy/nginx.conf) and <https://example.org/>.\n\n\
                    | [a](../guides/install.md) |\n| --- |\n| [b](#here) |\n\n```sh\n[c](install.md)\n```\n";
        let linked = "# One\n\nA [`first`](/served/install#upgrade), a second and <https://example.org/>.\n\n\
                      | [a](/served/install) |\n| --- |\n| [b](#here) |\n\n```sh\n[c](install.md)\n```\n";
        assert_eq!(guide(text).linked(&served), linked);
    }

    #[test]
    fn headings_have_anchors_and_the_title_is_left_to_the_page() {
        let html =
            html("# One\n\n## A `part`: the first\n\nText.\n\n## A `part`: the first\n\n### Others'\n");
        for part in [
            "<h2 id=\"a-part-the-first\">A <code>part</code>: the first <a class=\"here\" href=\"#a-part-the-first\"",
            "<h2 id=\"a-part-the-first-1\">",
            "<h3 id=\"others\">",
            "<p>Text.</p>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("One"), "{html}");
    }

    #[test]
    fn links_lead_to_what_is_served_and_stay_as_words_elsewhere() {
        let html = html(
            "[a](install.md#upgrade) [b](../guides/./install.md) [c](../../deploy/nginx.conf) [d](#here) \
             [e](https://example.org/) [f](../../../../etc/passwd) [g](javascript:alert(1)) [h](//example.org/) \
             <i@example.org>",
        );
        assert_eq!(
            html,
            "<p><a href=\"/served/install#upgrade\">a</a> <a href=\"/served/install\">b</a> c <a href=\"#here\">d</a> \
             <a href=\"https://example.org/\">e</a> f g h i@example.org</p>\n"
        );
    }

    #[test]
    fn html_and_pictures_do_not_get_through() {
        let html = html(
            "Some <b onclick=\"x()\">words</b>.\n\n<script src=\"https://example.org/x.js\"></script>\n\n\
             <!-- a note -->\n\n![a picture](https://example.org/x.png)\n\n```html\n<script></script>\n```\n\n\
             | a | b |\n| --- | --- |\n| <img src=x> | 2 |\n",
        );
        for part in [
            "Some &lt;b onclick",
            "&lt;script src",
            "&lt;!-- a note --&gt;",
            "<p>a picture</p>",
            "<pre tabindex=\"0\"><code>&lt;script&gt;&lt;/script&gt;\n</code></pre>",
            "<div class=\"wide\" tabindex=\"0\"><table><thead><tr><th>a</th>",
            "<td>&lt;img src=x&gt;</td>",
            "</table>\n</div>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        for tag in ["<script", "<b", "<img", "<!--"] {
            assert!(!html.contains(tag), "{tag}: {html}");
        }
    }
}
