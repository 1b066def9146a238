//! Lists of checks, page by page.

use pharos_domain::{
    identity::DomainAccess,
    ids::{CheckId, RunId},
    page::{ListKey, PageRequest, Position},
};
use pharos_uptime::{check::Outcome, history::RegionPlace, store::CheckFilter};
use pharos_uptime_pg::checks::explained;

use crate::{
    completion::{check, finished, watched},
    harness::{Fixture, NOW, after},
};

fn page(access: &DomainAccess, limit: usize, cursor: Option<&str>) -> PageRequest {
    let list = ListKey::new("listUptimeChecks", access.id().0);
    PageRequest {
        limit,
        after: cursor.map(|cursor| Position::open(cursor, &list).unwrap()),
        list,
    }
}

/// All pages, put together; each but the last is full.
pub(crate) async fn all(
    fixture: &Fixture,
    access: &DomainAccess,
    filter: &CheckFilter,
    limit: usize,
) -> Vec<CheckId> {
    let mut ids = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let request = page(access, limit, cursor.as_deref());
        let found = fixture
            .stores
            .checks
            .list(access, filter, &request)
            .await
            .unwrap();
        ids.extend(found.items.iter().map(|check| check.id));
        assert_eq!(found.has_more, found.next_cursor.is_some());
        if !found.has_more {
            return ids;
        }
        assert_eq!(found.items.len(), limit);
        cursor = found.next_cursor;
    }
}

/// Eleven checks of one microsecond stand across several pages, among others; a second domain has as many.
#[tokio::test]
async fn pages_have_no_gap_and_no_repeat_where_times_are_equal() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    let other = {
        let home = fixture.home("eve").await;
        fixture.access(&home).await
    };
    let times: Vec<_> = (0..10)
        .map(after)
        .chain(std::iter::repeat_n(after(10), 11))
        .chain((11..20).map(after))
        .collect();
    for access in [&access, &other] {
        let batch: Vec<_> = times
            .iter()
            .map(|at| finished(check(access, "eu", *at, Outcome::Up), NOW))
            .collect();
        fixture.stores.schedule.complete(&batch, after(30)).await.unwrap();
    }
    let rows = fixture
        .sql
        .query(
            "SELECT id FROM uptime_checks WHERE domain_id = $1 ORDER BY checked_at DESC, id DESC",
            &[&access.id().0],
        )
        .await
        .unwrap();
    let want: Vec<CheckId> = rows.iter().map(|row| CheckId(row.get(0))).collect();
    assert_eq!(want.len(), 30);
    for limit in [1, 2, 3, 7, 10, 29, 30, 31] {
        let got = all(&fixture, &access, &CheckFilter::default(), limit).await;
        assert_eq!(got, want, "pages of {limit}");
    }
}

#[tokio::test]
async fn filters_narrow_every_page() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |settings| settings.regions.push("us".to_owned())).await;
    for region in ["eu", "us"] {
        let place = RegionPlace::unnamed(region);
        fixture
            .stores
            .schedule
            .register_region(&place, NOW)
            .await
            .unwrap();
    }
    let run = RunId::generate();
    let mut batch = Vec::new();
    for second in 0..12 {
        let region = if second % 2 == 0 { "eu" } else { "us" };
        let outcome = if second % 3 == 0 {
            Outcome::Down
        } else {
            Outcome::Up
        };
        let mut check = check(&access, region, after(second), outcome);
        check.run_id = (second == 4).then_some(run);
        batch.push(finished(check, NOW));
    }
    fixture.stores.schedule.complete(&batch, after(30)).await.unwrap();
    let count = async |filter: CheckFilter| all(&fixture, &access, &filter, 2).await.len();
    let eu = Some("eu".to_owned());
    assert_eq!(count(CheckFilter::default()).await, 12);
    let down = CheckFilter {
        outcome: Some(Outcome::Down),
        ..CheckFilter::default()
    };
    assert_eq!(count(down.clone()).await, 4);
    let in_eu = CheckFilter {
        region: eu.clone(),
        ..CheckFilter::default()
    };
    assert_eq!(count(in_eu).await, 6);
    assert_eq!(count(CheckFilter { region: eu, ..down }).await, 2);
    let asked = CheckFilter {
        run_id: Some(run),
        ..CheckFilter::default()
    };
    assert_eq!(count(asked).await, 1);
}

/// Half a million checks over five months: a page reads its own rows, and sorts none.
#[tokio::test]
async fn a_page_is_read_by_the_primary_key_backwards() {
    let fixture = Fixture::new().await;
    let access = watched(&fixture, |_| {}).await;
    fixture
        .database
        .ensure_partitions(after(-86_400 * 60))
        .await
        .unwrap();
    fixture.database.ensure_partitions(NOW).await.unwrap();
    fixture
        .sql
        .execute(
            "INSERT INTO uptime_checks (id, domain_id, region, checked_at, outcome, redirect_count, retry_index)
             SELECT gen_random_uuid(), $1, 'eu', '2026-03-31 09:15Z'::timestamptz - n * interval '2 minutes', 'up', 0, 0
             FROM generate_series(0, 60000) AS n",
            &[&access.id().0],
        )
        .await
        .unwrap();
    fixture.sql.batch_execute("ANALYZE uptime_checks").await.unwrap();
    let cursor = Position {
        key: after(-86_400 * 40),
        id: CheckId::generate().0,
    };
    for after in [None, Some(cursor)] {
        let request = PageRequest {
            after,
            ..page(&access, 50, None)
        };
        let filter = CheckFilter::default();
        let plan = explained(&fixture.database, access.id(), &filter, &request).await;
        let plan = plan.unwrap();
        assert!(
            plan.contains("Index Scan Backward using uptime_checks_2026_"),
            "{plan}"
        );
        assert!(plan.contains("_pkey"), "{plan}");
        assert!(!plan.contains("Seq Scan on uptime_checks_2026"), "{plan}");
        assert!(
            !plan.contains("Sort Key: uptime_checks.checked_at DESC, uptime_checks.id DESC\n  ->  Append"),
            "{plan}"
        );
    }
}
