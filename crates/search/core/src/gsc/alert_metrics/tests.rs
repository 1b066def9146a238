use pharos_domain::alert_metric::MetricKind;
use time::macros::{date, datetime};

use super::{catalogue::METRICS, *};
use crate::gsc::reach::Reach;

fn query(name: &str, windows: Vec<MetricWindow>) -> MetricQuery {
    MetricQuery {
        domain: DomainId::generate(),
        metric: METRICS.iter().find(|metric| metric.name == name).unwrap(),
        filter: Default::default(),
        windows,
        needs_sample: true,
    }
}

/// At 2026-03-31 09:15 the own window of a day ends 72 hours before, and the one of the week before on a whole hour.
fn a_day_and_the_week_before() -> Vec<MetricWindow> {
    let (own, past) = (datetime!(2026-03-28 09:15 UTC), datetime!(2026-03-21 09:00 UTC));
    [own, past]
        .map(|end| MetricWindow::Over(TimeRange::new(end - Duration::DAY, end)))
        .to_vec()
}

/// The last day of each window, where days are final up to `through`.
fn last_days(query: &MetricQuery, through: Date) -> Vec<Date> {
    let standing = Standing {
        data_through: Some(through),
        ..Standing::default()
    };
    days(query, Some(&standing))
        .into_iter()
        .map(|range| range.unwrap().last())
        .collect()
}

#[test]
fn windows_are_whole_days_that_move_back_together_to_the_newest_final_one() {
    let query = query("clicks", a_day_and_the_week_before());
    let of = |through: Date| last_days(&query, through);
    assert_eq!(
        of(date!(2026 - 03 - 28)),
        [date!(2026 - 03 - 28), date!(2026 - 03 - 21)]
    );
    assert_eq!(
        of(date!(2026 - 03 - 30)),
        [date!(2026 - 03 - 28), date!(2026 - 03 - 21)]
    );
    assert_eq!(
        of(date!(2026 - 03 - 26)),
        [date!(2026 - 03 - 26), date!(2026 - 03 - 19)]
    );
    assert_eq!(days(&query, Some(&Standing::default())), [None, None]);
    // Where the past is asked for first, as of the course of a metric, the others stay where they are.
    let course: Vec<MetricWindow> = a_day_and_the_week_before().into_iter().rev().collect();
    let standing = Standing {
        data_through: Some(date!(2026 - 03 - 26)),
        ..Standing::default()
    };
    let found = days(&self::query("clicks", course), Some(&standing));
    assert_eq!(found[0].unwrap().last(), date!(2026 - 03 - 21));
    assert_eq!(found[1], None, "that day is not final yet");
}

#[test]
fn in_the_first_hour_of_a_day_windows_keep_to_one_weekday() {
    let (own, past) = (datetime!(2026-03-28 00:37 UTC), datetime!(2026-03-21 00:00 UTC));
    let windows = [own, past].map(|end| MetricWindow::Over(TimeRange::new(end - Duration::DAY, end)));
    let query = query("clicks", windows.to_vec());
    let of = |through: Date| last_days(&query, through);
    let newest = [date!(2026 - 03 - 27), date!(2026 - 03 - 20)];
    assert_eq!(of(date!(2026 - 03 - 28)), newest);
    assert_eq!(of(date!(2026 - 03 - 27)), newest);
    assert_eq!(
        of(date!(2026 - 03 - 26)),
        [date!(2026 - 03 - 26), date!(2026 - 03 - 19)]
    );
}

fn reach(search_type: SearchType, from: Date, missed: &[Date]) -> Reach {
    Reach {
        reached: [(search_type, from)].into(),
        missed: missed.iter().map(|date| (search_type, *date)).collect(),
    }
}

#[test]
fn days_that_were_not_imported_are_unknown_and_no_zero() {
    let query = query("discover_clicks", Vec::new());
    let (first, last) = (date!(2026 - 03 - 27), date!(2026 - 03 - 28));
    let wanted = Wanted {
        query: &query,
        search_type: SearchType::Discover,
        days: Vec::new(),
    };
    let sum = |with: SearchType, reach: Reach| {
        let standing = Standing {
            search_types: vec![SearchType::Web, SearchType::Discover],
            reach,
            ..Standing::default()
        };
        let figures = Figures {
            clicks: 4,
            ..Figures::default()
        };
        let known = Known {
            totals: [((query.domain, with, last), figures)].into(),
            ..Known::default()
        };
        let sum = wanted.sum(DateRange::new(first, last).unwrap(), &standing, &known);
        sum.map(|sum| sum.clicks)
    };
    let (others, own) = (SearchType::Web, SearchType::Discover);
    for (from, missed, zero, four) in [
        (Some(first), vec![], Some(0), Some(4)),
        (Some(first), vec![date!(2026 - 03 - 26)], Some(0), Some(4)),
        (Some(first), vec![first], None, None),
        (Some(last), vec![], None, None),
        (Some(date!(2026 - 03 - 29)), vec![], None, None),
        (None, vec![], None, None),
    ] {
        let reach = from.map_or_else(Reach::default, |from| reach(own, from, &missed));
        assert_eq!(sum(others, reach.clone()), zero, "{reach:?}");
        assert_eq!(sum(own, reach.clone()), four, "{reach:?}");
    }
}

#[test]
fn counts_of_queries_need_queries_and_losses_the_week_before() {
    let (before, day) = (date!(2026 - 03 - 21), date!(2026 - 03 - 28));
    let value = |name: &str, search_type: SearchType, reach: Reach| {
        let query = query(name, Vec::new());
        let wanted = Wanted {
            query: &query,
            search_type,
            days: Vec::new(),
        };
        let standing = Standing {
            search_types: vec![search_type],
            reach,
            ..Standing::default()
        };
        let known = Known {
            totals: [((query.domain, search_type, day), Figures::default())].into(),
            ..Known::default()
        };
        let range = DateRange::new(day, day).unwrap();
        wanted.value(range, &standing, &known).reading.value()
    };
    let web = |from: Date, missed: &[Date]| reach(SearchType::Web, from, missed);
    let (next, none) = (date!(2026 - 03 - 22), [Date::MIN; 0]);
    for (name, reach, expected) in [
        ("lost_rankings", web(before, &none), Some(0.0)),
        ("lost_rankings", web(next, &none), None),
        ("lost_rankings", web(before, &[before]), None),
        ("top_10_queries", web(next, &none), Some(0.0)),
    ] {
        assert_eq!(
            value(name, SearchType::Web, reach.clone()),
            expected,
            "{name} {reach:?}"
        );
    }
    for (name, expected) in [
        ("top_10_queries", None),
        ("lost_rankings", None),
        ("pages_with_clicks", Some(0.0)),
    ] {
        let reach = reach(SearchType::Discover, before, &none);
        assert_eq!(value(name, SearchType::Discover, reach), expected, "{name}");
    }
}

#[tokio::test]
async fn each_measure_has_its_value() {
    let day = date!(2026 - 03 - 28);
    let value = async |name: &str, brand: &[&str]| {
        let query = query(name, a_day_and_the_week_before());
        let (domain, search_type) = (query.domain, search_type(&query));
        let settings = super::super::config::SearchSettings {
            brand_terms: brand.iter().map(|term| (*term).to_owned()).collect(),
            ..Default::default()
        };
        let config =
            super::super::config::SearchConfig::stored(settings, datetime!(2026-03-12 14:02 UTC), None);
        let standing = Standing {
            data_through: Some(day),
            imported_at: Some(datetime!(2026-03-30 09:15 UTC)),
            search_types: vec![SearchType::Web, SearchType::Discover],
            reach: Reach {
                reached: [SearchType::Web, SearchType::Discover]
                    .map(|search_type| (search_type, date!(2025 - 12 - 01)))
                    .into(),
                ..Reach::default()
            },
            brand: config.brand().clone(),
        };
        let figures = Figures {
            clicks: 4,
            impressions: 50,
            position_sum: 200.0,
        };
        let of_day = (domain, SearchType::Web, day);
        let known = Known {
            standing: [(domain, standing.clone())].into(),
            totals: [(of_day, figures)].into(),
            counts: [(
                of_day,
                DayCounts {
                    top_10_queries: 7,
                    pages_with_clicks: 2,
                    lost_rankings: 1,
                },
            )]
            .into(),
            non_branded: non_branded(
                [(of_day, vec![("ada shoes".to_owned(), 3), ("shoes".to_owned(), 1)])].into(),
                &[(domain, standing.clone())].into(),
            )
            .await,
        };
        let wanted = Wanted {
            query: &query,
            search_type,
            days: days(&query, Some(&standing)),
        };
        let answer = wanted.answer(&known, datetime!(2026-03-31 09:15 UTC));
        assert_eq!(answer.context["date"], "2026-03-28");
        assert_eq!(answer.data_through, Some(day));
        (answer.values[0].reading.value(), answer.values[1].reading.value())
    };
    let mut values = Vec::new();
    for metric in METRICS.iter().filter(|metric| metric.kind == MetricKind::Measure) {
        let (own, past) = value(metric.name, &["Ada"]).await;
        assert_eq!(past, None, "{}", metric.name);
        values.push((metric.name, own));
    }
    assert_eq!(
        values,
        [
            ("clicks", Some(4.0)),
            ("impressions", Some(50.0)),
            ("ctr", Some(8.0)),
            ("position", Some(4.0)),
            ("top_10_queries", Some(7.0)),
            ("pages_with_clicks", Some(2.0)),
            ("non_branded_clicks", Some(1.0)),
            ("lost_rankings", Some(1.0)),
            ("discover_clicks", Some(0.0)),
        ]
    );
    assert_eq!(value("non_branded_clicks", &[]).await, (None, None));
}
