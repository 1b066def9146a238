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

/// All documents.
pub(crate) fn list() -> Vec<Resource> {
    documents()
        .map(|document| {
            Resource::new(format!("{SCHEME}{}", document.name), document.name)
                .with_title(document.title())
                .with_mime_type(MARKDOWN)
                .with_size(document.text.len() as u64)
        })
        .collect()
}

/// The document at a URI.
pub(crate) fn read(uri: &str) -> Option<ResourceContents> {
    let name = uri.strip_prefix(SCHEME)?;
    let document = documents().find(|document| document.name == name)?;
    Some(ResourceContents::text(document.text, uri).with_mime_type(MARKDOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_that_is_listed_can_be_read() {
        assert_eq!(list().len(), NAMES.len(), "a guide is not there any more");
        for resource in list() {
            assert!(read(&resource.uri).is_some(), "{}", resource.uri);
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
            assert!(read(uri).is_none(), "{uri}");
        }
    }
}
