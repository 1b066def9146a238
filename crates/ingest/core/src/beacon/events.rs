//! The content of a beacon of web analytics.

use pharos_domain::{
    collect::{
        event::{Action, Event, Events, Page, PropertyValue},
        site::CollectionSettings,
    },
    settings::Faults,
};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use url::Url;

use super::{Content, Members, Received, commerce, content::foreign, members::clean};
use crate::{
    address::{self, Address},
    sites::Known,
};

/// How many events a beacon has at most.
pub const MOST_EVENTS: usize = 20;
/// The longest address of a page that is read, in bytes.
const MOST_OF_URL: usize = 8_192;
/// How many characters of a title count.
const MOST_OF_TITLE: usize = 300;
/// The longest name of an event.
const MOST_OF_NAME: usize = 100;
/// How many properties an event has at most.
const MOST_PROPERTIES: usize = 30;
/// The longest name of a property.
const MOST_OF_PROPERTY: usize = 60;
/// How many characters of a property's text count.
const MOST_OF_VALUE: usize = 500;
/// The largest number that a property can be: the squares of those that are larger can't be added up for a mean.
const MOST_OF_NUMBER: f64 = 1e100;
/// How many characters of a search count.
const MOST_OF_TERM: usize = 200;
/// A page that is in sight for longer than a day within one report is a mistake.
const MOST_VISIBLE_MS: u32 = 86_400_000;

impl Content for Events {
    const KIND: &'static str = "events";

    fn settings(known: &Known) -> Option<&CollectionSettings> {
        known.events.as_ref()
    }

    fn read(members: Members<'_>, received: &Received<'_>, faults: &mut Faults) -> Option<Self> {
        let Some(list) = members.list("events", MOST_EVENTS, faults) else {
            if members.get("events").is_none() {
                faults.add("events", "a list of 1 to 20 events");
            }
            return None;
        };
        if list.is_empty() {
            faults.add("events", "a list of 1 to 20 events");
        }
        let mut events = Vec::with_capacity(list.len());
        faults.within("events", |faults| {
            for (at, event) in list.iter().enumerate() {
                match event {
                    Value::Object(event) => faults.within(at, |faults| {
                        one(Members(event), received, faults, &mut events);
                    }),
                    _ => faults.add(at, "an object"),
                }
            }
        });
        (!events.is_empty()).then_some(Self(events))
    }

    fn rows(members: Members<'_>) -> usize {
        let events = members.get("events").and_then(Value::as_array);
        events.into_iter().flatten().take(MOST_EVENTS).map(rows_of).sum()
    }

    fn split(self, at: OffsetDateTime) -> (Option<Self>, Option<Self>) {
        let (before, after): (Vec<_>, Vec<_>) = self.0.into_iter().partition(|event| event.at < at);
        let some = |events: Vec<_>| (!events.is_empty()).then_some(Self(events));
        (some(before), some(after))
    }
}

/// One for the event, and one for each of its properties and products.
fn rows_of(event: &Value) -> usize {
    let properties = event.get("properties").and_then(Value::as_object);
    let items = properties
        .and_then(|properties| properties.get("items"))
        .and_then(Value::as_array);
    1 + properties.map_or(0, Map::len).min(MOST_PROPERTIES)
        + items.map_or(0, Vec::len).min(commerce::MOST_ITEMS)
}

/// Reads one event, and the search that a page view is besides where its address carries one.
fn one(event: Members<'_>, received: &Received<'_>, faults: &mut Faults, events: &mut Vec<Event>) {
    let settings = received.settings;
    let at = received.moment(event, faults);
    let address = page(event, received, faults);
    let title = event.text("title", MOST_OF_TITLE, faults);
    let referrer = event.raw_text("referrer", faults);
    let action = action(event, settings, faults);
    let (
        Some(Address {
            host,
            path,
            mut origin,
            search,
        }),
        Some(action),
    ) = (address, action)
    else {
        return;
    };
    let without_query = path.split('?').next().unwrap_or_default();
    if received.leaves_out(without_query) {
        return;
    }
    if let Some(referrer) = referrer {
        (origin.referrer_host, origin.referrer_path) =
            address::referrer(referrer, |host| received.has_host(host)).unzip();
    }
    let page = Page {
        host,
        path,
        title: title.filter(|_| settings.store_page_titles),
        origin,
    };
    let event = |action| Event {
        at,
        load: received.load,
        page: page.clone(),
        action,
    };
    let search = search.filter(|_| action == Action::PageView);
    events.push(event(action));
    if let Some(term) = search.and_then(|term| clean(&term, MOST_OF_TERM)) {
        events.push(event(Action::Search {
            term: Some(term).filter(|_| settings.store_search_terms),
            results: None,
        }));
    }
}

/// The page of `url`.
fn page(event: Members<'_>, received: &Received<'_>, faults: &mut Faults) -> Option<Address> {
    let given = event.get("url").and_then(Value::as_str);
    let url = given
        .filter(|text| text.len() <= MOST_OF_URL)
        .and_then(web_address);
    let Some(url) = url else {
        faults.add(
            "url",
            "the page's address, https:// or http://, of at most 8192 bytes",
        );
        return None;
    };
    let address = Address::of(&url, received.settings);
    if !received.has_host(&address.host) {
        faults.add("url", foreign(&address.host));
        return None;
    }
    Some(address)
}

fn web_address(text: &str) -> Option<Url> {
    Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "https" | "http") && url.has_host())
}

fn action(event: Members<'_>, settings: &CollectionSettings, faults: &mut Faults) -> Option<Action> {
    match event.get("type").and_then(Value::as_str) {
        Some("pageview") => Some(Action::PageView),
        Some("engagement") => Some(Action::Engagement {
            visible_ms: event
                .whole("visible_ms", 0..=MOST_VISIBLE_MS, faults)
                .unwrap_or(0),
            scroll_pct: event
                .whole("scroll_pct", 0..=100, faults)
                .and_then(|percent| u8::try_from(percent).ok()),
        }),
        Some("event") => custom(event, faults),
        Some("outbound") => link(event, faults).map(|url| Action::Outbound { url }),
        Some("download") => link(event, faults).map(|url| Action::Download { url }),
        Some("search") => {
            let results = event.whole("results", 0..=u32::MAX, faults);
            let term = event.text("term", MOST_OF_TERM, faults);
            if term.is_none() {
                faults.add("term", "what was searched for");
            }
            term.map(|term| Action::Search {
                term: Some(term).filter(|_| settings.store_search_terms),
                results,
            })
        }
        _ => {
            faults.add(
                "type",
                "one of pageview, engagement, event, outbound, download, search",
            );
            None
        }
    }
}

/// The address of `link`, without query and fragment.
fn link(event: Members<'_>, faults: &mut Faults) -> Option<String> {
    let given = event.get("link").and_then(Value::as_str);
    let url = given
        .filter(|text| text.len() <= MOST_OF_URL)
        .and_then(web_address);
    let Some(url) = url else {
        faults.add(
            "link",
            "the address that was followed, https:// or http://, of at most 8192 bytes",
        );
        return None;
    };
    let host = address::host(&url);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(address::clipped(format!(
        "{}://{host}{port}{}",
        url.scheme(),
        url.path()
    )))
}

fn custom(event: Members<'_>, faults: &mut Faults) -> Option<Action> {
    let given = event.get("name").and_then(Value::as_str);
    let name = given.and_then(|name| clean(name, MOST_OF_NAME + 1));
    let Some(name) = name.filter(|name| name.chars().count() <= MOST_OF_NAME) else {
        faults.add("name", "1 to 100 characters");
        return None;
    };
    let none = Map::new();
    let given = event.object("properties", faults).unwrap_or(Members(&none));
    let mut properties = Vec::new();
    let mut found = None;
    faults.within("properties", |faults| {
        found = commerce::read(&name, given, faults);
        let own = given
            .0
            .iter()
            .filter(|(name, _)| found.is_none() || !commerce::MEMBERS.contains(&name.as_str()));
        for (property, value) in own {
            let value = match value {
                Value::Null => continue,
                Value::Bool(flag) => Some(PropertyValue::Flag(*flag)),
                Value::Number(number) => number
                    .as_f64()
                    .filter(|number| number.abs() <= MOST_OF_NUMBER)
                    .map(PropertyValue::Number),
                Value::String(text) => match clean(text, MOST_OF_VALUE) {
                    Some(text) => Some(PropertyValue::Text(text)),
                    None => continue,
                },
                Value::Array(_) | Value::Object(_) => None,
            };
            match (clean(property, MOST_OF_PROPERTY + 1), value) {
                (Some(name), Some(value)) if name.chars().count() <= MOST_OF_PROPERTY => {
                    properties.push((name, value));
                }
                (Some(_), None) => faults.add(property, "a text, a number of at most 1e100, true or false"),
                _ => faults.add(property, "a name of 1 to 60 characters"),
            }
        }
    });
    if properties.len() > MOST_PROPERTIES {
        faults.add("properties", "at most 30");
    }
    Some(Action::Custom {
        name,
        properties,
        commerce: found,
    })
}
