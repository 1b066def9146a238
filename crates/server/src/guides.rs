//! The guides, as pages of this node.

use pharos_http::pages::guides::{Guide, address};

/// All guides.
pub(crate) fn pages() -> Vec<Guide> {
    let parts = pharos_guides::PARTS.iter();
    let guides = parts.flat_map(|part| part.guides.iter().map(move |guide| (part, guide)));
    guides
        .map(|(part, guide)| Guide {
            name: guide.name,
            title: guide.title(),
            part: part.title,
            html: guide.html(&served),
            text: guide.text,
        })
        .collect()
}

/// Where a file of the repository is served.
fn served(file: &str) -> Option<String> {
    match file {
        "docs/openapi.json" => Some("/openapi.json".to_owned()),
        "docs/api-reference.md" => Some("/docs".to_owned()),
        _ => {
            let guide = pharos_guides::all().find(|guide| guide.file == file);
            guide.map(|guide| address(guide.name))
        }
    }
}
