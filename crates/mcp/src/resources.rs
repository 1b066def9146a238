//! Resources: the guides and the glossary, for assistants that explain what a figure means.

use pharos_guides::Guide;
use rmcp::model::{Resource, ResourceContents};

/// The guides that tell what figures mean and how things are judged.
const NAMES: &[&str] = &[
    "alerts",
    "certificates-and-domains",
    "experiments",
    "field-data",
    "how-robots-rules-are-matched",
    "indexing",
    "lab",
    "reports",
    "search-figures",
    "sitemaps",
    "what-counts-as-down",
    "what-each-vital-means",
    "what-is-counted",
    "where-visits-come-from",
    "glossary",
];
const SCHEME: &str = "pharos://guides/";
const MARKDOWN: &str = "text/markdown";

fn documents() -> impl Iterator<Item = &'static Guide> {
    NAMES.iter().filter_map(|name| pharos_guides::find(name))
}

/// All documents, of the Pharos at that address.
pub(crate) fn list(pharos: &str) -> Vec<Resource> {
    documents()
        .map(|document| {
            Resource::new(format!("{SCHEME}{}", document.name), document.name)
                .with_title(document.title())
                .with_mime_type(MARKDOWN)
                .with_size(text(document, pharos).len() as u64)
        })
        .collect()
}

/// The document at a URI, which may name a section of it.
pub(crate) fn read(uri: &str, pharos: &str) -> Option<ResourceContents> {
    let name = uri.strip_prefix(SCHEME)?;
    let (name, _) = name.split_once('#').unwrap_or((name, ""));
    let document = documents().find(|document| document.name == name)?;
    Some(ResourceContents::text(text(document, pharos), uri).with_mime_type(MARKDOWN))
}

/// The text of a document. Its links lead to resources too, or to pages of Pharos: an assistant has no files beside it.
fn text(document: &Guide, pharos: &str) -> String {
    document.linked(&|file| match file {
        "docs/openapi.json" => Some(format!("{pharos}/openapi.json")),
        "docs/api-reference.md" => Some(format!("{pharos}/docs")),
        _ => {
            let guide = pharos_guides::all().find(|guide| guide.file == file)?;
            let is_resource = NAMES.contains(&guide.name);
            let beginning = if is_resource {
                SCHEME.to_owned()
            } else {
                format!("{pharos}/docs/guides/")
            };
            Some(format!("{beginning}{}", guide.name))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHAROS: &str = "https://pharos.example";

    #[test]
    fn every_document_that_is_listed_can_be_read() {
        assert_eq!(list(PHAROS).len(), NAMES.len(), "a guide is not there any more");
        for resource in list(PHAROS) {
            assert!(read(&resource.uri, PHAROS).is_some(), "{}", resource.uri);
            assert!(read(&format!("{}#section", resource.uri), PHAROS).is_some());
            assert_ne!(
                resource.title.as_deref(),
                Some(resource.name.as_str()),
                "it has a heading"
            );
        }
        for uri in [
            "pharos://guides/none",
            "pharos://guides/operations",
            "file:///etc/passwd",
            "",
            "pharos://guides/../glossary",
        ] {
            assert!(read(uri, PHAROS).is_none(), "{uri}");
        }
    }

    #[test]
    fn no_link_of_a_document_leads_to_a_file_beside_it() {
        for document in documents() {
            let text = text(document, PHAROS);
            for link in text.split("](").skip(1) {
                let link = link.split(')').next().unwrap_or_default();
                let leads = ["#", SCHEME, "https://"]
                    .iter()
                    .any(|known| link.starts_with(known));
                assert!(leads, "{}: {link}", document.name);
            }
        }
    }
}
