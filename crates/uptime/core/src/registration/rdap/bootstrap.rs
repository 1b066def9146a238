//! Which server knows a top-level domain (RFC 9224).

use serde::Deserialize;
use url::Url;

/// The services of the bootstrap file for domain names, by entry.
#[derive(Debug, Deserialize)]
pub(super) struct Services {
    /// Each: the entries that it answers for, and its base URLs.
    services: Vec<(Vec<String>, Vec<String>)>,
}

impl Services {
    /// The base URLs of the service that answers for the name: of the entry with the most labels that the name ends
    /// with (RFC 9224, section 4). `None`: there is no service.
    pub(super) fn of(&self, name: &str) -> Option<Vec<Url>> {
        let matching = self.services.iter().flat_map(|(entries, urls)| {
            entries
                .iter()
                .filter(|entry| covers(entry, name))
                .map(move |entry| (entry.split('.').count(), urls))
        });
        let (_, urls) = matching.max_by_key(|(labels, _)| *labels)?;
        Some(urls.iter().filter_map(|url| base(url)).collect())
    }
}

fn covers(entry: &str, name: &str) -> bool {
    let rest = name
        .len()
        .checked_sub(entry.len())
        .and_then(|at| name.split_at_checked(at));
    rest.is_some_and(|(before, end)| {
        !entry.is_empty() && end.eq_ignore_ascii_case(entry) && (before.is_empty() || before.ends_with('.'))
    })
}

/// A base URL, which ends with a slash (RFC 9224, section 3).
fn base(url: &str) -> Option<Url> {
    let slash = if url.ends_with('/') { "" } else { "/" };
    Url::parse(&format!("{url}{slash}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file of RFC 9224, section 4, with an entry of more labels and a URL without its slash added.
    fn services() -> Services {
        serde_json::from_str(
            r#"{
                "version": "1.0",
                "publication": "2024-01-07T10:11:12Z",
                "description": "Some text",
                "services": [
                    [["net", "com"], ["https://registry.example.com/myrdap/"]],
                    [["org", "mytld"], ["https://example.org/"]],
                    [["xn--zckzah"], ["https://example.net/rdap/xn--zckzah/", "http://example.net/rdap/xn--zckzah/"]],
                    [["co.mytld"], ["https://longer.example.org"]]
                ]
            }"#,
        )
        .unwrap()
    }

    #[test]
    fn the_entry_with_the_most_labels_answers() {
        for (name, first) in [
            ("example.com", Some("https://registry.example.com/myrdap/")),
            ("a.b.example.com", Some("https://registry.example.com/myrdap/")),
            ("example.mytld", Some("https://example.org/")),
            ("example.co.mytld", Some("https://longer.example.org/")),
            ("exampleco.mytld", Some("https://example.org/")),
            ("example.xn--zckzah", Some("https://example.net/rdap/xn--zckzah/")),
            ("example.ymytld", None),
            ("telecom", None),
        ] {
            let urls = services().of(name);
            assert_eq!(urls.as_ref().map(|urls| urls[0].as_str()), first, "{name}");
        }
        assert_eq!(services().of("example.xn--zckzah").unwrap().len(), 2);
    }
}
