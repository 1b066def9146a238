//! A check on its way into the table.

use diesel::Insertable;
use ipnet::IpNet;
use pharos_uptime::check::Check;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::uptime_checks;

#[derive(Insertable)]
#[diesel(table_name = uptime_checks)]
pub(super) struct NewCheckRow<'a> {
    id: Uuid,
    domain_id: Uuid,
    region: &'a str,
    checked_at: OffsetDateTime,
    outcome: &'static str,
    run_id: Option<Uuid>,
    status_code: Option<i32>,
    http_version: Option<&'static str>,
    response_ms: Option<f64>,
    dns_ms: Option<f64>,
    connect_ms: Option<f64>,
    tls_ms: Option<f64>,
    ttfb_ms: Option<f64>,
    download_ms: Option<f64>,
    redirect_count: i32,
    final_url: Option<&'a str>,
    response_bytes: Option<i64>,
    ip_address: Option<IpNet>,
    error_class: Option<&'static str>,
    error_message: Option<&'a str>,
    keyword_matched: Option<bool>,
    retry_index: i32,
}

impl<'a> From<&'a Check> for NewCheckRow<'a> {
    fn from(check: &'a Check) -> Self {
        let Check {
            id,
            domain_id,
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
            id: id.0,
            domain_id: domain_id.0,
            region,
            checked_at: *checked_at,
            outcome: outcome.as_str(),
            run_id: run_id.map(|id| id.0),
            status_code: status_code.map(i32::from),
            http_version: http_version.map(|version| version.as_str()),
            response_ms: *response_ms,
            dns_ms: *dns_ms,
            connect_ms: *connect_ms,
            tls_ms: *tls_ms,
            ttfb_ms: *ttfb_ms,
            download_ms: *download_ms,
            redirect_count: i32::try_from(*redirect_count).unwrap_or(i32::MAX),
            final_url: final_url.as_deref(),
            response_bytes: response_bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
            ip_address: ip_address.map(IpNet::from),
            error_class: error_class.map(|class| class.as_str()),
            error_message: error_message.as_deref(),
            keyword_matched: *keyword_matched,
            retry_index: i32::try_from(*retry_index).unwrap_or(i32::MAX),
        }
    }
}
