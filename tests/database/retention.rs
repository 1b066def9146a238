//! Things that visitors told are kept as long as it is said, and no longer.

use crate::harness::{Fixture, NOW};

/// A row that upkeep forgets by a moment of it.
struct Aging {
    table: &'static str,
    /// The column of the moment, and its type.
    column: (&'static str, &'static str),
    /// The other columns, and their values: of a domain `d`, by which `moment` tells two rows apart.
    others: (&'static str, &'static str),
    /// The last moment at [`NOW`] of which a row is forgotten, and the first of which it is kept.
    forgotten: &'static str,
    kept: &'static str,
}

impl Aging {
    /// How many rows of its table there are of either moment, those of other such rows of the table included.
    async fn counts(&self, fixture: &Fixture) -> [i64; 2] {
        let Self {
            table,
            column: (column, _),
            forgotten,
            kept,
            ..
        } = self;
        let counts = format!(
            "SELECT ARRAY[count(*) FILTER (WHERE {column} = '{forgotten}'), count(*) FILTER (WHERE {column} = '{kept}')]
             FROM {table}"
        );
        let counts: Vec<i64> = fixture.value(&counts, &[]).await;
        [counts[0], counts[1]]
    }
}

const TIME: &str = "timestamptz";
const DATE: &str = "date";

/// Makes rows of both moments, does all of upkeep, and looks which of them are left.
async fn assert_aged(fixture: &Fixture, rows: &[Aging]) {
    for Aging {
        table,
        column: (column, kind),
        others: (names, values),
        forgotten,
        kept,
    } in rows
    {
        let made = format!(
            "INSERT INTO {table} ({column}, {names})
             SELECT moment, {values}
             FROM domains AS d, unnest('{{{forgotten}, {kept}}}'::{kind}[]) AS moment"
        );
        fixture.sql.batch_execute(&made).await.unwrap();
    }
    let mut made = Vec::new();
    for row in rows {
        made.push(row.counts(fixture).await);
    }
    fixture.database.maintain(NOW).await.unwrap();
    for (row, [forgotten, kept]) in rows.iter().zip(made) {
        let table = row.table;
        assert!(
            forgotten > 0 && kept > 0,
            "{table}: {forgotten} and {kept} were made"
        );
        assert_eq!(row.counts(fixture).await, [0, kept], "{table}");
    }
}

const BEACON_FORGOTTEN: &str = "2026-03-29 09:15Z";
const BEACON_KEPT: &str = "2026-03-29 09:16Z";

#[tokio::test]
async fn what_views_told_is_kept_as_long_as_it_is_said_to_be() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture
        .sql
        .batch_execute(
            "INSERT INTO rum_progress (domain_id, first_at, last_at) SELECT id, '2020-01-01Z', '2026-03-31Z' FROM domains;
             INSERT INTO crux_targets (id, domain_id, workspace_id, status, next_collection_at, created_at)
             SELECT gen_random_uuid(), id, workspace_id, 'active', '2026-04-01Z', '2020-01-01Z' FROM domains",
        )
        .await
        .unwrap();
    let (last_day, first_day) = ("2024-11-29", "2024-11-30");
    let (last_moment, first_moment) = ("2024-11-29 23:59Z", "2024-11-30 00:00Z");
    let rows = [
        Aging {
            table: "rum_beacons",
            column: ("stored_at", TIME),
            others: ("domain_id, beacon_id", "d.id, gen_random_uuid()"),
            forgotten: BEACON_FORGOTTEN,
            kept: BEACON_KEPT,
        },
        Aging {
            table: "rum_loads",
            column: ("stored_at", TIME),
            others: (
                "domain_id, load_id, at, revision",
                "d.id, extract(epoch FROM moment)::bigint, moment, 0",
            ),
            forgotten: BEACON_FORGOTTEN,
            kept: BEACON_KEPT,
        },
        Aging {
            table: "rum_daily",
            column: ("day", DATE),
            others: (
                "domain_id, device, views, core_views, good_views, error_views, errors, back_forwards, restored,
                 lcp_good, lcp_fair, lcp_poor, inp_good, inp_fair, inp_poor, cls_good, cls_fair, cls_poor,
                 fcp_good, fcp_fair, fcp_poor, ttfb_good, ttfb_fair, ttfb_poor",
                "d.id, 0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9",
            ),
            forgotten: last_day,
            kept: first_day,
        },
        Aging {
            table: "rum_hist",
            column: ("day", DATE),
            others: (
                "domain_id, metric, device, bucket, n",
                "d.id, generate_series(0, 4), 0, 1, 1",
            ),
            forgotten: last_day,
            kept: first_day,
        },
        Aging {
            table: "crux_figures",
            column: ("period_end", DATE),
            others: (
                "target_id, form_factor, grain, figures",
                "(SELECT id FROM crux_targets), 'all', 'day', '{}'",
            ),
            forgotten: last_day,
            kept: first_day,
        },
        Aging {
            table: "rum_source_maps",
            column: ("uploaded_at", TIME),
            others: (
                "domain_id, script, release, url, sources, bytes, map",
                "d.id, 'a.js', moment::text, 'a.js', 1, 2, '{}'",
            ),
            forgotten: last_moment,
            kept: first_moment,
        },
        Aging {
            table: "rum_releases",
            column: ("released_at", TIME),
            others: ("domain_id, name", "d.id, moment::text"),
            forgotten: last_moment,
            kept: first_moment,
        },
        Aging {
            table: "rum_error_groups",
            column: ("last_seen_at", TIME),
            others: (
                "kind, domain_id, message, source, is_handled, causes, is_third_party, is_opaque, first_seen_at",
                "extract(day FROM moment AT TIME ZONE 'UTC')::integer, d.id, 'x', 0, false, '{}', false, false, moment",
            ),
            forgotten: "2024-11-28 23:59Z",
            kept: "2024-11-29 00:00Z",
        },
        Aging {
            table: "rum_new_texts",
            column: ("day", DATE),
            others: ("domain_id, dimension, made", "d.id, 0, 1"),
            forgotten: "2026-03-28",
            kept: "2026-03-29",
        },
        Aging {
            table: "rum_texts",
            column: ("used_on", DATE),
            others: ("domain_id, dimension, value", "d.id, 0, moment::text"),
            forgotten: "2024-08-21",
            kept: "2024-08-22",
        },
    ];
    assert_aged(&fixture, &rows).await;
}

#[tokio::test]
async fn what_visits_told_is_kept_as_long_as_it_is_said_to_be() {
    let fixture = Fixture::new().await;
    fixture.home("ada").await;
    fixture
        .sql
        .batch_execute(
            "INSERT INTO analytics_progress (domain_id, first_at, last_at)
             SELECT id, '2010-01-01Z', '2026-03-31Z' FROM domains",
        )
        .await
        .unwrap();
    let (last_day, first_day) = ("2016-03-30", "2016-03-31");
    let daily = |dimension_and_figures| Aging {
        table: "analytics_daily",
        column: ("day", DATE),
        others: (
            "domain_id, dimension, value, visitors, sessions, pageviews, bounces, duration_ms, events",
            dimension_and_figures,
        ),
        forgotten: last_day,
        kept: first_day,
    };
    let orders = |dimension_and_figures| Aging {
        table: "analytics_dimension_orders",
        column: ("day", DATE),
        others: (
            "domain_id, dimension, value, second, currency, orders, valued_orders, revenue_cents",
            dimension_and_figures,
        ),
        forgotten: last_day,
        kept: first_day,
    };
    let rows = [
        Aging {
            table: "analytics_beacons",
            column: ("stored_at", TIME),
            others: ("domain_id, beacon_id", "d.id, gen_random_uuid()"),
            forgotten: BEACON_FORGOTTEN,
            kept: BEACON_KEPT,
        },
        Aging {
            table: "analytics_visitors",
            column: ("touched_at", TIME),
            others: (
                "domain_id, visitor_id",
                "d.id, extract(epoch FROM moment)::bigint",
            ),
            forgotten: "2026-03-31 06:15Z",
            kept: "2026-03-31 06:16Z",
        },
        Aging {
            table: "analytics_orders",
            column: ("ordered_at", TIME),
            others: (
                "domain_id, order_id, hit_id, currency",
                "d.id, moment::text, 1, 'EUR'",
            ),
            forgotten: "2016-03-30 23:59Z",
            kept: "2016-03-31 00:00Z",
        },
        Aging {
            table: "analytics_new_values",
            column: ("day", DATE),
            others: ("domain_id, dimension, made", "d.id, 0, 1"),
            forgotten: "2026-03-28",
            kept: "2026-03-29",
        },
        // The whole of a day, and a grouping of it.
        daily("d.id, -1, 0, 9, 9, 9, 9, 9, 9"),
        daily("d.id, -2, 1, 9, 9, 9, 9, 9, 9"),
        orders("d.id, -5, 0, 0, 'EUR', 9, 9, 9"),
        orders("d.id, -2, 1, 0, 'EUR', 9, 9, 9"),
        Aging {
            table: "analytics_actions",
            column: ("day", DATE),
            others: (
                "domain_id, kind, value, page, hits, visitors, sessions, exits, last_at",
                "d.id, generate_series(1, 4), 1, 0, 9, 9, 9, 9, moment",
            ),
            forgotten: last_day,
            kept: first_day,
        },
        Aging {
            table: "analytics_revenue",
            column: ("day", DATE),
            others: (
                "domain_id, currency, orders, revenue_cents, refunds, refunded_cents",
                "d.id, 'EUR', 9, 9, 9, 9",
            ),
            forgotten: last_day,
            kept: first_day,
        },
        Aging {
            table: "analytics_pages",
            column: ("starts_on", DATE),
            others: (
                "domain_id, grain, part, page, visitors, pageviews, sessions, entries, exits, bounces, engaged_ms,
                 engaged_views, scroll_pct, scrolled_views",
                "d.id, generate_series(0, 1), generate_series(0, 1), 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9",
            ),
            forgotten: last_day,
            kept: first_day,
        },
        Aging {
            table: "analytics_values",
            column: ("used_on", DATE),
            others: ("domain_id, dimension, value", "d.id, 0, moment::text"),
            forgotten: "2015-02-24",
            kept: "2015-02-25",
        },
    ];
    assert_aged(&fixture, &rows).await;
}
