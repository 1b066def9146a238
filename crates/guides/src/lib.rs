#![doc = include_str!("../README.md")]

mod html;

/// A document that goes with the program.
#[derive(Debug)]
pub struct Guide {
    /// The name by which it is requested; no other guide has it.
    pub name: &'static str,
    /// The place of its file in the repository.
    pub file: &'static str,
    /// The Markdown.
    pub text: &'static str,
}

/// Guides that belong together.
#[derive(Debug)]
pub struct Part {
    /// The heading that they are listed under.
    pub title: &'static str,
    /// The guides, in the order in which they are read.
    pub guides: &'static [Guide],
}

macro_rules! guide {
    ($name:literal) => {
        Guide {
            name: $name,
            file: concat!("docs/guides/", $name, ".md"),
            text: include_str!(concat!("../../../docs/guides/", $name, ".md")),
        }
    };
    ($name:literal, $file:literal) => {
        Guide {
            name: $name,
            file: $file,
            text: include_str!(concat!("../../../", $file)),
        }
    };
}

/// All guides.
pub const PARTS: &[Part] = &[
    Part {
        title: "Run it",
        guides: &[
            guide!("readme", "README.md"),
            guide!("install"),
            guide!("operations", "docs/operations.md"),
            guide!("configuration", "docs/configuration.md"),
            guide!("monitoring"),
            guide!("backup"),
            guide!("local-sites"),
            guide!("console"),
            guide!("versions"),
            guide!("changelog", "CHANGELOG.md"),
        ],
    },
    Part {
        title: "Build on it",
        guides: &[
            guide!("api-design", "docs/api-design.md"),
            guide!("connect-an-app"),
            guide!("connect-an-mcp-client"),
            guide!("sdks"),
            guide!("webhooks"),
            guide!("glossary", "docs/glossary.md"),
        ],
    },
    Part {
        title: "Be told",
        guides: &[
            guide!("what-counts-as-down"),
            guide!("certificates-and-domains"),
            guide!("alerts"),
            guide!("channels"),
            guide!("reports"),
            guide!("a-report-in-your-colours"),
        ],
    },
    Part {
        title: "Visitors and vitals",
        guides: &[
            guide!("measure-a-site"),
            guide!("collect"),
            guide!("what-is-counted"),
            guide!("where-visits-come-from"),
            guide!("experiments"),
            guide!("what-each-vital-means"),
            guide!("field-data"),
            guide!("lab"),
            guide!("why-field-and-lab-differ"),
        ],
    },
    Part {
        title: "Search engines and crawlers",
        guides: &[
            guide!("search-console"),
            guide!("search-figures"),
            guide!("indexing"),
            guide!("sitemaps"),
            guide!("how-robots-rules-are-matched"),
            guide!("ai-crawlers"),
        ],
    },
];

/// All guides, in the order of their parts.
pub fn all() -> impl Iterator<Item = &'static Guide> {
    PARTS.iter().flat_map(|part| part.guides)
}

/// The guide of that name.
pub fn find(name: &str) -> Option<&'static Guide> {
    all().find(|guide| guide.name == name)
}

impl Guide {
    /// Its first heading.
    pub fn title(&self) -> &'static str {
        let heading = self.text.lines().find_map(|line| line.strip_prefix("# "));
        heading.unwrap_or(self.name)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, fs};

    use super::*;

    #[test]
    fn every_guide_of_the_repository_is_listed_once() {
        let listed: Vec<&str> = all().map(|guide| guide.file).collect();
        let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guides")).unwrap();
        for file in files {
            let name = file.unwrap().file_name().into_string().unwrap();
            let file = format!("docs/guides/{name}");
            assert!(listed.contains(&file.as_str()), "{file}");
        }
        let names: HashSet<&str> = all().map(|guide| guide.name).collect();
        assert_eq!(names.len(), listed.len(), "a name stands twice");
    }

    #[test]
    fn every_guide_has_a_title_of_its_own() {
        for guide in all() {
            assert_ne!(guide.title(), guide.name);
            assert!(!guide.title().contains(['`', '<', '[']), "{}", guide.title());
        }
    }
}
