//! The kind of search that a page is about, as its address says it: `search_type`, as at the API.

use maud::{Markup, html};
use pharos_domain::module::Module;
use pharos_reporting::config::SectionsConfig;
use pharos_search::gsc::{figures::SearchType, property::Property};
use serde_json::json;

use crate::{query::in_query, sentence::labelled};

const PARAMETER: &str = "search_type";
const LABEL: &str = "Kind of search";
/// The widgets of what Discover and Google News do not have: queries, and positions of them.
const OF_QUERIES: [&str; 2] = ["positions", "queries"];

/// The kind of search of an address.
#[derive(Clone, Debug)]
pub(in crate::domain) struct Kind {
    pub(super) search_type: SearchType,
    /// Why the address can't ask for its kind; then the page is of the search for pages.
    pub(in crate::domain) fault: Option<String>,
}

impl Kind {
    /// That of a query, on a page of a module. No module but search tells any apart.
    pub(in crate::domain) fn of(module: Module, query: &str) -> Self {
        let given = in_query(query, PARAMETER).filter(|given| module == Module::Gsc && !given.is_empty());
        let usual = SearchType::Web;
        match given.map_or(Ok(usual), |given| given.parse::<SearchType>()) {
            Ok(search_type) => Self {
                search_type,
                fault: None,
            },
            Err(fault) => Self {
                search_type: usual,
                fault: Some(labelled(LABEL, &fault.to_string())),
            },
        }
    }

    /// As parameters of an address; none for the usual kind.
    pub(in crate::domain) fn pairs(&self) -> Vec<(&'static str, &'static str)> {
        pairs(self.search_type)
    }

    /// Asks the widgets of a module for this kind, and leaves out those that it does not have.
    pub(in crate::domain) fn choose(&self, config: &mut SectionsConfig) {
        for section in &mut config.sections {
            if !self.search_type.is_ranked() {
                section
                    .widgets
                    .retain(|choice| !OF_QUERIES.contains(&choice.widget.as_str()));
            }
            for choice in &mut section.widgets {
                if let Some(chosen) = choice.config.get_mut(PARAMETER) {
                    *chosen = json!(self.search_type);
                }
            }
        }
    }

    /// The ways to the other kinds that the property has; `address` is that of the page with these parameters.
    pub(super) fn choice(&self, property: &Property, address: impl Fn(&[(&str, &str)]) -> String) -> Markup {
        let is_there = |one: &SearchType| *one == self.search_type || property.search_types.contains(one);
        let kinds: Vec<SearchType> = SearchType::ALL.iter().copied().filter(is_there).collect();
        html! {
            @if kinds.len() > 1 {
                nav.range aria-label=(LABEL) {
                    @for kind in kinds {
                        a href=(address(&pairs(kind))) aria-current=[(kind == self.search_type).then_some("true")] { (name(kind)) }
                    }
                }
            }
        }
    }
}

fn pairs(kind: SearchType) -> Vec<(&'static str, &'static str)> {
    match kind {
        SearchType::Web => Vec::new(),
        other => vec![(PARAMETER, other.as_str())],
    }
}

/// A kind as Search Console calls it.
pub(super) const fn name(kind: SearchType) -> &'static str {
    match kind {
        SearchType::Web => "Web",
        SearchType::Discover => "Discover",
        SearchType::News => "News",
        SearchType::GoogleNews => "Google News",
        SearchType::Image => "Images",
        SearchType::Video => "Videos",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_that_of_the_address_and_what_is_none_is_told() {
        let asked = |query| Kind::of(Module::Gsc, query);
        assert_eq!(asked("").search_type, SearchType::Web);
        assert_eq!(asked("search_type=").fault, None);
        let discover = asked("period=last_7_days&search_type=discover");
        assert_eq!(discover.search_type, SearchType::Discover);
        assert_eq!(discover.pairs(), [("search_type", "discover")]);
        let none = asked("search_type=maps");
        assert_eq!((none.search_type, none.pairs().len()), (SearchType::Web, 0));
        assert!(none.fault.is_some_and(|fault| fault.contains("google_news")));
        let elsewhere = Kind::of(Module::Indexing, "search_type=maps");
        assert_eq!((elsewhere.search_type, elsewhere.fault), (SearchType::Web, None));
    }
}
