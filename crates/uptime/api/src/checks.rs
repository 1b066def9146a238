//! GET /domains/{domain_id}/uptime/checks

use std::net::IpAddr;

use pharos_domain::{
    identity::DomainAccess,
    ids::{CheckId, RunId},
    module::Module,
    page::{Page, PageRequest},
    problem::Suffix,
    scope::Scope,
    timestamp::Timestamp,
    wire_enum,
};
use pharos_http::{
    extract::{port::Port, query::Query},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Paging},
};
use pharos_uptime::{
    check::{Check, Outcome},
    error_class::ErrorClass,
    probe::HttpVersion,
    store::{CheckFilter, CheckStore, MonitorStore},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

use super::missing;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listUptimeChecks",
    path: "/domains/{domain_id}/uptime/checks",
    module: Module::Uptime,
    summary: "The checks of a site, the newest first",
    description: "Times that were not measured are null: phases that a check did not reach, the time of one that got no \
                  answer. Each check opens its own connection.",
    scope: Some(Scope::ReadUptime),
    credits: Credits::Cheap,
    paging: Paging::cursor(1_000),
    problems: &[Suffix::UptimeNotFound],
    ..OperationSpec::GET
};

#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct ChecksQuery {
    /// Only the checks that came to this.
    #[param(inline)]
    outcome: Option<Outcome>,
    /// Only the checks from this region.
    region: Option<String>,
    /// Only the checks that this run asked for.
    #[param(value_type = Option<String>, format = Uuid)]
    run_id: Option<RunId>,
}

pub(super) async fn list(
    access: DomainAccess,
    Query(query): Query<ChecksQuery>,
    page: PageRequest,
    checks: Port<dyn CheckStore>,
    monitors: Port<dyn MonitorStore>,
) -> ApiResult<Page<UptimeCheckPublic>> {
    let ChecksQuery {
        outcome,
        region,
        run_id,
    } = query;
    let found = checks
        .list(
            &access,
            &CheckFilter {
                outcome,
                region,
                run_id,
            },
            &page,
        )
        .await?;
    if found.items.is_empty() && monitors.view(&access).await?.is_none() {
        return Err(missing());
    }
    Ok(found.map(UptimeCheckPublic::from))
}

wire_enum! {
    /// The family of an address.
    IpFamily {
        /// IPv4.
        V4 = "v4",
        /// IPv6.
        V6 = "v6",
    }
}

/// One check of a site.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UptimeCheck)]
pub(crate) struct UptimeCheckPublic {
    /// The id of the check.
    check_id: CheckId,
    /// When it began.
    checked_at: Timestamp,
    /// Where it ran.
    region: String,
    /// How the check ended, in a word.
    outcome: Outcome,
    /// The run that asked for it; null for the schedule.
    #[schema(required)]
    run_id: Option<RunId>,
    /// The status of the last answer; null where there was none.
    #[schema(required, minimum = 100, maximum = 599)]
    status_code: Option<u16>,
    /// The version of HTTP that was spoken; null where no answer came.
    #[schema(required)]
    http_version: Option<HttpVersion>,
    /// All of it in milliseconds, redirects included; null on a failure before an answer.
    #[schema(required)]
    response_ms: Option<f64>,
    /// The name look-up of the last hop, in milliseconds; null where the URL holds an address.
    #[schema(required)]
    dns_ms: Option<f64>,
    /// Its TCP handshake; null where no connection was made.
    #[schema(required)]
    connect_ms: Option<f64>,
    /// Its TLS handshake; null for http.
    #[schema(required)]
    tls_ms: Option<f64>,
    /// From the request sent to the first byte of the answer; null where no answer came.
    #[schema(required)]
    ttfb_ms: Option<f64>,
    /// From the first byte to the last; null where no body arrived, as with HEAD.
    #[schema(required)]
    download_ms: Option<f64>,
    /// How many redirects were followed.
    #[schema(minimum = 0)]
    redirect_count: u32,
    /// Where they led, or the URL itself without any; null where that may not be requested.
    #[schema(required)]
    final_url: Option<String>,
    /// The size of the body as it was sent, in bytes; null where no body arrived, as with HEAD.
    #[schema(required, minimum = 0)]
    response_bytes: Option<u64>,
    /// The address that answered, or else the first that was tried; null where there was none to try.
    #[schema(required, value_type = Option<String>)]
    ip_address: Option<IpAddr>,
    /// Its family; null without an address.
    #[schema(required)]
    ip_family: Option<IpFamily>,
    /// Why the check failed; null where it did not.
    #[schema(required)]
    error_class: Option<ErrorClass>,
    /// The same in words; null where it did not fail.
    #[schema(required)]
    error_message: Option<String>,
    /// Whether the keyword was found; null without a rule.
    #[schema(required)]
    keyword_matched: Option<bool>,
    /// 0 for the first attempt.
    #[schema(minimum = 0)]
    retry_index: u32,
}

impl From<Check> for UptimeCheckPublic {
    fn from(check: Check) -> Self {
        let Check {
            id,
            domain_id: _,
            region,
            checked_at,
            outcome,
            run_id,
            status_code,
            http_version,
            response_ms,
            dns_ms,
            connect_ms,
            tls_ms,
            ttfb_ms,
            download_ms,
            redirect_count,
            final_url,
            response_bytes,
            ip_address,
            error_class,
            error_message,
            keyword_matched,
            retry_index,
        } = check;
        Self {
            check_id: id,
            checked_at: checked_at.into(),
            region,
            outcome,
            run_id,
            status_code,
            http_version,
            response_ms,
            dns_ms,
            connect_ms,
            tls_ms,
            ttfb_ms,
            download_ms,
            redirect_count,
            final_url,
            response_bytes,
            ip_address,
            ip_family: ip_address.map(|address| {
                if address.is_ipv4() {
                    IpFamily::V4
                } else {
                    IpFamily::V6
                }
            }),
            error_class,
            error_message,
            keyword_matched,
            retry_index,
        }
    }
}

impl Example for UptimeCheckPublic {
    fn example() -> Self {
        Self {
            check_id: CheckId(uuid!("0190f3c2-ad71-7f64-9085-6c4c3e9d1b44")),
            checked_at: datetime!(2026-03-31 09:14:30 UTC).into(),
            region: "local".to_owned(),
            outcome: Outcome::Up,
            run_id: None,
            status_code: Some(200),
            http_version: Some(HttpVersion::Http2),
            response_ms: Some(182.417),
            dns_ms: Some(11.208),
            connect_ms: Some(23.9),
            tls_ms: Some(48.114),
            ttfb_ms: Some(91.307),
            download_ms: Some(7.02),
            redirect_count: 0,
            final_url: Some("https://shop.example/".to_owned()),
            response_bytes: Some(18_204),
            ip_address: Some(IpAddr::from([203, 0, 113, 7])),
            ip_family: Some(IpFamily::V4),
            error_class: None,
            error_message: None,
            keyword_matched: None,
            retry_index: 0,
        }
    }
}
