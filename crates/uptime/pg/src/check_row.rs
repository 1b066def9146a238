//! The row of a check.

use std::borrow::Cow;

use diesel::prelude::{Insertable, Queryable, QueryableByName, Selectable};
use ipnet::IpNet;
use pharos_domain::{
    ids::{CheckId, DomainId, RunId},
    store::StoreError,
};
use pharos_persistence::names;
use pharos_uptime::{check::Check, error_class::ErrorClass, probe::HttpVersion};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::uptime_checks;

/// Read and written alike; texts are borrowed on their way into the table.
#[derive(Insertable, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = uptime_checks)]
pub(super) struct CheckRow<'a> {
    pub(super) id: Uuid,
    domain_id: Uuid,
    region: Cow<'a, str>,
    pub(super) checked_at: OffsetDateTime,
    outcome: Cow<'a, str>,
    run_id: Option<Uuid>,
    status_code: Option<i32>,
    http_version: Option<Cow<'a, str>>,
    response_ms: Option<f64>,
    dns_ms: Option<f64>,
    connect_ms: Option<f64>,
    tls_ms: Option<f64>,
    ttfb_ms: Option<f64>,
    download_ms: Option<f64>,
    redirect_count: i32,
    final_url: Option<Cow<'a, str>>,
    response_bytes: Option<i64>,
    ip_address: Option<IpNet>,
    error_class: Option<Cow<'a, str>>,
    error_message: Option<Cow<'a, str>>,
    keyword_matched: Option<bool>,
    retry_index: i32,
}

fn parse_http_version(text: &str) -> Result<HttpVersion, StoreError> {
    [HttpVersion::Http10, HttpVersion::Http11, HttpVersion::Http2]
        .into_iter()
        .find(|version| version.as_str() == text)
        .ok_or_else(|| StoreError::Corrupt(format!("{text:?} is not a version of HTTP")))
}

impl TryFrom<CheckRow<'_>> for Check {
    type Error = StoreError;

    fn try_from(row: CheckRow<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            id: CheckId(row.id),
            domain_id: DomainId(row.domain_id),
            region: row.region.into_owned(),
            checked_at: row.checked_at,
            outcome: row.outcome.parse()?,
            run_id: row.run_id.map(RunId),
            status_code: row.status_code.map(names::count).transpose()?,
            http_version: row.http_version.as_deref().map(parse_http_version).transpose()?,
            response_ms: row.response_ms,
            dns_ms: row.dns_ms,
            connect_ms: row.connect_ms,
            tls_ms: row.tls_ms,
            ttfb_ms: row.ttfb_ms,
            download_ms: row.download_ms,
            redirect_count: names::count(row.redirect_count)?,
            final_url: row.final_url.map(Cow::into_owned),
            response_bytes: row.response_bytes.map(names::count).transpose()?,
            ip_address: row.ip_address.map(|address| address.addr()),
            error_class: row.error_class.as_deref().map(ErrorClass::named),
            error_message: row.error_message.map(Cow::into_owned),
            keyword_matched: row.keyword_matched,
            retry_index: names::count(row.retry_index)?,
        })
    }
}

impl<'a> From<&'a Check> for CheckRow<'a> {
    fn from(check: &'a Check) -> Self {
        let at_most = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
        Self {
            id: check.id.0,
            domain_id: check.domain_id.0,
            region: check.region.as_str().into(),
            checked_at: check.checked_at,
            outcome: check.outcome.as_str().into(),
            run_id: check.run_id.map(|id| id.0),
            status_code: check.status_code.map(i32::from),
            http_version: check.http_version.map(|version| version.as_str().into()),
            response_ms: check.response_ms,
            dns_ms: check.dns_ms,
            connect_ms: check.connect_ms,
            tls_ms: check.tls_ms,
            ttfb_ms: check.ttfb_ms,
            download_ms: check.download_ms,
            redirect_count: at_most(check.redirect_count),
            final_url: check.final_url.as_deref().map(Cow::Borrowed),
            response_bytes: check
                .response_bytes
                .map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
            ip_address: check.ip_address.map(IpNet::from),
            error_class: check.error_class.map(|class| class.as_str().into()),
            error_message: check.error_message.as_deref().map(Cow::Borrowed),
            keyword_matched: check.keyword_matched,
            retry_index: at_most(check.retry_index),
        }
    }
}
