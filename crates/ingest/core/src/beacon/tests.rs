use pharos_domain::{
    collect::{
        event::{Action, ClickId, Commerce, CommerceItem, CommerceStep, Event, Events, PropertyValue},
        site::CollectionSettings,
    },
    settings::Faults,
};
use serde_json::{Map, Value, json};
use time::{Duration, OffsetDateTime, macros::datetime};

use super::*;
use crate::testing::{settings, site};

const NOW: OffsetDateTime = datetime!(2026-03-10 12:00 UTC);

fn read_with(body: &Value, settings: &CollectionSettings) -> Result<Vec<Event>, Vec<(String, String)>> {
    let body = parse(body.to_string().as_bytes()).unwrap();
    let mut faults = Faults::default();
    let (site, members) = (site(), Members(&body));
    let envelope = Envelope::read(members, &mut faults);
    let received = Received {
        site: &site,
        settings,
        at: NOW,
        load: envelope.load,
    };
    let events = Events::read(members, &received, &mut faults);
    faults
        .or(|| events.map_or_else(Vec::new, |events| events.0))
        .map_err(|faults| {
            faults
                .into_iter()
                .map(|fault| (fault.pointer, fault.detail))
                .collect()
        })
}

#[expect(clippy::needless_pass_by_value, reason = "callers write it on the spot")]
fn beacon(events: Value) -> Value {
    json!({
        "site": "pst_x",
        "beacon": "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11",
        "load": "9f86d081884c7d65",
        "screen": [1920, 1080],
        "events": events,
    })
}

fn read(events: Value) -> Result<Vec<Event>, Vec<(String, String)>> {
    read_with(&beacon(events), &settings())
}

fn pointers(events: Value) -> Vec<String> {
    read(events)
        .unwrap_err()
        .into_iter()
        .map(|(pointer, _)| pointer)
        .collect()
}

#[expect(clippy::needless_pass_by_value, reason = "callers write it on the spot")]
fn event(members: Value) -> Value {
    let mut event = json!({"type": "event", "url": "https://shop.example/"});
    event
        .as_object_mut()
        .unwrap()
        .extend(members.as_object().unwrap().clone());
    json!([event])
}

fn custom(members: Value) -> Result<Action, Vec<(String, String)>> {
    read(event(members)).map(|events| events.into_iter().next().unwrap().action)
}

#[test]
fn a_page_view_tells_where_it_came_from() {
    let events = read(json!([{
        "type": "pageview", "age_ms": 120, "title": " Shoes\n", "referrer": "https://www.google.com/search?q=shoes",
        "url": "https://WWW.shop.example/p/?utm_source=x&gclid=1#top",
    }]))
    .unwrap();
    let [
        Event {
            at,
            load,
            page,
            action,
        },
    ] = events.as_slice()
    else {
        panic!("{events:?}")
    };
    assert_eq!(*at, NOW - Duration::milliseconds(120));
    // 0x9f86d081884c7d65 as a signed number.
    assert_eq!(load.unwrap().0, -6_951_639_720_043_709_083);
    assert_eq!(
        (page.host.as_str(), page.path.as_str()),
        ("www.shop.example", "/p/")
    );
    assert_eq!(page.title.as_deref(), Some("Shoes"));
    assert_eq!(page.origin.referrer_host.as_deref(), Some("google.com"));
    assert_eq!(page.origin.referrer_path.as_deref(), Some("/search"));
    assert_eq!(page.origin.source.as_deref(), Some("x"));
    assert_eq!(page.origin.click_id, Some(ClickId::Google));
    assert_eq!(*action, Action::PageView);
}

#[test]
fn ages_beyond_an_hour_count_at_the_receipt() {
    let at = |age: Value| {
        let events = json!([{"type": "pageview", "url": "https://shop.example/", "age_ms": age}]);
        read(events).map(|events| NOW - events[0].at)
    };
    assert_eq!(at(json!(3_600_000)), Ok(Duration::HOUR));
    assert_eq!(at(json!(3_600_001)), Ok(Duration::ZERO));
    assert_eq!(at(json!(7 * 86_400_000)), Ok(Duration::ZERO), "a week");
    assert_eq!(
        at(json!(31_536_000_000_i64)),
        Ok(Duration::ZERO),
        "a clock a year off"
    );
    assert_eq!(at(Value::Null), Ok(Duration::ZERO));
    for bad in [json!(-1), json!("120"), json!(1e300)] {
        assert_eq!(at(bad).unwrap_err()[0].0, "/events/0/age_ms");
    }
}

#[test]
fn a_view_of_a_search_page_is_a_search_too() {
    let mut settings = CollectionSettings {
        search_params: vec!["q".to_owned()],
        ..settings()
    };
    let body = beacon(json!([
        {"type": "pageview", "url": "https://shop.example/search?q=+Red%20Shoes+"},
        {"type": "engagement", "url": "https://shop.example/search?q=shoes", "visible_ms": 1500.4, "scroll_pct": 60},
        {"type": "search", "url": "https://shop.example/", "term": "hats", "results": 0},
    ]));
    let actions = |settings: &_| -> Vec<Action> {
        let events = read_with(&body, settings).unwrap();
        events.into_iter().map(|event| event.action).collect()
    };
    let search = |term: Option<&str>, results| Action::Search {
        term: term.map(str::to_owned),
        results,
    };
    let engagement = Action::Engagement {
        visible_ms: 1_500,
        scroll_pct: Some(60),
    };
    assert_eq!(
        actions(&settings),
        [
            Action::PageView,
            search(Some("Red Shoes"), None),
            engagement.clone(),
            search(Some("hats"), Some(0)),
        ]
    );
    settings.store_search_terms = false;
    assert_eq!(
        actions(&settings),
        [
            Action::PageView,
            search(None, None),
            engagement,
            search(None, Some(0))
        ]
    );
}

#[test]
fn what_the_settings_leave_out_is_left_out() {
    let settings = CollectionSettings {
        excluded_paths: vec!["/admin*".to_owned()],
        allowed_hosts: vec!["pay.example".to_owned(), "*.cdn.example".to_owned()],
        store_page_titles: false,
        ..settings()
    };
    let page =
        |url: &str| json!({"type": "pageview", "url": url, "title": "T", "referrer": "https://pay.example/"});
    let body = beacon(json!([
        page("https://shop.example/admin/users?a=1"),
        page("https://pay.example/a"),
        page("https://eu.cdn.example/b"),
    ]));
    let pages: Vec<_> = read_with(&body, &settings)
        .unwrap()
        .into_iter()
        .map(|event| event.page)
        .collect();
    let paths: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    assert_eq!(paths, ["/a", "/b"]);
    assert!(
        pages
            .iter()
            .all(|page| page.title.is_none() && page.origin.referrer_host.is_none())
    );
    let foreign = beacon(json!([
        page("https://cdn.example/"),
        page("https://myshop.example/")
    ]));
    let faults = read_with(&foreign, &settings).unwrap_err();
    assert_eq!(faults[0].0, "/events/0/url");
    assert_eq!(
        faults[1].1,
        "myshop.example is no host of the site; allowed_hosts of its settings adds some"
    );
}

/// Browsers encode them in the paths that they send.
#[test]
fn patterns_with_spaces_and_letters_beyond_ascii_leave_pages_out() {
    let settings = CollectionSettings {
        excluded_paths: vec!["/süß/*".to_owned(), "/my account*".to_owned()],
        ..settings()
    };
    let page = |path: &str| json!({"type": "pageview", "url": format!("https://shop.example{path}")});
    let body = beacon(json!([
        page("/süß/x"),
        page("/s%C3%BC%C3%9F/y?a=1"),
        page("/my account"),
        page("/my%20account/z"),
        page("/open"),
    ]));
    let events = read_with(&body, &settings).unwrap();
    let paths: Vec<&str> = events.iter().map(|event| event.page.path.as_str()).collect();
    assert_eq!(paths, ["/open"]);
}

#[test]
fn a_purchase_is_exact_to_the_cent() {
    let Ok(Action::Custom {
        name,
        properties,
        commerce,
    }) = custom(json!({
        "name": "purchase",
        "properties": {
            "transaction_id": "T1", "value": 19.9, "currency": "usd", "coupon": "SPRING", "gift": true, "weight": 1.5,
            "note": null,
            "items": [
                {"item_id": "S1", "item_name": "Shoe", "item_category": "Shoes", "price": 9.95, "quantity": 2},
                {"item_name": "Hat"},
                {"item_id": 7},
            ],
        },
    }))
    else {
        panic!("a purchase is an event")
    };
    assert_eq!(name, "purchase");
    let mut names: Vec<_> = properties.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["coupon", "gift", "weight"]);
    assert!(properties.contains(&("weight".to_owned(), PropertyValue::Number(1.5))));
    let item = |id: &str, name: Option<&str>, quantity| CommerceItem {
        id: id.to_owned(),
        name: name.map(str::to_owned),
        category: None,
        brand: None,
        variant: None,
        price_cents: None,
        quantity,
    };
    let shoe = CommerceItem {
        category: Some("Shoes".to_owned()),
        price_cents: Some(995),
        ..item("S1", Some("Shoe"), 2)
    };
    assert_eq!(
        commerce,
        Some(Commerce {
            step: CommerceStep::Purchase,
            order_id: Some("T1".to_owned()),
            value_cents: Some(1_990),
            currency: Some("USD".to_owned()),
            items: vec![shoe, item("Hat", Some("Hat"), 1), item("7", None, 1)],
        })
    );
}

#[test]
fn a_purchase_may_lack_its_id_and_not_be_negative() {
    let Ok(Action::Custom {
        commerce: Some(found),
        ..
    }) = custom(json!({"name": "purchase"}))
    else {
        panic!("a purchase says what it knows")
    };
    assert_eq!(
        (found.order_id, found.value_cents, found.currency),
        (None, None, None)
    );
    let events = event(json!({
        "name": "refund",
        "properties": {"value": -5, "currency": "Euro", "items": [{"price": -1, "quantity": 1.0e9}, 7]},
    }));
    let mut found = pointers(events);
    found.sort();
    assert_eq!(
        found,
        [
            "/events/0/properties/currency",
            "/events/0/properties/items/0/item_id",
            "/events/0/properties/items/0/price",
            "/events/0/properties/items/0/quantity",
            "/events/0/properties/items/1",
            "/events/0/properties/value",
        ]
    );
}

/// The database can't add up squares that no float holds, and then reads of the event would fail.
#[test]
fn numbers_of_which_there_is_no_mean_are_refused() {
    let properties = json!({"least": -1e100, "most": 1e100, "less": -1e101, "more": 1e300});
    let mut found = pointers(event(json!({"name": "signup", "properties": properties})));
    found.sort();
    assert_eq!(found, ["/events/0/properties/less", "/events/0/properties/more"]);
}

#[test]
fn every_fault_is_named_by_its_place() {
    let body = json!({
        "beacon": "no", "load": "9f86", "screen": [1, 70_000], "client": {"ip": "nowhere", "user_agent": 7},
        "events": [
            7,
            {"type": "hover", "url": "shop.example"},
            {"type": "pageview", "url": "ftp://shop.example/", "title": 7, "referrer": {}},
            {"type": "engagement", "url": "https://shop.example/", "visible_ms": -1, "scroll_pct": 101},
            {"type": "event", "url": "https://shop.example/", "name": "", "properties": []},
            {"type": "outbound", "url": "https://shop.example/", "link": "javascript:alert(1)"},
            {"type": "search", "url": "https://shop.example/", "term": " "},
            {"type": "event", "url": "https://shop.example/", "name": "x", "properties": {"a": [1], "b~/": {}, "": 1}},
        ],
    });
    let faults = read_with(&body, &settings()).unwrap_err();
    let mut found: Vec<&str> = faults.iter().map(|(pointer, _)| pointer.as_str()).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "/beacon",
            "/client/ip",
            "/client/user_agent",
            "/events/0",
            "/events/1/type",
            "/events/1/url",
            "/events/2/referrer",
            "/events/2/title",
            "/events/2/url",
            "/events/3/scroll_pct",
            "/events/3/visible_ms",
            "/events/4/name",
            "/events/5/link",
            "/events/6/term",
            "/events/7/properties/",
            "/events/7/properties/a",
            "/events/7/properties/b~0~1",
            "/load",
            "/screen",
        ]
    );
}

#[test]
fn lists_are_bounded_and_unknown_members_are_passed_over() {
    let view = json!({"type": "pageview", "url": "https://shop.example/", "mood": {"a": [[]]}});
    assert_eq!(
        read(Value::Array(vec![view.clone(); MOST_EVENTS])).unwrap().len(),
        20
    );
    assert_eq!(pointers(Value::Array(vec![view; MOST_EVENTS + 1])), ["/events"]);
    for none in [json!([]), json!({}), json!("x"), Value::Null] {
        assert_eq!(pointers(none), ["/events"]);
    }
    let many: serde_json::Map<_, _> = (0..31).map(|at| (format!("p{at}"), json!(at))).collect();
    assert_eq!(
        pointers(event(json!({"name": "x", "properties": many}))),
        ["/events/0/properties"]
    );
    assert_eq!(
        pointers(event(json!({"name": "x".repeat(101)}))),
        ["/events/0/name"]
    );
    let long =
        read(json!([{"type": "pageview", "url": "https://shop.example/", "title": "ü".repeat(10_000)}]));
    assert_eq!(long.unwrap()[0].page.title.as_ref().unwrap().chars().count(), 300);
}

#[test]
fn an_event_counts_for_as_many_rows_as_the_store_has_to_write() {
    let rows = |events: Value| {
        let beacon = beacon(events);
        Events::rows(Members(beacon.as_object().unwrap()))
    };
    let sold = |properties: Value| json!([{"type": "event", "name": "purchase", "properties": properties}]);
    let many: Map<String, Value> = (0..900).map(|n| (format!("p{n}"), json!(n))).collect();
    for (events, want) in [
        (Value::Null, 0),
        (json!("none"), 0),
        (json!([]), 0),
        (json!([{"type": "pageview"}, {"type": "engagement"}]), 2),
        (sold(json!({"value": 9, "items": [{}, {}]})), 5),
        (sold(json!(many)), 31),
        (sold(json!({"items": vec![json!({}); 900]})), 102),
        (json!(vec![json!({"type": "pageview"}); 900]), 20),
    ] {
        assert_eq!(rows(events.clone()), want, "{events}");
    }
}

#[test]
fn what_is_huge_is_refused_by_its_place_or_cut() {
    let huge = "ü".repeat(10_000);
    let address = format!("https://shop.example/{huge}");
    let items = vec![json!({"item_id": "S1"}); 101];
    let mut found = pointers(json!([
        {"type": "pageview", "url": address},
        {"type": "download", "url": "https://shop.example/", "link": address},
        {"type": "engagement", "url": "https://shop.example/", "visible_ms": 1e300, "scroll_pct": 1e300},
        {"type": "search", "url": "https://shop.example/", "term": "x", "results": 1e300},
        {"type": "event", "url": "https://shop.example/", "name": huge},
        {"type": "event", "url": "https://shop.example/", "name": "x", "properties": {(huge.as_str()): 1}},
        {"type": "event", "url": "https://shop.example/", "name": "purchase",
         "properties": {"value": 1e300, "currency": huge, "items": items}},
    ]));
    found.sort();
    let of_property = format!("/events/5/properties/{huge}");
    assert_eq!(
        found,
        [
            "/events/0/url",
            "/events/1/link",
            "/events/2/scroll_pct",
            "/events/2/visible_ms",
            "/events/3/results",
            "/events/4/name",
            of_property.as_str(),
            "/events/6/properties/currency",
            "/events/6/properties/items",
            "/events/6/properties/value",
        ]
    );

    let events = read(json!([
        {"type": "pageview", "url": "https://shop.example/", "referrer": format!("https://a.example/{huge}")},
        {"type": "search", "url": "https://shop.example/", "term": huge},
        {"type": "event", "url": "https://shop.example/", "name": "view_item", "properties": {
            "note": huge, "items": [{"item_id": huge, "item_brand": huge}],
        }},
    ]));
    let [view, search, viewed]: [Event; 3] = events.unwrap().try_into().unwrap();
    let path = view.page.origin.referrer_path.unwrap();
    assert!((1_000..=1_024).contains(&path.len()), "{}", path.len());
    let cut = |characters: usize| "ü".repeat(characters);
    let term = Some(cut(200));
    assert_eq!(search.action, Action::Search { term, results: None });
    let Action::Custom {
        properties,
        commerce: Some(commerce),
        ..
    } = viewed.action
    else {
        panic!("it is an event of ecommerce")
    };
    assert_eq!(properties, [("note".to_owned(), PropertyValue::Text(cut(500)))]);
    assert_eq!(
        (&commerce.items[0].id, &commerce.items[0].brand),
        (&cut(200), &Some(cut(200)))
    );
}

#[test]
fn what_is_no_json_object_is_refused_in_words() {
    let nested = |levels| format!("{}1{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    assert!(parse(nested(127).as_bytes()).is_ok());
    let (deep, deeper) = (nested(128), nested(1_000));
    let huge = r#"{"a": 1e999}"#;
    for (body, word) in [
        (deep.as_bytes(), "nested too deep: at most 127 levels are read"),
        (deeper.as_bytes(), "nested too deep"),
        (huge.as_bytes(), "not JSON: see line 1, column"),
        (br#"{"a": NaN}"#, "not JSON: see line 1, column"),
        (b"", "not JSON"),
        (b"[]", "not a JSON object"),
        (b"{\"title\": \"Gr\xfc\xdfe\"}", "not UTF-8"),
    ] {
        let faults = parse(body).unwrap_err();
        assert!(faults.len() == 1 && faults[0].detail.contains(word), "{faults:?}");
    }
}

/// A page has cut its title in the middle of an emoji.
#[test]
fn half_a_character_is_no_reason_to_refuse_a_beacon() {
    let body = r#"{"high": "a\ud83d", "low": "\udE00b", "both": "\ud83d\ude00", "two": "\ud83d\ud83d\ude00", "no": "\\ud83d"}"#;
    let found = parse(body.as_bytes()).unwrap();
    for (name, text) in [
        ("high", "a\u{fffd}"),
        ("low", "\u{fffd}b"),
        ("both", "\u{1f600}"),
        ("two", "\u{fffd}\u{1f600}"),
        ("no", "\\ud83d"),
    ] {
        assert_eq!(found[name], text, "{name}");
    }
    for broken in [r#"{"a": "\ud83"}"#, r#"{"a": "\ud83d"#, r#"{"a": "\ü"}"#, "\\"] {
        assert!(parse(broken.as_bytes()).is_err(), "{broken}");
    }
}
