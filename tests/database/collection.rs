//! Keys and secrets of sites, the salts of visitors, counts of bots.

use pharos_domain::collect::site::SiteKey;
use pharos_ingest::{
    bots::BotStore,
    sites::{SecretDigest, SiteAdmin, SiteStore, is_key},
    visitor::{Salt, SaltStore},
};
use pharos_ingest_pg::{bots::PgBotStore, salts::PgSaltStore, sites::PgSites};
use time::{
    Date,
    macros::{date, datetime, format_description},
};
use tokio_postgres::Row;

use crate::harness::{Fixture, NOW, actor};

#[tokio::test]
async fn a_domain_has_one_key_and_none_once_it_is_deleted() {
    let fixture = Fixture::new().await;
    let (home, sites) = (fixture.home("ada").await, PgSites::new(fixture.database.clone()));
    let (one, other) = tokio::join!(sites.of(home.domain), sites.of(home.domain));
    let (site, same) = (one.unwrap().unwrap(), other.unwrap().unwrap());
    assert_eq!(site, same);
    assert!(is_key(&site.key.0));
    assert_eq!(
        (site.domain, site.hostname.as_str()),
        (home.domain, "ada.example")
    );
    assert_eq!(sites.by_key(&site.key).await.unwrap().as_ref(), Some(&site));
    let unknown = SiteKey("pst_zzzzzzzzzzzzzzzzzzzzzz".to_owned());
    assert_eq!(sites.by_key(&unknown).await.unwrap(), None);

    let (first, second) = (SecretDigest::of("first"), SecretDigest::of("second"));
    for digest in [first, second] {
        let set = sites
            .set_secret(home.domain, &digest, &actor(), NOW)
            .await
            .unwrap();
        assert_eq!(set.as_ref(), Some(&site));
    }
    assert_eq!(
        sites.by_secret(&first).await.unwrap(),
        None,
        "the next takes its place"
    );
    assert_eq!(sites.by_secret(&second).await.unwrap().as_ref(), Some(&site));
    let audited = "SELECT count(*) FROM audit_log WHERE action = 'site.set_secret' AND subject_id = $1";
    let changes: i64 = fixture.value(audited, &[&home.domain.to_string()]).await;
    assert_eq!(changes, 2);

    let domains = &fixture.stores.domain_admin;
    domains.delete(home.domain, &actor(), NOW).await.unwrap();
    assert_eq!(sites.by_key(&site.key).await.unwrap(), None);
    assert_eq!(sites.by_secret(&second).await.unwrap(), None);
    assert_eq!(sites.of(home.domain).await.unwrap(), None);
    assert_eq!(
        sites
            .set_secret(home.domain, &first, &actor(), NOW)
            .await
            .unwrap(),
        None
    );
    domains.restore(home.domain, &actor(), NOW).await.unwrap();
    assert_eq!(sites.of(home.domain).await.unwrap(), Some(site));
}

/// The days of the table's rows.
async fn days(fixture: &Fixture) -> Vec<Date> {
    let rows = fixture
        .sql
        .query("SELECT day::text FROM collect_salts ORDER BY day", &[]);
    let day = |row: &Row| Date::parse(row.get(0), format_description!("[year]-[month]-[day]")).unwrap();
    rows.await.unwrap().iter().map(day).collect()
}

#[tokio::test]
async fn all_nodes_have_one_salt_a_day_and_it_is_gone_an_hour_after() {
    let fixture = Fixture::with_a_clock().await;
    let salts = PgSaltStore::new(fixture.database.clone());
    let (today, tomorrow) = (date!(2026 - 03 - 31), date!(2026 - 04 - 01));
    let (one, other) = tokio::join!(salts.of(today), salts.of(today));
    let of_today: Option<Salt> = one.unwrap();
    assert!(of_today.is_some());
    assert_eq!(other.unwrap(), of_today);
    assert_eq!(salts.of(tomorrow).await.unwrap(), None, "it has not begun");
    assert_eq!(
        salts.of(date!(2026 - 03 - 30)).await.unwrap(),
        None,
        "it is over for longer"
    );

    fixture.it_is(datetime!(2026-04-01 00:59:59 UTC)).await;
    let of_tomorrow = salts.of(tomorrow).await.unwrap();
    assert!(of_tomorrow.is_some() && of_tomorrow != of_today);
    salts.forget().await.unwrap();
    assert_eq!(salts.of(today).await.unwrap(), of_today);
    assert_eq!(days(&fixture).await, [today, tomorrow]);

    fixture.it_is(datetime!(2026-04-01 01:00:00 UTC)).await;
    assert_eq!(
        salts.of(today).await.unwrap(),
        None,
        "nobody gets it, though the row is still there"
    );
    salts.forget().await.unwrap();
    assert_eq!(days(&fixture).await, [tomorrow]);
    assert_eq!(salts.of(tomorrow).await.unwrap(), of_tomorrow);

    // Nobody tidied up for a month: the next that asks does.
    fixture.it_is(datetime!(2026-05-01 12:00:00 UTC)).await;
    assert!(salts.of(date!(2026 - 05 - 01)).await.unwrap().is_some());
    assert_eq!(days(&fixture).await, [date!(2026 - 05 - 01)]);
}

#[tokio::test]
async fn bots_are_added_up_by_day() {
    let fixture = Fixture::with_a_clock().await;
    let bots = PgBotStore::new(fixture.database.clone());
    let (ada, bob) = (fixture.home("ada").await.domain, fixture.home("bob").await.domain);
    let gone = pharos_domain::ids::DomainId::generate();
    bots.add(&[(ada, 2), (gone, 9)]).await.unwrap();
    bots.add(&[(ada, 3), (bob, 1)]).await.unwrap();
    fixture.it_is(datetime!(2026-04-01 00:00:00 UTC)).await;
    bots.add(&[(ada, 1)]).await.unwrap();
    let counts = "SELECT string_agg(format('%s %s', day, beacons), ', ' ORDER BY day) FROM collect_bots WHERE domain_id = $1";
    let of_ada: String = fixture.value(counts, &[&ada.0]).await;
    assert_eq!(of_ada, "2026-03-31 5, 2026-04-01 1");
    let of_bob: String = fixture.value(counts, &[&bob.0]).await;
    assert_eq!(of_bob, "2026-03-31 1");
}
