//! The row of a check.

use diesel::prelude::{Queryable, QueryableByName, Selectable};
use ipnet::IpNet;
use pharos_domain::{
    ids::{CheckId, DomainId, RunId},
    store::StoreError,
};
use pharos_persistence::names;
use pharos_uptime::{
    check::Check,
    probe::{ErrorClass, HttpVersion},
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::uptime_checks;

#[derive(Queryable, QueryableByName, Selectable)]
#[diesel(table_name = uptime_checks)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(super) struct CheckRow {
    id: Uuid,
    domain_id: Uuid,
    region: String,
    checked_at: OffsetDateTime,
    outcome: String,
    run_id: Option<Uuid>,
    status_code: Option<i32>,
    http_version: Option<String>,
    response_ms: Option<f64>,
    dns_ms: Option<f64>,
    connect_ms: Option<f64>,
    tls_ms: Option<f64>,
    ttfb_ms: Option<f64>,
    download_ms: Option<f64>,
    redirect_count: i32,
    final_url: Option<String>,
    response_bytes: Option<i64>,
    ip_address: Option<IpNet>,
    error_class: Option<String>,
    error_message: Option<String>,
    keyword_matched: Option<bool>,
    retry_index: i32,
}

fn parse_http_version(text: &str) -> Result<HttpVersion, StoreError> {
    [HttpVersion::Http10, HttpVersion::Http11, HttpVersion::Http2]
        .into_iter()
        .find(|version| version.as_str() == text)
        .ok_or_else(|| StoreError::Corrupt(format!("{text:?} is not a version of HTTP")))
}

fn parse_error_class(text: &str) -> Result<ErrorClass, StoreError> {
    text.parse()
        .map_err(|_| StoreError::Corrupt(format!("{text:?} is not an error class")))
}

impl TryFrom<CheckRow> for Check {
    type Error = StoreError;

    fn try_from(row: CheckRow) -> Result<Self, StoreError> {
        let CheckRow {
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
        } = row;
        Ok(Self {
            id: CheckId(id),
            domain_id: DomainId(domain_id),
            region,
            checked_at,
            outcome: outcome.parse()?,
            run_id: run_id.map(RunId),
            status_code: status_code.map(names::count).transpose()?,
            http_version: http_version.as_deref().map(parse_http_version).transpose()?,
            response_ms,
            dns_ms,
            connect_ms,
            tls_ms,
            ttfb_ms,
            download_ms,
            redirect_count: names::count(redirect_count)?,
            final_url,
            response_bytes: response_bytes.map(names::count).transpose()?,
            ip_address: ip_address.map(|address| address.addr()),
            error_class: error_class.as_deref().map(parse_error_class).transpose()?,
            error_message,
            keyword_matched,
            retry_index: names::count(retry_index)?,
        })
    }
}
