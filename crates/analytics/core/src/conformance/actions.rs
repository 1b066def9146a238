//! The checks of actions in sessions. The numbers in brackets are those of the sessions in the log.

use pharos_domain::{collect::client::Device, identity::DomainAccess, store::StoreError, window::DateRange};
use time::{OffsetDateTime, macros::datetime};

use super::{
    answers::{ALL, text, totals},
    log::days,
};
use crate::{
    actions::{ActionFigures, ActionKind, ActionsQuery},
    filter::{Filters, Fitting},
    properties::{NumberFigures, PropertiesQuery, Property, PropertyType, ValueFigures},
    store::ActionStore,
};

/// No page is viewed after any of them.
fn action(name: &str, [count, visitors, sessions]: [u64; 3], last_at: OffsetDateTime) -> ActionFigures {
    ActionFigures {
        name: name.to_owned(),
        count,
        visitors,
        sessions,
        exits: count,
        results: None,
        last_at,
        top_page: None,
        revenue_cents: None,
        properties: Vec::new(),
    }
}

/// 4, 15, 17.
fn signup() -> ActionFigures {
    ActionFigures {
        properties: vec!["seats".to_owned(), "user".to_owned()],
        ..action("signup", [3, 3, 3], datetime!(2026-04-03 11:40:30 UTC))
    }
}

/// All events; the most frequent first, then by name.
fn events() -> Vec<ActionFigures> {
    let sold = |cents, action| ActionFigures {
        revenue_cents: Some(cents),
        ..action
    };
    vec![
        // 9 twice, of which one is repeated; 16 three times, of which one is in dollars.
        sold(
            14_100,
            action("purchase", [5, 2, 2], datetime!(2026-04-01 12:03 UTC)),
        ),
        signup(),
        action("add_to_cart", [1, 1, 1], datetime!(2026-03-31 11:03 UTC)),
        action("begin_checkout", [1, 1, 1], datetime!(2026-03-31 11:04 UTC)),
        sold(
            -10_000,
            action("refund", [1, 1, 1], datetime!(2026-04-01 12:00 UTC)),
        ),
        action("view_item", [1, 1, 1], datetime!(2026-03-31 11:02 UTC)),
    ]
}

/// Holds what is said of actions against what it must be, however much is rolled up.
///
/// # Errors
/// The store fails.
///
/// # Panics
/// An answer is another one.
pub async fn check(actions: &dyn ActionStore, domain: &DomainAccess) -> Result<(), StoreError> {
    let window = days();
    let all = Filters::default();
    let query = ActionsQuery {
        window,
        filters: &all,
        kind: ActionKind::Event,
        name: None,
        rows: 100,
        after: None,
        currency: "EUR",
    };
    let found = actions.actions(domain, &query).await?;
    assert_eq!((&found.rows, found.total, found.count), (&events(), 6, 12));
    assert_eq!((found.totals, found.visitors_of_any), (totals(ALL), 16));
    assert!(found.ever_recorded);
    // A page from the middle; what it is a page of does not change.
    let second = ActionsQuery {
        rows: 2,
        after: Some((5, "purchase")),
        ..query.clone()
    };
    let found = actions.actions(domain, &second).await?;
    assert_eq!((found.rows, found.total), (events()[1..3].to_vec(), 6));
    let last = ActionsQuery {
        after: Some((1, "refund")),
        ..query.clone()
    };
    let found = actions.actions(domain, &last).await?;
    assert_eq!(found.rows, events()[5..]);
    let named = ActionsQuery {
        name: Some("signup"),
        ..query.clone()
    };
    let found = actions.actions(domain, &named).await?;
    assert_eq!((found.rows, found.count), (vec![signup()], 3));
    // The sessions with a signup have no other event; they are a share of all visitors.
    let signed_up = Filters {
        event: text("signup"),
        ..Filters::default()
    };
    let filtered = ActionsQuery {
        filters: &signed_up,
        ..query.clone()
    };
    let found = actions.actions(domain, &filtered).await?;
    assert_eq!((found.rows, found.visitors_of_any), (vec![signup()], 16));
    let phones = Filters {
        device: Some(Fitting::Is(Device::Mobile)),
        ..Filters::default()
    };
    let filtered = ActionsQuery {
        filters: &phones,
        ..query.clone()
    };
    let found = actions.actions(domain, &filtered).await?;
    assert_eq!((found.rows, found.ever_recorded), (Vec::new(), true));
    check_properties(actions, domain, window).await?;
    check_others(actions, domain, &query, &phones).await
}

async fn check_others(
    actions: &dyn ActionStore,
    domain: &DomainAccess,
    query: &ActionsQuery<'_>,
    phones: &Filters,
) -> Result<(), StoreError> {
    // 7, 8, 18.
    let file = ActionFigures {
        top_page: text("/a"),
        ..action(
            "https://shop.example/f.pdf",
            [1; 3],
            datetime!(2026-03-31 09:01 UTC),
        )
    };
    let link = ActionFigures {
        top_page: text("/"),
        ..action("https://other.example/", [1; 3], datetime!(2026-03-31 10:10 UTC))
    };
    let term = ActionFigures {
        results: Some(0),
        ..action("shoes", [1; 3], datetime!(2026-04-03 11:59:55 UTC))
    };
    let expected = [
        (ActionKind::Download, file, false),
        (ActionKind::Outbound, link, false),
        (ActionKind::Search, term, true),
    ];
    for (kind, action, is_on_a_phone) in expected {
        let asked = ActionsQuery {
            kind,
            ..query.clone()
        };
        let found = actions.actions(domain, &asked).await?;
        let extensions = if kind == ActionKind::Download {
            vec![("pdf".to_owned(), 1)]
        } else {
            Vec::new()
        };
        assert_eq!((&found.rows, found.extensions), (&vec![action], extensions));
        let asked = ActionsQuery {
            filters: phones,
            ..asked
        };
        let filtered = actions.actions(domain, &asked).await?;
        let expected = if is_on_a_phone { found.rows } else { Vec::new() };
        assert_eq!(filtered.rows, expected, "{kind:?}");
    }
    Ok(())
}

/// Sessions 4 and 17 are ada's, with two seats and without a word of them; session 15 is bob's, with five.
async fn check_properties(
    actions: &dyn ActionStore,
    domain: &DomainAccess,
    window: DateRange,
) -> Result<(), StoreError> {
    let value = |value: &str, count| ValueFigures {
        value: value.to_owned(),
        count,
        visitors: count,
    };
    let user = |values: Vec<ValueFigures>| Property {
        name: "user".to_owned(),
        kind: PropertyType::Text,
        numbers: None,
        distinct_values: u64::try_from(values.len()).unwrap_or_default(),
        values,
    };
    let seats = Property {
        name: "seats".to_owned(),
        kind: PropertyType::Number,
        numbers: Some(NumberFigures {
            min: 2.0,
            max: 5.0,
            avg: 3.5,
            sum: 7.0,
        }),
        values: vec![value("2", 1), value("5", 1)],
        distinct_values: 2,
    };
    let all = Filters::default();
    let query = PropertiesQuery {
        window,
        filters: &all,
        event: "signup",
        property: None,
    };
    let found = actions.properties(domain, &query).await?;
    let everybody = user(vec![value("ada", 2), value("bob", 1)]);
    assert_eq!(found.properties, [everybody, seats.clone()]);
    assert_eq!((found.total, found.visitors), (2, 16));
    let named = PropertiesQuery {
        property: Some("seats"),
        ..query
    };
    let found = actions.properties(domain, &named).await?;
    assert_eq!((found.properties, found.total), (vec![seats], 1));
    // 17, of 1, 3, 5, 7, 11, 14, 17.
    let viewed = Filters {
        page: text("/a"),
        ..Filters::default()
    };
    let filtered = PropertiesQuery {
        filters: &viewed,
        ..query
    };
    let found = actions.properties(domain, &filtered).await?;
    assert_eq!(
        (found.properties, found.visitors),
        (vec![user(vec![value("ada", 1)])], 7)
    );
    let other = PropertiesQuery {
        event: "purchase",
        ..query
    };
    assert_eq!(actions.properties(domain, &other).await?.properties, []);
    Ok(())
}
