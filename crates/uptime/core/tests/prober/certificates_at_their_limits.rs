//! Certificates and headers that are too much, or nothing at all.

use pharos_uptime::certificate::{Encounter, Hsts, Sighting, chain::LINKS};
use pharos_uptime::{error_class::ErrorClass, probe::ProbeReport};

use time::macros::datetime;

use crate::certificates::{leaf, presented, probe_site, probe_with};
use crate::lab::certificates::Identity;
use crate::lab::server::redirect;
use crate::lab::{Authority, Lab, Server, Step, answer, assert_down, assert_up, get, message, probe};

fn names(count: usize) -> Vec<String> {
    let mut names: Vec<String> = (1..count).map(|name| format!("n{name}.test")).collect();
    names.insert(0, "site.test".to_owned());
    names
}

#[tokio::test]
async fn of_very_many_names_a_thousand_are_kept_and_all_count() {
    let authority = Authority::new();
    let names = names(4_000);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = probe_site(authority.issue(&names).acceptor(&[]), &authority).await;
    assert_up(&report);
    assert_eq!(leaf(&report).subject_alt_names.len(), 1_000);
    assert_eq!(leaf(&report).subject_alt_names_count, 4_000);
}

/// The TLS library takes handshake messages of 64 KiB; OpenSSL takes 100 KiB unless told otherwise.
#[tokio::test]
async fn a_chain_of_more_than_64_kib_is_not_taken_in() {
    let authority = Authority::new();
    let names = names(10_000);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let report = probe_with(authority.issue(&names).acceptor(&[]), &authority, false).await;
    assert_down(&report, ErrorClass::TlsHandshake);
    assert!(message(&report).contains("64 KiB"), "{}", message(&report));
    assert_eq!(report.certificate, None);
    let unreachable = Encounter::Unreachable {
        error_class: ErrorClass::TlsHandshake,
    };
    assert_eq!(seen(report).encounter, unreachable);
}

#[tokio::test]
async fn a_long_chain_is_looked_at_from_its_start_only() {
    let authority = Authority::new();
    let mut identity = authority.issue(&["site.test"]);
    for _ in 0..60 {
        identity = identity.with(&authority);
    }
    let report = probe_with(identity.acceptor(&[]), &authority, false).await;
    assert_up(&report);
    assert_eq!(presented(&report).chain.len(), LINKS);
}

#[tokio::test]
async fn what_is_no_certificate_is_told_as_such_and_fails_nothing_by_itself() {
    let authority = Authority::new();
    let tls = Identity::unreadable().acceptor(&[]);
    let strict = probe_site(tls.clone(), &authority).await;
    assert_down(&strict, ErrorClass::TlsUntrusted);
    let lax = probe_with(tls, &authority, false).await;
    assert_up(&lax);
    for report in [&strict, &lax] {
        let presented = presented(report);
        assert_eq!(presented.certificate, None);
        assert_eq!((presented.name_matches, presented.chain_complete), (None, None));
        assert!(!presented.chain_trusted);
        let [link] = presented.chain.as_slice() else {
            panic!("{:?}", presented.chain);
        };
        assert_eq!((link.fingerprint_sha256.len(), link.valid_until), (64, None));
    }
}

/// X.690 wants `Z`; offsets of a day and more no other format knows.
#[tokio::test]
async fn an_end_with_an_offset_is_told_in_utc_and_can_be_written_down() {
    let authority = Authority::new();
    // Long enough that a few octets more change no length of a length.
    let long = format!("{}.test", "n".repeat(60));
    let names = ["site.test", long.as_str(), long.as_str()];
    for (end, want) in [
        ("490101000000+2400", datetime!(2048-12-31 00:00 UTC)),
        ("490101000000-2400", datetime!(2049-01-02 00:00 UTC)),
        ("490101000000-2459", datetime!(2049-01-02 00:59 UTC)),
        ("490101000000+0130", datetime!(2048-12-31 22:30 UTC)),
        ("500101000000+2400", datetime!(1949-12-31 00:00 UTC)),
    ] {
        let identity = authority.issue(&names).ending(end).with(&authority);
        for verify in [true, false] {
            let report = probe_with(identity.acceptor(&[]), &authority, verify).await;
            let links = &presented(&report).chain;
            assert_eq!(
                (leaf(&report).valid_until, links[0].valid_until),
                (want, Some(want)),
                "{end}"
            );
            let sighting = seen(report);
            let written = serde_json::to_value(&sighting).unwrap();
            assert_eq!(
                serde_json::from_value::<Sighting>(written).unwrap(),
                sighting,
                "{end}"
            );
        }
    }
}

fn seen(mut report: ProbeReport) -> Sighting {
    let asked = report.final_url.clone().unwrap();
    Sighting::take(&mut report, &asked)
}

#[tokio::test]
async fn the_last_answer_says_whether_browsers_must_use_https() {
    let authority = Authority::new();
    let secure = async |script: fn(&str) -> Vec<Step>| {
        let tls = authority.issue(&["127.0.0.1"]).acceptor(&[]);
        let server = Server::start_on("127.0.0.1:0", Some(tls), script).await;
        let request = get(server.url("/first"));
        let report = Lab::new()
            .permit(server.address)
            .trust(&authority)
            .probe(&request)
            .await;
        assert_up(&report);
        match seen(report).encounter {
            Encounter::Presented { hsts, .. } => hsts,
            other => panic!("{other:?}"),
        }
    };
    let said = secure(|_| {
        let header = ("strict-transport-security", "max-age=300; includeSubDomains");
        vec![Step::Send(answer(200, &[header], ""))]
    });
    let want = Hsts {
        max_age_seconds: 300,
        include_subdomains: true,
        preload: false,
    };
    assert_eq!(said.await, Some(want));
    let only_before = secure(|head| {
        let header = ("strict-transport-security", "max-age=300");
        vec![Step::Send(if head.contains("/first") {
            answer(302, &[header, ("location", "/second")], "")
        } else {
            answer(200, &[], "")
        })]
    });
    assert_eq!(only_before.await, None);
}

#[tokio::test]
async fn of_a_plain_site_nothing_is_seen_and_what_it_says_of_https_does_not_count() {
    let header = ("strict-transport-security", "max-age=300");
    let server = Server::answering(answer(200, &[header], "")).await;
    let sighting = seen(probe(&server).await);
    assert_eq!(sighting.encounter, Encounter::Plain);
    assert_eq!(
        (sighting.host.as_str(), sighting.port),
        ("127.0.0.1", server.address.port())
    );
}

#[tokio::test]
async fn a_sighting_is_that_of_the_last_hop() {
    let authority = Authority::new();
    let secure = Server::secure(authority.issue(&["127.0.0.1"]).acceptor(&[])).await;
    let to = secure.url("/");
    let plain = Server::start(move |_| vec![Step::Send(redirect(301, &to))]).await;
    let lab = Lab::new()
        .permit(plain.address)
        .permit(secure.address)
        .trust(&authority);
    let sighting = seen(lab.probe(&get(plain.url("/"))).await);
    assert_eq!(sighting.port, secure.address.port());
    let certificate = sighting.certificate().unwrap();
    assert_eq!(certificate.subject_alt_names, ["127.0.0.1"]);
}
