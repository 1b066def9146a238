//! The pages of the search that are monitored without being asked for, and which of them are valuable.

use std::collections::HashMap;

use super::target;

/// How many of them are gathered.
pub const MOST_PAGES: u32 = 10_000;
/// How many of them are valuable.
const VALUABLE: usize = 200;
/// The part of a plan's URLs that may be monitored without being asked for, in percent: the rest is left for those that somebody adds.
pub const GATHERED_PCT: u32 = 75;

/// Pages of the search below a property, with the clicks of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchPages {
    /// The URLs in normal form, those with the most clicks first.
    pub urls: Vec<String>,
    /// The clicks of each.
    pub clicks: Vec<i64>,
}

impl SearchPages {
    /// Those of some pages, the most clicked first, that lie below a property. Anchors of one page are pages of the search of their
    /// own; the page has the place of the first of them.
    #[must_use]
    pub fn below(site_url: &str, pages: impl IntoIterator<Item = (String, i64)>) -> Self {
        let mut found = Self::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (url, clicks) in pages {
            let Some(url) = target::normal(&url, site_url) else {
                continue;
            };
            if let Some(place) = places.get(&url) {
                found.clicks[*place] += clicks;
            } else {
                places.insert(url.clone(), found.urls.len());
                found.urls.push(url);
                found.clicks.push(clicks);
            }
        }
        found
    }

    /// Those that are looked at daily.
    #[must_use]
    pub fn valuable(&self) -> Vec<&str> {
        let clicked = self.urls.iter().zip(&self.clicks);
        let clicked = clicked.filter(|(_, clicks)| **clicks > 0);
        clicked.take(VALUABLE).map(|(url, _)| url.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_of_a_page_are_the_page() {
        let pages = [
            ("https://shop.example/a", 5),
            ("https://other.example/", 4),
            ("https://shop.example/b", 3),
            ("https://shop.example/a#more", 2),
            ("https://shop.example/c", 0),
        ];
        let pages = pages.map(|(url, clicks)| (url.to_owned(), clicks));
        let found = SearchPages::below("sc-domain:shop.example", pages);
        assert_eq!(
            found.urls,
            [
                "https://shop.example/a",
                "https://shop.example/b",
                "https://shop.example/c"
            ]
        );
        assert_eq!(found.clicks, [7, 3, 0]);
        assert_eq!(
            found.valuable(),
            ["https://shop.example/a", "https://shop.example/b"]
        );
    }

    #[test]
    fn the_first_200_are_valuable() {
        let pages = (0..300).map(|page| (format!("https://shop.example/{page}"), 1));
        let found = SearchPages::below("sc-domain:shop.example", pages);
        assert_eq!(found.valuable().len(), 200);
    }
}
