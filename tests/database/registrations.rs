//! Registrations: who shares them, when they are due, what stays of an answer.

use futures_util::future::join_all;
use pharos_domain::identity::DomainAccess;
use pharos_due::work::DueClaim;
use pharos_uptime::registration::{
    Registrar, Registration,
    change::{RegistrationChange, RegistrationField},
    store::{AskedRegistration, DueRegistration, KnownRegistration, Learned},
};
use time::{Duration, OffsetDateTime};

use crate::harness::{Fixture, NOW, actor, after};

const LEASE: Duration = Duration::seconds(30);

/// The ways into domains with these names, each with a monitor.
async fn watched(fixture: &Fixture, hostnames: &[&str]) -> Vec<DomainAccess> {
    let home = fixture.home("ada").await;
    let mut domains = Vec::new();
    for hostname in hostnames {
        domains.push(fixture.domain(home.workspace, hostname).await);
    }
    let identity = fixture.identity(&home).await;
    let mut accesses = Vec::new();
    for domain in domains {
        let access = DomainAccess::open(&identity, domain).unwrap();
        fixture.monitor(&access, NOW, |_| {}).await;
        accesses.push(access);
    }
    accesses
}

async fn claim(fixture: &Fixture, now: OffsetDateTime) -> Vec<DueRegistration> {
    let registrations = &fixture.stores.registrations;
    registrations.enrol(now, 100).await.unwrap();
    let mut due = registrations
        .claim(&DueClaim::of_now(now, LEASE, 100))
        .await
        .unwrap();
    due.sort_by(|a, b| a.name.cmp(&b.name));
    due
}

fn names(due: &[DueRegistration]) -> Vec<&str> {
    due.iter().map(|due| due.name.as_str()).collect()
}

fn registration() -> Registration {
    Registration {
        handle: Some("2138514".to_owned()),
        expires_at: Some(NOW + Duration::days(100)),
        statuses: Some(vec!["active".to_owned()]),
        registrar: Registrar {
            name: Some("Example Registrar".to_owned()),
            ..Registrar::default()
        },
        nameservers: vec!["ns1.shop.example".to_owned()],
        dnssec_signed: Some(false),
        source_url: "https://rdap.example/domain/shop.example".to_owned(),
        ..Registration::default()
    }
}

fn change() -> RegistrationChange {
    RegistrationChange {
        detected_at: NOW,
        field: RegistrationField::Registrar,
        before: None,
        after: Some("Example Registrar".to_owned()),
    }
}

async fn complete(fixture: &Fixture, due: &DueRegistration, asked_at: OffsetDateTime, learned: Learned) {
    let asked = AskedRegistration {
        name: due.name.clone(),
        leased_until: due.leased_until,
        asked_at,
        next_check_at: asked_at + Duration::DAY,
        learned,
    };
    fixture.stores.registrations.complete(&[asked]).await.unwrap();
}

async fn known(fixture: &Fixture, access: &DomainAccess) -> Option<KnownRegistration> {
    let monitored = fixture.stores.registrations.view(access).await.unwrap();
    monitored.expect("a monitor").known
}

#[tokio::test]
async fn the_domains_below_a_name_share_its_registration() {
    let fixture = Fixture::new().await;
    let shops = watched(&fixture, &["shop.example", "www.shop.example", "a.b.blog.co.uk"]).await;
    let due = claim(&fixture, NOW).await;
    assert_eq!(names(&due), ["blog.co.uk", "shop.example"]);
    assert_eq!(known(&fixture, &shops[0]).await, None);
    let learned = Learned::Answer(Box::new(registration()), vec![change()]);
    complete(&fixture, &due[1], after(5), learned).await;
    for shop in &shops[..2] {
        assert_eq!(
            known(&fixture, shop).await,
            Some(KnownRegistration {
                name: "shop.example".parse().unwrap(),
                answer: Some((registration(), after(5))),
                changes: vec![change()],
            })
        );
        let status = fixture.stores.monitors.status(shop, NOW).await.unwrap().unwrap();
        assert_eq!(status.registration_ends_at, registration().expires_at);
    }
    assert_eq!(known(&fixture, &shops[2]).await, None);
}

#[tokio::test]
async fn a_domain_without_a_monitor_has_no_registration() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    assert_eq!(claim(&fixture, NOW).await, []);
    let access = fixture.access(&home).await;
    assert_eq!(fixture.stores.registrations.view(&access).await.unwrap(), None);
    fixture
        .monitor(&access, NOW, |settings| settings.domain_warn_days = vec![10])
        .await;
    let monitored = fixture.stores.registrations.view(&access).await.unwrap().unwrap();
    assert_eq!((monitored.warn_days, monitored.known), (vec![10], None));
    let status = fixture
        .stores
        .monitors
        .status(&access, NOW)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(status.registration_ends_at, None);
}

#[tokio::test]
async fn only_names_that_are_watched_are_due() {
    let fixture = Fixture::new().await;
    let shops = watched(
        &fixture,
        &["paused.example", "deleted.example", "watched.example"],
    )
    .await;
    assert_eq!(claim(&fixture, NOW).await.len(), 3);
    let enable = |enabled: bool| fixture.monitor(&shops[0], NOW, move |settings| settings.enabled = enabled);
    enable(false).await;
    let admin = &fixture.stores.domain_admin;
    admin.delete(shops[1].id(), &actor(), NOW).await.unwrap();
    assert_eq!(names(&claim(&fixture, after(60)).await), ["watched.example"]);
    enable(true).await;
    assert_eq!(names(&claim(&fixture, after(61)).await), ["paused.example"]);
}

#[tokio::test]
async fn a_monitor_that_is_paused_from_the_start_is_enrolled_once_it_is_enabled() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture
        .monitor(&access, NOW, |settings| settings.enabled = false)
        .await;
    assert_eq!(claim(&fixture, NOW).await, []);
    fixture
        .monitor(&access, NOW, |settings| settings.enabled = true)
        .await;
    assert_eq!(names(&claim(&fixture, NOW).await), ["ada.example"]);
}

#[tokio::test]
async fn claimers_at_once_never_get_the_same_name() {
    let fixture = Fixture::new().await;
    let hostnames: Vec<String> = (0..30).map(|number| format!("d{number}.example")).collect();
    let hostnames: Vec<&str> = hostnames.iter().map(String::as_str).collect();
    watched(&fixture, &hostnames).await;
    let claimers = join_all((0..6).map(|_| async {
        let registrations = &fixture.stores.registrations;
        registrations.enrol(NOW, 100).await.unwrap();
        registrations
            .claim(&DueClaim::of_now(NOW, LEASE, 5))
            .await
            .unwrap()
    }))
    .await;
    let mut all: Vec<String> = claimers
        .into_iter()
        .flatten()
        .map(|due| due.name.to_string())
        .collect();
    let claimed = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), claimed);
    let rest = claim(&fixture, NOW).await;
    assert_eq!(claimed + rest.len(), 30);
}

#[tokio::test]
async fn what_was_asked_is_due_again_when_it_was_said() {
    let fixture = Fixture::new().await;
    watched(&fixture, &["shop.example"]).await;
    let due = claim(&fixture, NOW).await;
    assert_eq!(claim(&fixture, after(29)).await, []);
    complete(&fixture, &due[0], NOW, Learned::NoService).await;
    let day = 24 * 3_600;
    assert_eq!(claim(&fixture, after(day - 1)).await, []);
    assert_eq!(claim(&fixture, after(day)).await.len(), 1);
}

#[tokio::test]
async fn a_claim_that_went_to_another_stores_nothing() {
    let fixture = Fixture::new().await;
    let shops = watched(&fixture, &["shop.example"]).await;
    let late = claim(&fixture, NOW).await;
    let next = claim(&fixture, after(30)).await;
    assert_eq!(names(&next), ["shop.example"]);
    let learned = Learned::Answer(Box::new(registration()), Vec::new());
    complete(&fixture, &late[0], after(31), learned.clone()).await;
    assert_eq!(known(&fixture, &shops[0]).await, None);
    complete(&fixture, &next[0], after(32), learned).await;
    assert_eq!(
        known(&fixture, &shops[0]).await.unwrap().answer,
        Some((registration(), after(32)))
    );
}

#[tokio::test]
async fn a_failure_leaves_the_last_answer_and_says_why() {
    let fixture = Fixture::new().await;
    let shops = watched(&fixture, &["shop.example"]).await;
    let failure = |failures| Learned::Failure {
        failures,
        reason: "the server answered 500".to_owned(),
    };
    let day = 24 * 3_600;
    let first = claim(&fixture, NOW).await;
    assert_eq!((first[0].failures, &first[0].registration), (0, &None));
    complete(&fixture, &first[0], NOW, failure(1)).await;
    let unknown = known(&fixture, &shops[0]).await.unwrap();
    assert_eq!((unknown.answer, unknown.changes), (None, Vec::new()));

    let second = claim(&fixture, after(day)).await;
    assert_eq!(second[0].failures, 1);
    let learned = Learned::Answer(Box::new(registration()), vec![change()]);
    complete(&fixture, &second[0], after(day), learned).await;

    let third = claim(&fixture, after(2 * day)).await;
    assert_eq!(
        (third[0].failures, &third[0].registration),
        (0, &Some(registration()))
    );
    assert_eq!(third[0].changes, [change()]);
    complete(&fixture, &third[0], after(2 * day), failure(1)).await;
    let kept = known(&fixture, &shops[0]).await.unwrap();
    assert_eq!(kept.answer, Some((registration(), after(day))));
    assert_eq!(kept.changes, [change()]);
    let why: String = fixture
        .value("SELECT last_failure FROM domain_registrations", &[])
        .await;
    assert_eq!(why, "the server answered 500");
}

/// Another may have got it since: theirs stays theirs.
#[tokio::test]
async fn what_is_given_back_is_due_again_and_the_claim_of_another_stays() {
    let fixture = Fixture::new().await;
    watched(&fixture, &["blog.example", "shop.example"]).await;
    let registrations = &fixture.stores.registrations;
    let claimed = claim(&fixture, NOW).await;
    registrations.release(&[&claimed[0]]).await.unwrap();
    let again = claim(&fixture, after(1)).await;
    assert_eq!(names(&again), ["blog.example"]);
    registrations.release(&[&claimed[0]]).await.unwrap();
    assert_eq!(claim(&fixture, after(2)).await, []);
    let lease_ends = registrations.next_due(NOW).await.unwrap();
    assert_eq!(lease_ends, Some(after(30)));
}

/// A workspace that enrols a thousand names at once holds up nobody's one.
#[tokio::test]
async fn workspaces_take_turns() {
    let fixture = Fixture::new().await;
    let hostnames: Vec<String> = (0..40).map(|number| format!("d{number}.example")).collect();
    let hostnames: Vec<&str> = hostnames.iter().map(String::as_str).collect();
    watched(&fixture, &hostnames).await;
    let registrations = &fixture.stores.registrations;
    registrations.enrol(NOW, 100).await.unwrap();
    let one = fixture.home("ben").await;
    let access = fixture.access(&one).await;
    fixture.monitor(&access, NOW, |_| {}).await;
    registrations.enrol(after(5), 100).await.unwrap();
    let mut claimed = Vec::new();
    for _ in 0..3 {
        let few = DueClaim::of_now(after(6), LEASE, 2);
        claimed.extend(registrations.claim(&few).await.unwrap());
    }
    assert!(names(&claimed).contains(&"ben.example"), "{:?}", names(&claimed));
}

/// An answer of another version of Pharos is asked for anew, and keeps nobody else waiting.
#[tokio::test]
async fn an_answer_that_can_not_be_read_is_due_like_any_other() {
    let fixture = Fixture::new().await;
    watched(&fixture, &["shop.example"]).await;
    let due = claim(&fixture, NOW).await;
    let learned = Learned::Answer(Box::new(registration()), vec![change()]);
    complete(&fixture, &due[0], NOW, learned).await;
    fixture
        .sql
        .batch_execute("UPDATE domain_registrations SET answer = '{\"handle\": 7}'")
        .await
        .unwrap();
    let due = claim(&fixture, after(24 * 3_600)).await;
    assert_eq!((&due[0].registration, &due[0].changes), (&None, &vec![change()]));
}

/// However many names there are, the watch reads what is due and what is new, and no more.
#[tokio::test]
async fn a_round_reads_by_its_indexes() {
    let fixture = Fixture::new().await;
    let shops = watched(&fixture, &["shop.example"]).await;
    claim(&fixture, NOW).await;
    let statements = format!(
        "INSERT INTO domains (id, workspace_id, hostname, created_at)
             SELECT gen_random_uuid(), workspace_id, 'd' || n || '.example', created_at
             FROM domains, generate_series(1, 20000) AS n WHERE id = '{}';
         INSERT INTO domain_registrations (name, next_check_at)
             SELECT hostname, created_at + interval '1 day' FROM domains WHERE hostname LIKE 'd%';
         INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at, registrable_domain)
             SELECT d.id, m.settings, d.created_at, d.created_at, d.hostname
             FROM domains AS d, uptime_monitors AS m WHERE d.hostname LIKE 'd%';
         ANALYZE",
        shops[0].id()
    );
    fixture.sql.batch_execute(&statements).await.unwrap();
    for (text, index, whole) in [
        (
            pharos_uptime_pg::registrations::REGISTRATIONS.claim,
            "domain_registrations_due_idx",
            "Seq Scan on domain_registrations",
        ),
        (
            include_str!("../../crates/uptime/pg/src/registrations/unenrolled.sql"),
            "uptime_monitors_registrable_domain_idx",
            "Seq Scan on uptime_monitors",
        ),
    ] {
        let text = if text.contains("$2") {
            text.replace("$2", "'2026-03-31 09:16:00Z'::timestamptz")
                .replace("$3", "0")
                .replace("$4", "600")
                .replace("$5", "16")
                .replace("$6", "gen_random_uuid()")
                .replace("$7", "64")
        } else {
            text.replace("$1", "16")
        };
        let rows = fixture.sql.query(&format!("EXPLAIN {text}"), &[]).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        let plan = plan.join("\n");
        assert!(plan.contains(index), "{plan}");
        assert!(!plan.contains(whole), "{plan}");
    }
}

/// Nodes are upgraded one by one: one of the next version may have seen another part change.
#[tokio::test]
async fn a_change_that_a_later_version_saw_is_passed_over() {
    let fixture = Fixture::new().await;
    let accesses = watched(&fixture, &["shop.example"]).await;
    let due = claim(&fixture, NOW).await;
    let learned = Learned::Answer(Box::new(registration()), vec![change()]);
    complete(&fixture, &due[0], NOW, learned).await;
    let later = r#"UPDATE domain_registrations SET changes = changes ||
        '{"detected_at": "2026-03-31T09:15:00Z", "field": "of_tomorrow", "before": null, "after": "?"}'"#;
    fixture.sql.batch_execute(later).await.unwrap();
    let known = known(&fixture, &accesses[0]).await.expect("a registration");
    assert_eq!(known.changes, [change()]);
    let due = claim(&fixture, after(24 * 3_600)).await;
    assert_eq!(due[0].changes, [change()]);
}
