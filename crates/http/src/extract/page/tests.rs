//! Which page is asked for, and what a handler must take and answer for its specification.

use pharos_domain::{
    page::{OffsetPage, Page, TotalName},
    scope::Scope,
};
use serde::Serialize;
use serde_json::{Value, json};
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::*;
use crate::{
    extract::window::tests::call,
    openapi::document::document,
    operation::{ApiResult, Caller, Example, Operation},
    registry::Registry,
    spec::OperationSpec,
};

const CURSOR: OperationSpec = spec(Paging::cursor(1_000));
const OFFSET: OperationSpec = spec(Paging::Offset {
    max: 100,
    default: 20,
});
const SINGLE: OperationSpec = spec(Paging::Single);
const NONE: OperationSpec = spec(Paging::None);

const fn spec(paging: Paging) -> OperationSpec {
    OperationSpec {
        id: "listThings",
        path: "/things",
        scope: Some(Scope::ReadUptime),
        paging,
        ..OperationSpec::GET
    }
}

/// The argument as it is read, or the parameters at fault.
fn read<A: Argument>(spec: &'static OperationSpec, query: &str) -> Result<A, Vec<String>> {
    A::extract(&call(spec, query, datetime!(2026-03-31 09:15 UTC))).map_err(|problem| {
        let faults = problem.extras.errors.into_iter();
        faults.filter_map(|fault| fault.parameter).collect()
    })
}

#[test]
fn a_limit_is_clamped_above_and_refused_below_one() {
    assert_eq!(parse_limit("7", 1000), Ok(7));
    for clamped in ["1000", "1001", "1000000000000", "99999999999999999999999"] {
        assert_eq!(parse_limit(clamped, 1000), Ok(1000), "{clamped}");
    }
    for bad in ["", "0", "-1", "+1", "1.0", " 1", "ten", "0x10"] {
        assert!(parse_limit(bad, 1000).is_err(), "{bad}");
    }
}

#[test]
fn an_offset_is_a_whole_number_however_large() {
    let page = |query| read::<OffsetRequest>(&OFFSET, query);
    let asked = |limit, offset| Ok(OffsetRequest { limit, offset });
    assert_eq!(page(""), asked(20, 0));
    assert_eq!(page("limit=7&offset=40"), asked(7, 40));
    assert_eq!(
        page("limit=500&offset=99999999999999999999"),
        asked(100, i64::MAX)
    );
    assert_eq!(
        page("limit=0&offset=-1"),
        Err(vec!["limit".to_owned(), "offset".to_owned()])
    );
    assert_eq!(page("offset=1.5"), Err(vec!["offset".to_owned()]));
}

#[test]
fn a_cursor_goes_with_the_filters_and_the_order_that_it_was_made_under() {
    type Request = PageRequest<Option<f64>, String>;
    let page = |query: &str| read::<Request>(&CURSOR, query);
    let position = Position {
        key: None,
        id: "https://shop.example/".to_owned(),
    };
    let first = page("sort=lcp_ms&order=asc&limit=3").unwrap();
    let cursor = position.seal(&first.list);
    // However many are asked for, and in whatever order parameters stand.
    for same in ["sort=lcp_ms&order=asc&limit=9", "order=asc&sort=lcp_ms"] {
        let next = page(&format!("{same}&cursor={cursor}")).unwrap();
        assert_eq!(next.after.as_ref(), Some(&position), "{same}");
    }
    for other in [
        "",
        "sort=lcp_ms",
        "sort=lcp_ms&order=desc",
        "sort=cls&order=asc",
        "sort=lcp_ms&order=asc&device=mobile",
        "sort=lcp_ms&order=asc&limi=3",
    ] {
        let refused = page(&format!("{other}&cursor={cursor}"));
        assert_eq!(refused.unwrap_err(), ["cursor"], "{other}");
    }
    let both = page(&format!("limit=0&cursor={}", "A".repeat(10_000)));
    assert_eq!(both.unwrap_err(), ["limit", "cursor"]);
}

/// A thing.
#[derive(Debug, Serialize, ToSchema)]
struct Thing {
    /// Its name.
    name: String,
}

impl Example for Thing {
    fn example() -> Self {
        Self {
            name: "one".to_owned(),
        }
    }
}

/// Beside the page.
#[derive(Debug, Serialize, ToSchema)]
struct Sums {
    /// How heavy all things are.
    #[schema(required)]
    weight: Option<f64>,
    /// The heaviest.
    heaviest: Thing,
}

impl Example for Sums {
    fn example() -> Self {
        Self {
            weight: None,
            heaviest: Thing::example(),
        }
    }
}

struct Things;

impl TotalName for Things {
    const NAME: &'static str = "total_things";
}

type Summed = Page<Thing, Sums>;
type Counted = OffsetPage<Thing, Things, Sums>;

async fn without<T: Example>(_: Caller) -> ApiResult<T> {
    Ok(T::example())
}

async fn with<A, T: Example>(_: Caller, _: A) -> ApiResult<T> {
    Ok(T::example())
}

fn refusal(operation: Operation) -> Option<String> {
    Registry::new(vec![operation])
        .err()
        .map(|error| error.to_string())
}

#[test]
fn a_handler_asks_for_the_page_that_its_spec_declares_and_answers_its_envelope() {
    type ByCursor = PageRequest<String, Uuid>;
    for fitting in [
        Operation::new(&CURSOR, with::<ByCursor, Page<Thing>>),
        Operation::new(&CURSOR, with::<PageRequest, Summed>),
        Operation::new(&OFFSET, with::<OffsetRequest, Counted>),
        Operation::new(&SINGLE, without::<Summed>),
        Operation::new(&NONE, without::<Thing>),
        Operation::new(&NONE, without::<Summed>),
    ] {
        assert_eq!(refusal(fitting), None);
    }
    let cursor = "listThings declares the paging cursor:1000, but its handler";
    let offset = "listThings declares the paging offset:100:20, but its handler";
    for (operation, why) in [
        (
            Operation::new(&OFFSET, with::<ByCursor, Counted>),
            format!("{offset} asks for a page by cursor"),
        ),
        (
            Operation::new(&CURSOR, with::<OffsetRequest, Summed>),
            format!("{cursor} asks for a page by offset"),
        ),
        (
            Operation::new(&CURSOR, without::<Summed>),
            format!("{cursor} asks for no page"),
        ),
        (
            Operation::new(&NONE, with::<ByCursor, Thing>),
            "listThings declares the paging none, but its handler asks for a page by cursor".to_owned(),
        ),
        (
            Operation::new(&SINGLE, with::<ByCursor, Summed>),
            "listThings declares the paging single, but its handler asks for a page by cursor".to_owned(),
        ),
        (
            Operation::new(&OFFSET, with::<OffsetRequest, Summed>),
            format!("{offset} answers a page by cursor"),
        ),
        (
            Operation::new(&CURSOR, with::<ByCursor, Thing>),
            format!("{cursor} answers no page"),
        ),
    ] {
        assert_eq!(refusal(operation), Some(why));
    }
}

/// The schema of a page, and the parameters of the operation that answers it.
fn documented(operation: Operation) -> (Value, Vec<String>) {
    let registry = Registry::new(vec![operation]).unwrap();
    let document = document(&registry, "https://pharos.example");
    let described = &document["paths"]["/api/public/v1/things"]["get"];
    let parameters = described["parameters"].as_array().unwrap().iter();
    let names = parameters.map(|parameter| parameter["name"].as_str().unwrap().to_owned());
    let schema = &described["responses"]["200"]["content"]["application/json"]["schema"];
    assert_eq!(schema["$ref"], "#/components/schemas/ThingPage");
    assert_eq!(document["components"]["schemas"]["Thing"]["type"], "object");
    (
        document["components"]["schemas"]["ThingPage"].clone(),
        names.collect(),
    )
}

#[test]
fn further_members_stand_in_the_schema_of_the_page() {
    let (page, names) = documented(Operation::new(&CURSOR, with::<PageRequest, Summed>));
    assert_eq!(names, ["limit", "cursor"]);
    let required = json!(["items", "next_cursor", "has_more", "weight", "heaviest"]);
    assert_eq!(page["required"], required);
    assert_eq!(page["properties"]["weight"]["type"], json!(["number", "null"]));
    let thing = json!("#/components/schemas/Thing");
    assert_eq!(page["properties"]["items"]["items"]["$ref"], thing);

    let (page, names) = documented(Operation::new(&OFFSET, with::<OffsetRequest, Counted>));
    assert_eq!(names, ["limit", "offset"]);
    let required = json!(["items", "total_things", "limit", "offset", "weight", "heaviest"]);
    assert_eq!(page["required"], required);
    assert_eq!(page["properties"]["total_things"]["type"], "integer");
}
