//! The pages of a site with what traffic, search and speed each say of them: rows of the widgets of three modules, side by side.

use std::collections::{BTreeSet, HashMap};

use pharos_domain::{
    problem::Suffix,
    report_widget::{
        DataField, Empty, FieldFormat, LIMIT, ReportWidget, ReportWindow, SectionName, UNAVAILABLE_MODULES,
        WidgetAnswer, WidgetKind, WidgetStatus,
    },
};
use serde_json::{Map, Value, json};
use url::Url;

use crate::{
    data::{all_rows, unavailable},
    reading::Reading,
};

/// The widget.
pub(crate) const WIDGET: ReportWidget = ReportWidget {
    name: "pages",
    label: "Pages side by side",
    description: "Traffic, search and speed of each page. Each module lists its first 100; a page that it does not list has no figure \
                  of it here.",
    kind: WidgetKind::Table,
    default_enabled: true,
    config: &[LIMIT],
    rows: Some("items"),
    fields: &[
        DataField::new("page", "Page", FieldFormat::Text),
        DataField::new("visitors", "Visitors", FieldFormat::Count),
        DataField::new("pageviews", "Page views", FieldFormat::Count),
        DataField::new("clicks", "Clicks", FieldFormat::Count),
        DataField::new("impressions", "Impressions", FieldFormat::Count),
        DataField::new("position", "Mean position", FieldFormat::Number),
        DataField::new("lcp_ms", "LCP", FieldFormat::Millis),
        DataField::new("inp_ms", "INP", FieldFormat::Millis),
        DataField::new("cls", "CLS", FieldFormat::Score),
    ],
    empty: Empty::NoData,
    measured_by: None,
};

/// A widget of another section that lists pages.
pub(crate) struct Part {
    pub(crate) section: SectionName,
    pub(crate) widget: &'static str,
    /// The column that names the page.
    pub(crate) page: &'static str,
    /// The columns that are taken from it.
    pub(crate) taken: &'static [&'static str],
}

/// The parts. Pages stand in the order of the first that lists them.
pub(crate) const PARTS: [Part; 3] = [
    Part {
        section: SectionName::Analytics,
        widget: "top_pages",
        page: "page",
        taken: &["visitors", "pageviews"],
    },
    Part {
        section: SectionName::Gsc,
        widget: "pages",
        page: "page",
        taken: &["clicks", "impressions", "position"],
    },
    Part {
        section: SectionName::Rum,
        widget: "top_pages",
        page: "url",
        taken: &["lcp_ms", "inp_ms", "cls"],
    },
];

pub(crate) async fn answer(reading: &Reading<'_>, window: &ReportWindow, most: usize) -> WidgetAnswer {
    let all = all_rows();
    let alone = ReportWindow {
        compares: false,
        ..*window
    };
    let mut answers = Vec::new();
    for part in &PARTS {
        let widgets = [part.widget];
        let asked = (part.section, &widgets[..]);
        let found = reading.some_of(&alone, asked, &all).await;
        answers.extend(found.into_iter().map(|(_, answer)| (part, answer)));
    }
    side_by_side(reading.domain.domain().hostname.as_str(), answers, most)
}

/// The pages of all answers, or why there are none.
fn side_by_side(hostname: &str, answers: Vec<(&Part, WidgetAnswer)>, most: usize) -> WidgetAnswer {
    let rows = joined(hostname, &answers);
    if rows.is_empty() {
        return nothing(answers.into_iter().map(|(_, answer)| answer));
    }
    let missing: BTreeSet<&str> = answers
        .iter()
        .flat_map(|(part, answer)| unavailable(part.section, answer))
        .collect();
    WIDGET.answer(
        &json!({ "items": rows, UNAVAILABLE_MODULES: missing }),
        Some(most),
    )
}

/// A row a page, with the figures of all that list it.
fn joined(hostname: &str, answers: &[(&Part, WidgetAnswer)]) -> Vec<Map<String, Value>> {
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for (part, answer) in answers {
        let items = answer
            .data
            .as_ref()
            .and_then(|data| data.get("items")?.as_array());
        for item in items.into_iter().flatten() {
            let Some(name) = item.get(part.page).and_then(Value::as_str) else {
                continue;
            };
            let page = page(name, hostname);
            let place = *places.entry(page.clone()).or_insert_with(|| {
                rows.push([("page".to_owned(), Value::String(page))].into_iter().collect());
                rows.len() - 1
            });
            for column in part.taken {
                // A page that a module lists by several addresses has the figures of the first, which has the most.
                let value = item.get(column).cloned().unwrap_or_default();
                rows[place].entry(*column).or_insert(value);
            }
        }
    }
    rows
}

/// The name by which modules are joined: the path of an address on the site itself. An address elsewhere, or with a query, is
/// a page of its own.
fn page(name: &str, hostname: &str) -> String {
    let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).to_owned();
    match Url::parse(name) {
        Ok(url) if url.query().is_none() && url.host_str().map(bare) == Some(bare(hostname)) => {
            url.path().to_owned()
        }
        _ => name.to_owned(),
    }
}

/// Why there are no rows: who was read and has none says more than who could not be.
fn nothing(answers: impl Iterator<Item = WidgetAnswer>) -> WidgetAnswer {
    let least = answers.min_by_key(|answer| match answer.status {
        WidgetStatus::Ok | WidgetStatus::NoData => 0,
        WidgetStatus::NotConfigured => 1,
        WidgetStatus::ModuleUnavailable => 2,
    });
    match least {
        None => WidgetAnswer::unavailable(Some(Suffix::PlanRestriction)),
        Some(answer) if answer.status == WidgetStatus::Ok => WidgetAnswer::NO_DATA,
        Some(answer) => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(items: &Value) -> WidgetAnswer {
        WidgetAnswer::of(json!({ "items": items }))
    }

    #[test]
    fn a_page_has_the_figures_of_all_that_list_it() {
        let [traffic, search, speed] = &PARTS;
        let answers = [
            (
                traffic,
                items(&json!([
                    { "page": "/", "visitors": 9, "pageviews": 12, "share_pct": 90.0 },
                    { "page": "/shoes/", "visitors": 1, "pageviews": 1 },
                ])),
            ),
            (
                search,
                items(&json!([
                    { "page": "https://www.shop.example/shoes/", "clicks": 3, "impressions": 40, "position": 4.5 },
                    { "page": "http://shop.example/shoes/", "clicks": 1, "impressions": 5, "position": 7.0 },
                    { "page": "https://shop.example/?page=2", "clicks": 1, "impressions": 2, "position": 9.0 },
                    { "page": "https://blog.shop.example/", "clicks": 1, "impressions": 2, "position": 9.0 },
                ])),
            ),
            (
                speed,
                items(
                    &json!([{ "url": "https://shop.example/", "lcp_ms": 1840, "inp_ms": null, "cls": 0.02 }]),
                ),
            ),
        ];
        let rows = joined("shop.example", &answers);
        assert_eq!(
            json!(rows),
            json!([
                { "page": "/", "visitors": 9, "pageviews": 12, "lcp_ms": 1840, "inp_ms": null, "cls": 0.02 },
                { "page": "/shoes/", "visitors": 1, "pageviews": 1, "clicks": 3, "impressions": 40, "position": 4.5 },
                { "page": "https://shop.example/?page=2", "clicks": 1, "impressions": 2, "position": 9.0 },
                { "page": "https://blog.shop.example/", "clicks": 1, "impressions": 2, "position": 9.0 },
            ])
        );
        let answer = WIDGET.answer(&json!({ "items": rows }), Some(1)).data.unwrap();
        assert_eq!(answer["items"][0]["clicks"], Value::Null);
        assert_eq!(answer["items"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn pages_are_without_the_figures_of_a_module_that_failed_and_name_it() {
        let [traffic, search, speed] = &PARTS;
        let failed = || WidgetAnswer::unavailable(Some(Suffix::DatastoreError));
        let visits = items(&json!([{ "page": "/", "visitors": 9, "pageviews": 12 }]));
        let told = |of_search: WidgetAnswer| {
            let answers = vec![
                (traffic, visits.clone()),
                (search, of_search),
                (speed, WidgetAnswer::NOT_CONFIGURED),
            ];
            let data = side_by_side("shop.example", answers, 10).data.unwrap();
            data.get("unavailable_modules").cloned()
        };
        assert_eq!(told(failed()), Some(json!(["gsc"])));
        assert_eq!(told(WidgetAnswer::NO_DATA), None);
    }

    #[test]
    fn what_is_not_there_says_why() {
        let failed = WidgetAnswer::unavailable(Some(Suffix::DatastoreError));
        let told = |answers: &[WidgetAnswer]| nothing(answers.iter().cloned());
        assert_eq!(
            told(&[failed.clone(), WidgetAnswer::NO_DATA]),
            WidgetAnswer::NO_DATA
        );
        assert_eq!(
            told(&[failed.clone(), WidgetAnswer::NOT_CONFIGURED]),
            WidgetAnswer::NOT_CONFIGURED
        );
        assert_eq!(told(&[items(&json!([])), failed.clone()]), WidgetAnswer::NO_DATA);
        assert_eq!(told(std::slice::from_ref(&failed)), failed);
        assert_eq!(
            told(&[]),
            WidgetAnswer::unavailable(Some(Suffix::PlanRestriction))
        );
    }
}
