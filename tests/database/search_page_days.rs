//! The visits that web search sent to pages day by day, for whoever compares pages.

use pharos_domain::{
    module_block::SearchFigures,
    page_facts::{PageSearchDays, SearchDay},
    window::DateRange,
};
use pharos_server::groups;
use time::{Date, macros::date};

use crate::harness::Fixture;

/// Imported from 1 March on and final up to the 5th, of which the 3rd could not be read. On the 2nd `/a` has two addresses and `/b`
/// one. All else does not count: of another host, of another search type, too old, missed, not final.
const FILL: &str = "
    INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, linked_at, data_through)
        SELECT id, workspace_id, 'sc-domain:ada.example', 'owner', 'connected', '2026-01-01Z', '2026-03-05' FROM domains;
    INSERT INTO search_imports (domain_id, site_url, search_type, reached)
        SELECT id, 'sc-domain:ada.example', 1, '2026-03-01' FROM domains;
    INSERT INTO search_missed_days (domain_id, search_type, date) SELECT id, 1, '2026-03-03' FROM domains;
    INSERT INTO search_values (domain_id, kind, value)
        SELECT id, 2, v.value FROM domains, (VALUES
            ('https://ada.example/a'), ('http://www.ada.example/a'), ('https://ada.example/b'), ('https://blog.ada.example/a')
        ) AS v (value);
    INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
        SELECT v.domain_id, s.search_type, 2, s.date::date, v.id, s.clicks, s.impressions, s.position_sum
        FROM (VALUES
            ('https://ada.example/a', 1, '2026-03-02', 3, 10, 20),
            ('http://www.ada.example/a', 1, '2026-03-02', 0, 30, 180),
            ('https://ada.example/b', 1, '2026-03-02', 1, 10, 100),
            ('https://blog.ada.example/a', 1, '2026-03-02', 70, 700, 700),
            ('https://ada.example/a', 2, '2026-03-02', 70, 700, 0),
            ('https://ada.example/a', 1, '2026-02-28', 70, 700, 700),
            ('https://ada.example/a', 1, '2026-03-03', 70, 700, 700),
            ('https://ada.example/a', 1, '2026-03-06', 70, 700, 700)
        ) AS s (value, search_type, date, clicks, impressions, position_sum)
        JOIN search_values AS v ON v.value = s.value";

fn figures(clicks: u64, impressions: u64, rates: Option<(f64, f64)>) -> SearchFigures {
    SearchFigures {
        clicks,
        impressions,
        ctr: rates.map(|(ctr, _)| ctr),
        position: rates.map(|(_, position)| position),
    }
}

/// The days of one page, or of a whole group.
fn of(days: &[SearchDay], group: usize, page: Option<usize>) -> Vec<(Date, SearchFigures)> {
    days.iter()
        .filter(|day| day.group == group && day.page == page)
        .map(|day| (day.day, day.figures))
        .collect()
}

#[tokio::test]
async fn pages_have_what_the_search_sent_on_final_days_that_were_imported() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.sql.batch_execute(FILL).await.unwrap();
    let searches = groups::ports(&fixture.database)
        .get::<dyn PageSearchDays>()
        .unwrap();
    let paths = |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let (first, second) = (paths(&["/a", "/b"]), paths(&["/c"]));
    let ports = [String::new()];
    let asked = DateRange::new(date!(2026 - 02 - 20), date!(2026 - 03 - 31)).unwrap();
    let read = async || {
        let pages = [first.as_slice(), second.as_slice()];
        searches.by_day(home.domain, asked, &ports, &pages).await.unwrap()
    };
    let none = figures(0, 0, None);
    let expected = |seen: SearchFigures| {
        [
            (date!(2026 - 03 - 01), none),
            (date!(2026 - 03 - 02), seen),
            (date!(2026 - 03 - 04), none),
            (date!(2026 - 03 - 05), none),
        ]
    };
    let days = read().await;
    for (group, page, seen) in [
        // 10 at 2 and 30 at 6.
        (0, Some(0), figures(3, 40, Some((0.075, 5.0)))),
        (0, Some(1), figures(1, 10, Some((0.1, 10.0)))),
        (0, None, figures(4, 50, Some((0.08, 6.0)))),
        (1, Some(0), none),
        (1, None, none),
    ] {
        assert_eq!(of(&days, group, page), expected(seen), "{group} {page:?}");
    }
    assert_eq!(days.len(), 20);
    // The same pages at a port are others, until the site lies there.
    fixture
        .sql
        .batch_execute("UPDATE search_values SET value = replace(value, '.example/', '.example:7071/')")
        .await
        .unwrap();
    let moved = read().await;
    assert!(moved.iter().all(|day| day.figures == none), "{moved:?}");
    let at_port = [String::new(), ":7071".to_owned()];
    let pages = [first.as_slice(), second.as_slice()];
    let found = searches.by_day(home.domain, asked, &at_port, &pages).await;
    assert_eq!(found.unwrap(), days);
    for nothing_is_final in [
        "UPDATE search_properties SET data_through = NULL",
        "UPDATE search_properties SET data_through = '2026-03-05'; DELETE FROM search_imports",
    ] {
        fixture.sql.batch_execute(nothing_is_final).await.unwrap();
        assert!(read().await.is_empty(), "{nothing_is_final}");
    }
}
