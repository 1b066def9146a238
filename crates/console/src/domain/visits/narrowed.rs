//! Which visits a page is about, as its address says it: the filters of the API by their names.

use maud::{Markup, html};
use pharos_analytics::{
    channel::Channel,
    dimension::LONGEST_VALUE,
    filter::{DeviceClass, Filters},
    filter_texts::FilterTexts,
};
use pharos_domain::country::Country;
use pharos_http::countries::country_name;
use pharos_reporting::render::labels::word;

use crate::{parts::name::brief, query::in_query, sentence::labelled, shown::shown};

/// The dimensions that visits are filtered by: the name of each filter, and its label.
const DIMENSIONS: [(&str, &str); 11] = [
    ("page", "Page"),
    ("event", "Event"),
    ("channel", "Channel"),
    ("source", "Source"),
    ("medium", "Medium"),
    ("campaign", "Campaign"),
    ("referrer", "Referrer"),
    ("country", "Country"),
    ("device", "Device"),
    ("browser", "Browser"),
    ("os", "System"),
];

/// The filters of an address.
pub(super) struct Narrowed {
    given: Vec<(&'static str, &'static str, String)>,
    /// Those that can't be; the page goes without them.
    pub(super) faults: Vec<String>,
}

impl Narrowed {
    /// Those of a query.
    pub(super) fn of(query: &str) -> Self {
        let (mut given, mut faults) = (Vec::new(), Vec::new());
        // Dozens of links of a page carry all filters, so that all have the room of one.
        let mut room = LONGEST_VALUE;
        for (name, label) in DIMENSIONS {
            let Some(value) = in_query(query, name).filter(|value| !value.is_empty()) else {
                continue;
            };
            match fault(name, &value, room) {
                Some(why) => faults.push(labelled(label, &why)),
                None => {
                    room -= value.len();
                    given.push((name, label, value));
                }
            }
        }
        Self { given, faults }
    }

    /// The filters by which stores read.
    pub(super) fn filters(&self) -> Filters {
        let of = |name: &str| self.value(name).map(str::to_owned);
        Filters::from(FilterTexts {
            source: of("source"),
            medium: of("medium"),
            campaign: of("campaign"),
            channel: of("channel"),
            country: of("country"),
            device: of("device"),
            browser: of("browser"),
            os: of("os"),
            page: of("page"),
            referrer: of("referrer"),
            event: of("event"),
        })
    }

    /// The value of a filter, if there is one.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let mut found = self.given.iter().filter(|(known, _, _)| *known == name);
        found.next().map(|(_, _, value)| value.as_str())
    }

    /// The filters as parameters.
    pub(super) fn pairs(&self) -> Vec<(&str, &str)> {
        let given = self.given.iter();
        given.map(|(name, _, value)| (*name, value.as_str())).collect()
    }

    /// The same with one that is otherwise: another value, or none.
    pub(super) fn with<'a>(&'a self, name: &'a str, value: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
        let mut pairs = self.pairs();
        pairs.retain(|(known, _)| *known != name);
        pairs.extend(value.map(|value| (name, value)));
        pairs
    }

    /// The filters, each with a way to go without it; `address` is that of the page with these.
    pub(super) fn show(&self, address: impl Fn(&[(&str, &str)]) -> String) -> Markup {
        html! {
            @if !self.faults.is_empty() {
                div.fault role="alert" {
                    p { "The address has filters that can’t be, and they are left out:" }
                    ul { @for fault in &self.faults { li { (fault) } } }
                }
            }
            @if !self.given.is_empty() {
                ul.chips aria-label="Shown are visits with" {
                    @for (name, label, value) in &self.given {
                        li {
                            span { (label) ": " bdi { (named(name, value)) } }
                            " " a href=(address(&self.with(name, None))) { span.aside { "Go without this " (label) } span aria-hidden="true" { "×" } }
                        }
                    }
                    @if self.given.len() > 1 { li.rest { a href=(address(&[])) { "Show all visits" } } }
                }
            }
        }
    }
}

/// Why an address can't ask for a value; `None`: it can.
fn fault(name: &str, value: &str, room: usize) -> Option<String> {
    if value.contains('\0') {
        return Some("the value holds NUL".to_owned());
    }
    if value.len() > room {
        return Some(format!(
            "longer than an address has room for: {LONGEST_VALUE} bytes for all filters"
        ));
    }
    match name {
        "country" => value.parse::<Country>().err().map(|fault| fault.to_string()),
        "channel" => value.parse::<Channel>().err().map(|fault| fault.to_string()),
        "device" => value.parse::<DeviceClass>().err().map(|fault| fault.to_string()),
        _ => None,
    }
}

/// A value as people know it.
pub(super) fn named(name: &str, value: &str) -> String {
    match name {
        "country" => shown(&country_name(Some(&value.to_ascii_uppercase()))),
        "channel" | "device" => shown(&word(value)),
        _ => brief(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_those_of_the_address_and_what_can_not_be_is_told() {
        let narrowed = Narrowed::of("country=de&page=%2Fa+b&source=&colour=red&os=Mac%26OS");
        assert_eq!(
            narrowed.pairs(),
            [("page", "/a b"), ("country", "de"), ("os", "Mac&OS")]
        );
        assert_eq!(narrowed.filters().country.as_deref(), Some("DE"));
        assert_eq!(narrowed.filters().page.as_deref(), Some("/a%20b"));
        assert!(narrowed.faults.is_empty());
        assert_eq!(narrowed.with("page", None), [("country", "de"), ("os", "Mac&OS")]);
        assert_eq!(
            narrowed.with("os", Some("iOS")),
            [("page", "/a b"), ("country", "de"), ("os", "iOS")]
        );
        let long = "x".repeat(LONGEST_VALUE + 1);
        let narrowed = Narrowed::of(&format!(
            "country=Germany&source=a%00b&medium={long}&device=mobile"
        ));
        assert_eq!(narrowed.pairs(), [("device", "mobile")]);
        assert_eq!(narrowed.faults.len(), 3);
        let narrowed = Narrowed::of("device=phone&channel=nope&os=iOS");
        assert_eq!(narrowed.pairs(), [("os", "iOS")]);
        assert!(
            narrowed.faults[0].contains("organic_search"),
            "{:?}",
            narrowed.faults
        );
        assert!(narrowed.faults[1].contains("mobile"), "{:?}", narrowed.faults);
        let half = "x".repeat(LONGEST_VALUE / 2);
        let narrowed = Narrowed::of(&format!("page={half}&source={half}&os=x"));
        assert_eq!((narrowed.pairs().len(), narrowed.faults.len()), (2, 1));
    }

    #[test]
    fn a_filter_is_shown_as_text_with_the_way_without_it() {
        let narrowed = Narrowed::of("source=%3Cb%3E&country=DE");
        let markup = narrowed
            .show(|pairs| format!("/page?{}", pairs.len()))
            .into_string();
        for told in [
            "Source: <bdi>&lt;b&gt;</bdi>",
            "Country: <bdi>Germany</bdi>",
            "/page?1",
            "/page?0",
        ] {
            assert!(markup.contains(told), "{told} is not in {markup}");
        }
    }
}
