//! Operations of the module `uptime`.

mod bad_sites;
mod blocked;
mod calendars;
pub(crate) mod certificates;
mod changes;
pub(crate) mod check;
mod checks;
mod config;
pub(crate) mod fixtures;
pub(crate) mod history;
pub(crate) mod incidents;
mod pending;
mod refused_config;
pub(crate) mod registration;
mod schedulers;
mod status;

use std::{collections::BTreeMap, net::IpAddr};

use pharos_domain::ids::{CheckId, DomainId};
use pharos_uptime::{
    check::{Check, Outcome},
    error_class::ErrorClass,
    finished::FinishedCheck,
    probe::HttpVersion,
};
use time::OffsetDateTime;

use crate::harness::TestApp;

/// A check that got an answer.
pub(crate) fn check(domain_id: DomainId, checked_at: OffsetDateTime, status_code: u16) -> Check {
    let up = status_code < 400;
    Check {
        id: CheckId::generate(),
        domain_id,
        region: "local".to_owned(),
        checked_at,
        outcome: if up { Outcome::Up } else { Outcome::Down },
        run_id: None,
        status_code: Some(status_code),
        http_version: Some(HttpVersion::Http11),
        response_ms: Some(120.5),
        dns_ms: Some(10.25),
        connect_ms: Some(20.0),
        tls_ms: Some(30.0),
        ttfb_ms: Some(50.0),
        download_ms: Some(5.125),
        redirect_count: 0,
        final_url: Some("https://shop.example/".to_owned()),
        response_bytes: Some(512),
        ip_address: Some(IpAddr::from([203, 0, 113, 7])),
        error_class: (!up).then_some(ErrorClass::HttpStatus),
        error_message: (!up).then(|| format!("answered {status_code}")),
        keyword_matched: None,
        retry_index: 0,
    }
}

/// A check that was due, and saw nothing besides.
pub(crate) fn finished(check: Check) -> FinishedCheck {
    FinishedCheck {
        due_at: Some(check.checked_at),
        settings_at: None,
        check,
        certificate_valid_until: None,
        response_headers: BTreeMap::new(),
        sighting: None,
    }
}

/// Stores checks as the scheduler does.
pub(crate) async fn store(app: &TestApp, checks: Vec<Check>) {
    for check in checks {
        let at = check.checked_at;
        app.stores
            .schedule
            .complete(&[finished(check)], at)
            .await
            .unwrap();
    }
}

/// The path of the world's domain.
pub(crate) fn path(app: &TestApp, rest: &str) -> String {
    format!("/domains/{}/uptime/{rest}", app.world.domain)
}
