//! The figures of an experiment's pages, of a log that was worked out by hand.

use pharos_analytics::experiments::{
    DayFigures, Design, ExperimentMethod, ExperimentMetric, ExperimentStore, PanelRow,
};
use pharos_analytics_pg::collect::PgEventStore;
use pharos_domain::{
    collect::{
        Beacon, BeaconStore,
        event::{Action, Events},
    },
    ids::DomainId,
    window::DateRange,
};
use time::{Date, macros::date};

use super::collect::{beacon, purchase, refund};
use crate::harness::{Fixture, NOW};

/// The day before the change, and the one after it.
const BEFORE: Date = date!(2026 - 03 - 30);
const AFTER: Date = date!(2026 - 03 - 31);
/// As many minutes after the moment of the harness as that moment of the day before is.
const DAY_BEFORE: i64 = -24 * 60;

/// The pages `/old` and `/same` are compared with `/new`.
fn design() -> Design {
    Design {
        method: ExperimentMethod::Did,
        metric: ExperimentMetric::Revenue,
        control_urls: vec!["/old".to_owned(), "/same".to_owned()],
        variant_urls: vec!["/new".to_owned()],
        pre_start: Some(BEFORE),
        pre_end: BEFORE,
        post_start: AFTER,
        post_end: Some(AFTER),
    }
}

fn log(domain: DomainId) -> Vec<Beacon<Events>> {
    let view = |visitor, minutes, path| beacon(domain, visitor, minutes, path, Action::PageView);
    let mut dollars = purchase(domain, 4, 4, "T3");
    if let Action::Custom {
        commerce: Some(commerce),
        ..
    } = &mut dollars.content.0[0].action
    {
        commerce.currency = Some("USD".to_owned());
    }
    vec![
        // 30 March. 1: three views in two minutes, that enter at /old and go on to /same.
        view(1, DAY_BEFORE, "/old"),
        view(1, DAY_BEFORE + 1, "/old"),
        view(1, DAY_BEFORE + 2, "/same"),
        // 2: enters at /same and bounces.
        view(2, DAY_BEFORE, "/same"),
        // 31 March. 3: both sides, and an order of 19.90 that is told twice. Three minutes.
        view(1, 0, "/old"),
        view(1, 1, "/new"),
        purchase(domain, 1, 2, "T1"),
        purchase(domain, 1, 3, "T1"),
        // 4: enters at /new and bounces.
        view(2, 0, "/new"),
        // 5: the same visitor, with an order of 19.90 of which 5.00 are paid back. Two minutes.
        view(2, 100, "/new"),
        purchase(domain, 2, 101, "T2"),
        refund(domain, 2, 102, "T2", Some(500)),
        // 6: no page of either side.
        view(3, 0, "/other"),
        purchase(domain, 3, 1, "T4"),
        // 7: enters elsewhere, and orders in a currency that is not the site's. Four minutes.
        view(4, 0, "/"),
        view(4, 3, "/new"),
        dollars,
    ]
}

/// Visitors, sessions, views, entries, bounces, seconds, orders, sessions of both sides; and hundredths.
fn row(is_variant: bool, page: Option<usize>, day: Date, figures: [u64; 8], revenue_cents: i64) -> PanelRow {
    let [
        visitors,
        sessions,
        pageviews,
        entries,
        bounces,
        seconds,
        orders,
        shared,
    ] = figures;
    PanelRow {
        is_variant,
        page,
        day,
        figures: DayFigures {
            visitors,
            sessions,
            pageviews,
            entries,
            bounces,
            duration_ms: seconds * 1_000,
            orders,
            revenue_cents,
            shared,
        },
    }
}

#[tokio::test]
async fn the_figures_of_an_experiments_pages_are_those_that_were_worked_out_by_hand() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&log(home.domain)).await.unwrap();
    assert_eq!(NOW.date(), AFTER);
    let experiments = fixture.stores.ports.get::<dyn ExperimentStore>().unwrap();
    let panel = experiments.panel(&access, &design()).await.unwrap();
    assert_eq!(panel.received, DateRange::new(BEFORE, AFTER));

    let mut rows = panel.rows.clone();
    rows.sort_by_key(|row| (row.day, row.is_variant, row.page));
    assert_eq!(
        rows,
        [
            // 1 and 2; of /old 1 alone, of /same both.
            row(false, None, BEFORE, [2, 2, 4, 2, 1, 120, 0, 0], 0),
            row(false, Some(0), BEFORE, [1, 1, 2, 1, 0, 120, 0, 0], 0),
            row(false, Some(1), BEFORE, [2, 2, 2, 1, 1, 120, 0, 0], 0),
            // 3; nobody views /same.
            row(false, None, AFTER, [1, 1, 1, 1, 0, 180, 1, 1], 1_990),
            row(false, Some(0), AFTER, [1, 1, 1, 1, 0, 180, 1, 1], 1_990),
            // 3, 4, 5 and 7, of which 4 and 5 enter here. Revenue: 19.90 of 3 and 14.90 of 5.
            row(true, None, AFTER, [3, 4, 4, 2, 1, 540, 3, 1], 3_480),
            row(true, Some(0), AFTER, [3, 4, 4, 2, 1, 540, 3, 1], 3_480),
        ]
    );

    let window = DateRange::new(BEFORE, AFTER).unwrap();
    for (metric, control, variant) in [
        (
            ExperimentMetric::Visitors,
            [Some(2.0), Some(1.0)],
            [Some(0.0), Some(3.0)],
        ),
        (
            ExperimentMetric::Sessions,
            [Some(2.0), Some(1.0)],
            [Some(0.0), Some(4.0)],
        ),
        (
            ExperimentMetric::Pageviews,
            [Some(4.0), Some(1.0)],
            [Some(0.0), Some(4.0)],
        ),
        (
            ExperimentMetric::Orders,
            [Some(0.0), Some(1.0)],
            [Some(0.0), Some(3.0)],
        ),
        (
            ExperimentMetric::Revenue,
            [Some(0.0), Some(19.9)],
            [Some(0.0), Some(34.8)],
        ),
        // One of two entries; none of one. One of two.
        (
            ExperimentMetric::BounceRatePct,
            [Some(50.0), Some(0.0)],
            [None, Some(50.0)],
        ),
        // 120 s of two sessions; 180 s of one. 540 s of four.
        (
            ExperimentMetric::AvgDurationSeconds,
            [Some(60.0), Some(180.0)],
            [None, Some(135.0)],
        ),
        // No order of two sessions; one of one. Three of four.
        (
            ExperimentMetric::ConversionRatePct,
            [Some(0.0), Some(100.0)],
            [None, Some(75.0)],
        ),
    ] {
        for (is_variant, expected) in [(false, control), (true, variant)] {
            let values = panel.values(metric, is_variant, None, window);
            assert_eq!(values, expected, "{metric}, variant: {is_variant}");
        }
    }
}

#[tokio::test]
async fn of_days_on_which_nothing_was_received_nothing_is_read() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let store = PgEventStore::new(fixture.database.clone());
    store.store(&log(home.domain)).await.unwrap();
    let experiments = fixture.stores.ports.get::<dyn ExperimentStore>().unwrap();
    let later = Design {
        pre_start: Some(date!(2026 - 04 - 10)),
        pre_end: date!(2026 - 04 - 10),
        post_start: date!(2026 - 04 - 11),
        post_end: None,
        ..design()
    };
    let panel = experiments.panel(&access, &later).await.unwrap();
    assert_eq!(panel.received, DateRange::new(BEFORE, AFTER));
    assert!(panel.rows.is_empty(), "{:?}", panel.rows);
}
