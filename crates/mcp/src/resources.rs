//! Resources: the guides and the glossary, for assistants that explain what a figure means.

use rmcp::model::{Resource, ResourceContents};

/// A document that goes with this server.
struct Document {
    name: &'static str,
    text: &'static str,
}

macro_rules! guides {
    ($($name:literal),+ $(,)?) => {
        &[
            $(Document {
                name: $name,
                text: include_str!(concat!("../../../docs/guides/", $name, ".md")),
            },)+
            Document { name: "glossary", text: include_str!("../../../docs/glossary.md") },
        ]
    };
}

/// The guides that tell what figures mean and how things are judged.
const DOCUMENTS: &[Document] = guides![
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
];
const SCHEME: &str = "pharos://guides/";
const MARKDOWN: &str = "text/markdown";

impl Document {
    fn uri(&self) -> String {
        format!("{SCHEME}{}", self.name)
    }

    /// Its first heading.
    fn title(&self) -> &'static str {
        let heading = self.text.lines().find_map(|line| line.strip_prefix("# "));
        heading.unwrap_or(self.name)
    }
}

/// All documents.
pub(crate) fn list() -> Vec<Resource> {
    DOCUMENTS
        .iter()
        .map(|document| {
            Resource::new(document.uri(), document.name)
                .with_title(document.title())
                .with_mime_type(MARKDOWN)
                .with_size(document.text.len() as u64)
        })
        .collect()
}

/// The document at a URI.
pub(crate) fn read(uri: &str) -> Option<ResourceContents> {
    let name = uri.strip_prefix(SCHEME)?;
    let document = DOCUMENTS.iter().find(|document| document.name == name)?;
    Some(ResourceContents::text(document.text, uri).with_mime_type(MARKDOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_that_is_listed_can_be_read() {
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
            "file:///etc/passwd",
            "",
            "pharos://guides/../glossary",
        ] {
            assert!(read(uri).is_none(), "{uri}");
        }
    }
}
