//! Answers as they come, and answers that are wrong.

use serde_json::{Value, json};
use time::macros::date;

use super::*;
use crate::crux::Metric;

const TODAY: Date = date!(2026 - 03 - 31);

fn day(year: i32, month: u8, day: u8) -> Value {
    json!({ "year": year, "month": month, "day": day })
}

/// In the form of the answer that <https://developer.chrome.com/docs/crux/api> shows.
fn answer() -> Value {
    json!({
        "record": {
            "key": { "formFactor": "PHONE", "origin": "https://shop.example" },
            "metrics": {
                "largest_contentful_paint": {
                    "histogram": [
                        { "start": 0, "end": 2500, "density": 0.8 },
                        { "start": 2500, "end": 4000, "density": 0.15 },
                        { "start": 4000, "density": 0.05 }
                    ],
                    "percentiles": { "p75": 2310 }
                },
                "cumulative_layout_shift": {
                    "histogram": [
                        { "start": "0.00", "end": "0.10", "density": 0.97 },
                        { "start": "0.10", "end": "0.25", "density": 0.03 },
                        { "start": "0.25" }
                    ],
                    "percentiles": { "p75": "0.00" }
                },
                "round_trip_time": { "percentiles": { "p75": 118 } },
                "largest_contentful_paint_image_time_to_first_byte": { "percentiles": { "p75": 620 } },
                "largest_contentful_paint_resource_type": { "fractions": { "image": 0.7, "text": 0.3 } },
                "form_factors": { "fractions": { "phone": 0.6, "desktop": 0.35, "tablet": 0.05 } },
                "first_input_delay": { "percentiles": { "p75": 12 } }
            },
            "collectionPeriod": { "firstDate": day(2026, 3, 2), "lastDate": day(2026, 3, 29) }
        }
    })
}

fn subject() -> Subject {
    Subject::Origin("https://shop.example".to_owned())
}

fn parsed(answer: &Value) -> Result<Answered, Malformed> {
    record(answer.to_string().as_bytes(), &subject(), Some("PHONE"), TODAY)
}

#[test]
fn numbers_come_as_numbers_or_as_texts() {
    let answered = parsed(&answer()).unwrap();
    let (period, figures) = &answered.periods[0];
    assert_eq!(
        (period.start, period.end),
        (date!(2026 - 03 - 02), date!(2026 - 03 - 29))
    );
    let cls = &figures.metrics[&Metric::Cls];
    assert_eq!(
        (cls.p75, cls.shares()),
        (Some(0.0), Some([0.97, 0.03, 0.0])),
        "a CLS of 0 is a value"
    );
    assert_eq!(
        cls.histogram
            .iter()
            .map(|bin| (bin.start, bin.end))
            .collect::<Vec<_>>(),
        [(0.0, Some(0.1)), (0.1, Some(0.25)), (0.25, None)]
    );
    assert_eq!(figures.metrics[&Metric::Lcp].p75, Some(2310.0));
    let rtt = &figures.metrics[&Metric::Rtt];
    assert_eq!((rtt.p75, rtt.shares()), (Some(118.0), None));
    assert!(!figures.metrics.contains_key(&Metric::Inp));
    assert_eq!(figures.lcp_image.and_then(|image| image.ttfb_ms), Some(620.0));
    assert_eq!(figures.form_factors.map(|mix| mix.mobile), Some(0.6));
    assert_eq!(figures.navigation_types, None);
}

/// Each has a percentile of its own.
#[test]
fn every_metric_has_the_name_that_the_report_gives_it() {
    let names = [
        ("largest_contentful_paint", Metric::Lcp),
        ("interaction_to_next_paint", Metric::Inp),
        ("cumulative_layout_shift", Metric::Cls),
        ("first_contentful_paint", Metric::Fcp),
        ("experimental_time_to_first_byte", Metric::Ttfb),
        ("round_trip_time", Metric::Rtt),
    ];
    let mut answer = answer();
    let told = names.iter().zip(1_u32..);
    answer["record"]["metrics"] = told
        .map(|((name, _), p75)| ((*name).to_owned(), json!({ "percentiles": { "p75": p75 } })))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let answered = parsed(&answer).unwrap();
    let found = &answered.periods[0].1.metrics;
    assert_eq!(found.len(), names.len());
    for ((name, metric), p75) in names.iter().zip(1_u32..) {
        assert_eq!(found[metric].p75, Some(p75.into()), "{name}");
    }
    assert_eq!(names.len(), Metric::ALL.len());
}

#[test]
fn every_part_of_an_images_paint_has_the_name_that_the_report_gives_it() {
    let mut answer = answer();
    for (part, p75) in [
        ("time_to_first_byte", 600),
        ("resource_load_delay", 300),
        ("resource_load_duration", 900),
        ("element_render_delay", 200),
    ] {
        answer["record"]["metrics"][format!("largest_contentful_paint_image_{part}")] =
            json!({ "percentiles": { "p75": p75 } });
    }
    let image = parsed(&answer).unwrap().periods[0].1.lcp_image.unwrap();
    let parts = [
        image.ttfb_ms,
        image.resource_load_delay_ms,
        image.resource_load_duration_ms,
        image.element_render_delay_ms,
    ];
    assert_eq!(parts, [600.0, 300.0, 900.0, 200.0].map(Some));
}

#[test]
fn an_answer_about_something_else_is_refused() {
    for (pointer, other, why) in [
        (
            "/record/key/origin",
            json!("https://other.example"),
            Malformed::Another("origin"),
        ),
        (
            "/record/key/formFactor",
            json!("DESKTOP"),
            Malformed::Another("form factor"),
        ),
        (
            "/record/collectionPeriod/lastDate",
            day(2026, 3, 30),
            Malformed::Period,
        ),
        (
            "/record/collectionPeriod/firstDate",
            day(2026, 2, 30),
            Malformed::Period,
        ),
        (
            "/record/collectionPeriod",
            json!({ "firstDate": day(2027, 3, 2), "lastDate": day(2027, 3, 29) }),
            Malformed::Period,
        ),
        (
            "/record/metrics/largest_contentful_paint/histogram/0/density",
            json!(1.8),
            Malformed::Figure("sum of shares"),
        ),
        (
            "/record/metrics/largest_contentful_paint/percentiles/p75",
            json!(-1),
            Malformed::Figure("75th percentile"),
        ),
        (
            "/record/metrics/cumulative_layout_shift/percentiles/p75",
            json!("fast"),
            Malformed::Figure("75th percentile"),
        ),
    ] {
        let mut answer = answer();
        *answer.pointer_mut(pointer).unwrap() = other;
        assert_eq!(parsed(&answer), Err(why), "{pointer}");
    }
    for text in ["", "[]", "{\"record\": 1}", "<html>", "{\"record\": {\"key\": {}"] {
        let read = record(text.as_bytes(), &subject(), Some("PHONE"), TODAY);
        assert!(matches!(read, Err(Malformed::Form { .. })), "{text}");
    }
}

/// A type of navigation that is not known here, with 30 %.
#[test]
fn a_share_that_is_new_in_the_report_refuses_no_other() {
    let mut answer = answer();
    answer["record"]["metrics"]["navigation_types"] =
        json!({ "fractions": { "navigate": 0.5, "prerender": 0.2, "teleport": 0.3 } });
    let types = |answer: &Value| -> Result<Option<(f64, f64, f64)>, Malformed> {
        let answered = parsed(answer)?;
        let types = answered.periods[0].1.navigation_types;
        Ok(types.map(|types| (types.navigate, types.prerender, types.reload)))
    };
    assert_eq!(types(&answer), Ok(Some((0.5, 0.2, 0.0))));
    answer["record"]["metrics"]["navigation_types"] = json!({ "fractions": { "teleport": 1 } });
    assert_eq!(types(&answer), Ok(None));
    answer["record"]["metrics"]["navigation_types"] =
        json!({ "fractions": { "navigate": 0.5, "teleport": 1.5 } });
    assert_eq!(types(&answer), Err(Malformed::Figure("sum of shares")));
}

#[test]
fn a_page_is_known_by_its_normalized_url() {
    let mut answer = answer();
    answer["record"]["key"] = json!({ "url": "https://shop.example/blue", "formFactor": "PHONE" });
    answer["urlNormalizationDetails"] = json!({
        "originalUrl": "https://shop.example/blue?utm_source=x",
        "normalizedUrl": "https://shop.example/blue"
    });
    let asked = Subject::Url("https://shop.example/blue?utm_source=x".to_owned());
    let read = record(answer.to_string().as_bytes(), &asked, Some("PHONE"), TODAY).unwrap();
    assert_eq!(read.url_normalized.as_deref(), Some("https://shop.example/blue"));
    answer["record"]["key"]["url"] = json!("https://shop.example/red");
    assert_eq!(
        record(answer.to_string().as_bytes(), &asked, Some("PHONE"), TODAY),
        Err(Malformed::Another("URL"))
    );
}

/// Nothing is known of the middle one: `"NaN"` and null both say so.
#[test]
fn a_period_without_figures_has_none() {
    let answer = json!({
        "record": {
            "key": { "origin": "https://shop.example" },
            "metrics": {
                "cumulative_layout_shift": {
                    "histogramTimeseries": [
                        { "start": "0.00", "end": "0.10", "densities": [0.9, "NaN", 0.8] },
                        { "start": "0.10", "end": "0.25", "densities": [0.1, "NaN", 0.1] },
                        { "start": "0.25", "densities": [0.0, "NaN", 0.1] }
                    ],
                    "percentilesTimeseries": { "p75s": ["0.05", null, "0.08"] }
                },
                "navigation_types": { "fractionTimeseries": {
                    "navigate": { "fractions": [0.9, "NaN", 0.8] },
                    "prerender": { "fractions": [0.1, "NaN", 0.2] }
                } }
            },
            "collectionPeriods": [
                { "firstDate": day(2026, 2, 22), "lastDate": day(2026, 3, 21) },
                { "firstDate": day(2026, 3, 1), "lastDate": day(2026, 3, 28) },
                { "firstDate": day(2026, 2, 15), "lastDate": day(2026, 3, 14) }
            ]
        }
    });
    let read = |answer: &Value| history(answer.to_string().as_bytes(), &subject(), None, TODAY);
    let answered = read(&answer).unwrap();
    let found: Vec<_> = answered
        .periods
        .iter()
        .map(|(period, figures)| {
            let cls = figures.metrics.get(&Metric::Cls).and_then(|cls| cls.p75);
            (
                period.end,
                cls,
                figures.navigation_types.map(|types| types.prerender),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (date!(2026 - 03 - 14), Some(0.08), Some(0.2)),
            (date!(2026 - 03 - 21), Some(0.05), Some(0.1)),
            (date!(2026 - 03 - 28), None, None),
        ],
        "in the order of their ends"
    );
    let mut short = answer.clone();
    short["record"]["metrics"]["cumulative_layout_shift"]["percentilesTimeseries"]["p75s"] = json!(["0.05"]);
    assert_eq!(read(&short), Err(Malformed::Count("a percentile")));
    let ends = |wrong: &[usize]| {
        let mut answer = answer.clone();
        for place in wrong {
            let cls = &mut answer["record"]["metrics"]["cumulative_layout_shift"];
            cls["histogramTimeseries"][0]["densities"][*place] = json!(2.0);
        }
        read(&answer).map(|answered| {
            answered
                .periods
                .iter()
                .map(|(period, _)| period.end)
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(
        ends(&[0]),
        Ok(vec![date!(2026 - 03 - 14), date!(2026 - 03 - 28)]),
        "one that can't be keeps none of the others out"
    );
    assert_eq!(ends(&[0, 1, 2]), Err(Malformed::Figure("sum of shares")));
}
