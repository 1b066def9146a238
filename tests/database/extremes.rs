//! Finished checks with every field at its extremes: each is stored or set aside, and stops no other.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use pharos_domain::{
    identity::DomainAccess,
    ids::{CheckId, DomainId, RunId},
    page::{ListKey, PageRequest},
};
use pharos_uptime::{
    certificate::{
        Alpn, Certificate, ChainCertificate, Encounter, Hsts, Key, KeyAlgorithm, NAMES, Presented, Sighting,
        Signature, TlsProtocol, TlsSession, chain::LINKS,
    },
    check::{Check, Outcome},
    error_class::ErrorClass,
    finished::FinishedCheck,
    probe::HttpVersion,
    store::CheckFilter,
};
use pharos_uptime_pg::rollups;
use proptest::{
    option,
    prelude::*,
    sample::select,
    test_runner::{Config, TestCaseError, TestRunner},
};
use time::{Date, Duration, OffsetDateTime, Time, UtcOffset, macros::datetime};

use crate::{
    completion::{check, finished, status},
    harness::{Fixture, NOW, after},
};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(vec!["", "eu", "\0", "a\0b", "\u{10ffff}", "\u{202e}", "\\u0000", "'; --", "{\"a\":1e999}"])
            .prop_map(str::to_owned),
        1 => select(vec!["x", "\0", "\u{10ffff}"]).prop_map(|part| part.repeat(100_000)),
        1 => "\\PC{0,3000}",
    ]
}

fn moment() -> impl Strategy<Value = OffsetDateTime> {
    let local = prop_oneof![
        Just(Date::MIN.with_time(Time::MIDNIGHT)),
        Just(Date::MAX.with_time(Time::MAX)),
        select(vec![
            datetime!(-4713-01-01 00:00),
            datetime!(-0001-12-31 23:59:59.999999999),
            datetime!(0000-01-01 00:00),
            datetime!(1949-12-31 23:59:59),
            datetime!(1970-01-01 00:00),
            datetime!(2026-03-31 09:15:00.123456789),
            datetime!(2038-01-19 03:14:08),
            datetime!(9999-12-31 23:59:59),
        ]),
    ];
    let offset = select(vec![0, 1, 3_600, 86_399, 86_400, 93_599]);
    (local, offset, any::<bool>()).prop_map(|(local, seconds, is_west)| {
        let seconds = if is_west { -seconds } else { seconds };
        local.assume_offset(UtcOffset::from_whole_seconds(seconds).unwrap())
    })
}

/// The present more often than not: a check at the end of time alone tells little.
fn checked_at() -> impl Strategy<Value = OffsetDateTime> {
    prop_oneof![3 => (0_i64..100_000).prop_map(after), 2 => moment()]
}

fn millis() -> impl Strategy<Value = Option<f64>> {
    option::of(select(vec![
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        -0.0,
        0.0,
        12.345,
        999_999.999,
        2_147_484.0,
        3_600_000.0,
        1e15,
    ]))
}

fn number() -> impl Strategy<Value = u64> {
    select(vec![
        0,
        1,
        99,
        403,
        599,
        u64::from(u16::MAX),
        u64::from(i32::MAX.unsigned_abs()) + 1,
        u64::from(u32::MAX),
        i64::MAX.unsigned_abs(),
        i64::MAX.unsigned_abs() + 1,
        u64::MAX,
    ])
}

fn small<T: TryFrom<u64> + std::fmt::Debug>() -> impl Strategy<Value = T> {
    number().prop_filter_map("too large", |number| T::try_from(number).ok())
}

fn address() -> impl Strategy<Value = IpAddr> {
    select(vec![
        IpAddr::from([0, 0, 0, 0]),
        IpAddr::from([255, 255, 255, 255]),
        IpAddr::from(Ipv6Addr::UNSPECIFIED),
        IpAddr::from([0xffff_u16; 8]),
        IpAddr::from([0, 0, 0, 0, 0, 0xffff, 0x7f00, 1]),
    ])
}

fn certificate() -> impl Strategy<Value = Certificate> {
    let texts = (
        option::of(text()),
        option::of(text()),
        option::of(text()),
        text(),
        text(),
        text(),
    );
    let times = (moment(), moment());
    let key = (select(KeyAlgorithm::ALL), option::of(small::<u32>()));
    let names = (names(), small::<u32>());
    let signature = (option::of(any::<bool>()), any::<bool>());
    (texts, times, key, names, signature).prop_map(
        |(texts, (valid_from, valid_until), (algorithm, bits), names, (is_strong, is_self_issued))| {
            let (subject, issuer, organization, serial_number, fingerprint_sha256, signed_with) = texts;
            let (subject_alt_names, subject_alt_names_count) = names;
            Certificate {
                valid_from,
                valid_until,
                subject_common_name: subject,
                subject_alt_names,
                subject_alt_names_count,
                issuer_common_name: issuer,
                issuer_organization: organization,
                serial_number,
                fingerprint_sha256,
                key: Key { algorithm, bits },
                signature: Signature {
                    algorithm: signed_with,
                    is_strong,
                },
                is_self_issued,
            }
        },
    )
}

/// None, a few that differ, and as many as are kept.
fn names() -> impl Strategy<Value = Vec<String>> {
    prop_oneof![
        4 => prop::collection::vec(text(), 0..4),
        1 => Just((0..NAMES).map(|number| format!("n{number}.test")).collect::<Vec<_>>()),
    ]
}

fn link() -> impl Strategy<Value = ChainCertificate> {
    let names = (option::of(text()), option::of(text()));
    (names, option::of(moment()), text(), any::<bool>()).prop_map(
        |((common_name, issuer_common_name), valid_until, fingerprint_sha256, is_root)| ChainCertificate {
            common_name,
            issuer_common_name,
            valid_until,
            fingerprint_sha256,
            is_root,
        },
    )
}

fn presented() -> impl Strategy<Value = Presented> {
    let chain = prop_oneof![
        4 => prop::collection::vec(link(), 0..3),
        1 => link().prop_map(|link| vec![link; LINKS]),
    ];
    let verdicts = (
        option::of(any::<bool>()),
        any::<bool>(),
        option::of(any::<bool>()),
    );
    (option::of(certificate()), chain, verdicts).prop_map(
        |(certificate, chain, (name_matches, chain_trusted, chain_complete))| Presented {
            certificate,
            chain,
            name_matches,
            chain_trusted,
            chain_complete,
        },
    )
}

fn encounter() -> impl Strategy<Value = Encounter> {
    let session = option::of((text(), select(TlsProtocol::ALL), option::of(select(Alpn::ALL))));
    let session = session.prop_map(|session| {
        session.map(|(cipher_suite, protocol, alpn)| TlsSession {
            protocol,
            cipher_suite,
            alpn,
        })
    });
    let hsts = (number(), any::<bool>(), any::<bool>());
    let hsts = hsts.prop_map(|(max_age_seconds, include_subdomains, preload)| Hsts {
        max_age_seconds,
        include_subdomains,
        preload,
    });
    prop_oneof![
        Just(Encounter::Plain),
        select(ErrorClass::ALL.to_vec()).prop_map(|error_class| Encounter::Unreachable { error_class }),
        (presented(), session, option::of(hsts)).prop_map(|(presented, session, hsts)| {
            Encounter::Presented {
                presented: Box::new(presented),
                session,
                hsts,
            }
        }),
    ]
}

fn sighting() -> impl Strategy<Value = Sighting> {
    (text(), small::<u16>(), encounter()).prop_map(|(host, port, encounter)| Sighting {
        host,
        port,
        encounter,
    })
}

prop_compose! {
    fn outcome()(
        outcome in select(Outcome::ALL),
        run_id in option::of(Just(())).prop_map(|run| run.map(|()| RunId::generate())),
        status_code in option::of(small::<u16>()),
        http_version in option::of(select(vec![HttpVersion::Http10, HttpVersion::Http11, HttpVersion::Http2])),
        error_class in option::of(select(ErrorClass::ALL.to_vec())),
        error_message in option::of(text()),
        final_url in option::of(text()),
        keyword_matched in option::of(any::<bool>()),
        counts in (small::<u32>(), small::<u32>()),
    ) -> Check {
        Check {
            id: CheckId::generate(),
            domain_id: DomainId::generate(),
            region: "eu".to_owned(),
            checked_at: NOW,
            outcome,
            run_id,
            status_code,
            http_version,
            response_ms: None,
            dns_ms: None,
            connect_ms: None,
            tls_ms: None,
            ttfb_ms: None,
            download_ms: None,
            redirect_count: counts.0,
            final_url,
            response_bytes: None,
            ip_address: None,
            error_class,
            error_message,
            keyword_matched,
            retry_index: counts.1,
        }
    }
}

/// A finished check of this domain, or of one that there is none of.
fn extreme(domain: DomainId) -> impl Strategy<Value = FinishedCheck> {
    let whose = prop_oneof![9 => Just(domain), 1 => Just(DomainId::generate())];
    let region = prop_oneof![3 => Just("eu".to_owned()), 1 => text()];
    let times = (millis(), millis(), millis(), millis(), millis(), millis());
    let rest = (option::of(number()), option::of(address()), checked_at());
    let around = (
        option::of(checked_at()),
        option::of(prop_oneof![Just(NOW), moment()]),
        option::of(moment()),
        prop::collection::btree_map(text(), text(), 0..2),
        option::of(sighting()),
    );
    (whose, region, outcome(), times, rest, around).prop_map(
        |(domain_id, region, check, times, rest, around)| {
            let (response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms) = times;
            let (response_bytes, ip_address, checked_at) = rest;
            let (due_at, settings_at, certificate_valid_until, response_headers, sighting) = around;
            FinishedCheck {
                check: Check {
                    domain_id,
                    region,
                    checked_at,
                    response_ms,
                    dns_ms,
                    connect_ms,
                    tls_ms,
                    ttfb_ms,
                    download_ms,
                    response_bytes,
                    ip_address,
                    ..check
                },
                due_at,
                settings_at,
                certificate_valid_until,
                response_headers,
                sighting: sighting.map(Arc::new),
            }
        },
    )
}

async fn watched(fixture: &Fixture, name: &str) -> DomainAccess {
    let home = fixture.home(name).await;
    let access = fixture.access(&home).await;
    fixture.monitor(&access, NOW, |_| {}).await;
    access
}

/// Stores an extreme check between two good ones of another site, and sees what became of each.
async fn store(
    fixture: &Fixture,
    bob: &DomainAccess,
    minute: i64,
    extreme: FinishedCheck,
) -> Result<bool, TestCaseError> {
    let at = NOW + Duration::minutes(minute);
    let good = |second| check(bob, "eu", at + Duration::seconds(second), Outcome::Up);
    let good = [good(0), good(1)];
    let id = extreme.check.id;
    // It was made with other settings than the monitor has since before it began.
    let is_outdated =
        extreme.settings_at.is_some_and(|known| known != NOW) && extreme.check.checked_at >= NOW;
    let run = FinishedCheck {
        due_at: None,
        settings_at: None,
        response_headers: BTreeMap::new(),
        ..finished(good[1].clone(), at)
    };
    let batch = [finished(good[0].clone(), at), extreme, run];
    let set_aside = fixture.stores.schedule.complete(&batch, at).await;
    let set_aside = set_aside.map_err(|error| TestCaseError::fail(error.to_string()))?;
    let stored = "SELECT count(*) FROM uptime_checks WHERE id = ANY($1)";
    let both: i64 = fixture.value(stored, &[&vec![good[0].id.0, good[1].id.0]]).await;
    prop_assert_eq!(both, 2, "the good checks are stored");
    let bad: i64 = fixture.value(stored, &[&vec![id.0]]).await;
    let (is_stored, is_set_aside) = (bad == 1, set_aside.contains(&id));
    let is_accounted_for = is_stored != is_set_aside || (is_outdated && !is_stored);
    prop_assert!(
        is_accounted_for,
        "stored {is_stored}, set aside {is_set_aside}, outdated {is_outdated}: {set_aside:?}"
    );
    let last = status(fixture, bob).await.regions[0]
        .state
        .as_ref()
        .unwrap()
        .last_check_at;
    prop_assert_eq!(last, good[1].checked_at);
    Ok(is_stored)
}

/// How much stack the making of large values takes at most.
const STACK: usize = 64 << 20;

#[test]
fn a_check_at_its_extremes_is_stored_or_set_aside_and_stops_no_other() {
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(extremes).unwrap().join().unwrap();
}

fn extremes() {
    // A case takes the database about as long as twenty requests take.
    let cases = std::env::var("PHAROS_TEST_PROPERTY_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(1_000)
        / 20;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (fixture, ada, bob) = runtime.block_on(async {
        let fixture = Fixture::new().await;
        let (ada, bob) = (watched(&fixture, "ada").await, watched(&fixture, "bob").await);
        (fixture, ada, bob)
    });
    let (minute, kept) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    });
    let outcome = runner.run(&extreme(ada.id()), |extreme| {
        minute.set(minute.get() + 1);
        // Shrinking tries one check in many shapes.
        let mut extreme = extreme;
        extreme.check.id = CheckId::generate();
        let is_kept = runtime.block_on(store(&fixture, &bob, minute.get(), extreme))?;
        kept.set(kept.get() + u32::from(is_kept));
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    println!("{cases} cases, {} stored", kept.get());
    assert!(
        cases < 20 || (1..cases).contains(&kept.get()),
        "{} of {cases}",
        kept.get()
    );
    runtime.block_on(all_can_be_read(&fixture, &ada));
}

/// Everything that was stored can be read, and rolled up.
async fn all_can_be_read(fixture: &Fixture, ada: &DomainAccess) {
    status(fixture, ada).await;
    let page = PageRequest {
        limit: 500,
        after: None,
        list: ListKey::new("listUptimeChecks", ada.id().0),
    };
    let stores = &fixture.stores;
    stores
        .checks
        .list(ada, &CheckFilter::default(), &page)
        .await
        .unwrap();
    stores.certificates.view(ada).await.unwrap();
    stores.certificates.list(ada).await.unwrap();
    let much_later = NOW + Duration::days(100);
    for domain in rollups::behind_in_rollups(&fixture.database, much_later)
        .await
        .unwrap()
    {
        while rollups::roll_up(&fixture.database, domain, much_later)
            .await
            .unwrap()
        {}
    }
    assert!(
        fixture
            .database
            .set_aside()
            .await
            .unwrap()
            .iter()
            .all(|one| one.kind == "check")
    );
}
