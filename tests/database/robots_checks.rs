//! Checks of a robots.txt that are made out of turn.

use std::sync::Arc;

use pharos_crawl::{
    robots::monitor::{
        fetch::{FetchEnd, Fetched, FileHeaders},
        store::{FinishedCheck, RobotsSchedule, Turn},
    },
    sitemap::monitor::store::SitemapArchive,
};
use pharos_domain::ids::{DomainId, RunId};
use pharos_due::work::DueClaim;
use time::{Duration, OffsetDateTime};

use crate::harness::Fixture;

/// The check of a run, which found this status.
pub(crate) fn of_run(domain: DomainId, status: u16) -> FinishedCheck {
    let url = "https://ada.example/robots.txt";
    FinishedCheck {
        domain,
        turn: None,
        run: Some(RunId::generate()),
        fetched: Some(Fetched {
            robots_url: url.parse().unwrap(),
            fetched_at: OffsetDateTime::now_utc(),
            response_ms: Some(84.25),
            redirects: Vec::new(),
            end: FetchEnd::Answer {
                status,
                final_url: url.to_owned(),
                headers: FileHeaders::default(),
                body: b"User-agent: *\nDisallow: /cart\n".to_vec(),
                is_off_host: false,
            },
            sitemaps: None,
        }),
    }
}

/// Whether the sitemaps of the one site are due, and nobody has them.
async fn are_sitemaps_due(fixture: &Fixture) -> bool {
    let query = "SELECT next_check_at <= now() AND leased_until IS NULL FROM sitemap_sites";
    fixture.value(query, &[]).await
}

/// When the one site is due, and until when a node has it.
async fn turn(fixture: &Fixture) -> String {
    let query = "SELECT ROW (next_check_at, leased_until)::text FROM robots_sites";
    fixture.value(query, &[]).await
}

/// A node has the site at the moment, and somebody asks for a run.
#[tokio::test]
async fn a_check_out_of_turn_leaves_the_schedule_as_it_was() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let schedule: Arc<dyn RobotsSchedule> = fixture.stores.ports.get().unwrap();
    let now = OffsetDateTime::now_utc();
    schedule.enrol(now, 10).await.unwrap();
    let claim = DueClaim::of_now(now, Duration::minutes(10), 10);
    let claimed = schedule.claim(&claim).await.unwrap();
    let before = turn(&fixture).await;
    let stored = schedule.complete(&[of_run(home.domain, 200)]).await;
    assert_eq!(stored.unwrap(), 0);
    assert_eq!(turn(&fixture).await, before);

    let refuse = "ALTER TABLE robots_checks ADD CHECK (status_code <> 418)";
    fixture.sql.execute(refuse, &[]).await.unwrap();
    let refused = schedule.complete(&[of_run(home.domain, 418)]).await;
    assert_eq!(refused.unwrap(), 1);
    assert_eq!(turn(&fixture).await, before, "nor does one that is set aside");

    // One in turn gives its claim back.
    let in_turn = FinishedCheck {
        turn: Some(Turn {
            leased_until: claimed[0].leased_until,
            next_check_at: now + Duration::HOUR,
        }),
        run: None,
        ..of_run(home.domain, 418)
    };
    assert_eq!(schedule.complete(&[in_turn]).await.unwrap(), 1);
    let waits = "SELECT leased_until IS NULL AND next_check_at > now() FROM robots_sites";
    assert!(fixture.value::<bool>(waits, &[]).await);
    let kept: i64 = fixture.value("SELECT count(*) FROM robots_checks", &[]).await;
    assert_eq!(kept, 1);
}

/// It may name other sitemaps, and block other pages.
#[tokio::test]
async fn another_robots_txt_makes_the_sitemaps_due() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let schedule: Arc<dyn RobotsSchedule> = fixture.stores.ports.get().unwrap();
    let sitemaps: Arc<dyn SitemapArchive> = fixture.stores.ports.get().unwrap();
    sitemaps.begin(home.domain).await.unwrap();
    let put_off = "UPDATE sitemap_sites SET next_check_at = now() + interval '5 hours', leased_until = now() + interval '1 hour'";
    for (status, is_due) in [(200, true), (200, false), (404, true)] {
        assert_eq!(fixture.sql.execute(put_off, &[]).await.unwrap(), 1);
        let stored = schedule.complete(&[of_run(home.domain, status)]).await;
        assert_eq!(stored.unwrap(), 0);
        assert_eq!(are_sitemaps_due(&fixture).await, is_due, "after {status}");
    }
}
