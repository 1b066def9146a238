//! /domains/{domain_id}/analytics/config

mod schemas;
pub(super) mod update;
pub(super) mod view;

use pharos_analytics::{
    sessions::IDLE_MINUTES,
    settings::{AnalyticsSettings, AnalyticsSite},
};
use pharos_domain::{collect::site::SiteKey, ids::UserId, timestamp::Timestamp};
use pharos_http::operation::Example;
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

/// The settings of a domain's web analytics.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsConfigPublic)]
pub(super) struct AnalyticsConfigPublic {
    /// Whether anything is stored. False, too, where analytics was not set up yet.
    enabled: bool,
    /// The currency in which revenue is shown, one in use by ISO 4217.
    currency: String,
    /// Whether titles of pages are stored.
    store_page_titles: bool,
    /// Whether terms of searches are stored.
    store_search_terms: bool,
    /// Names of the query that carry a search of the site.
    search_params: Vec<String>,
    /// Extensions of files whose links count as downloads.
    download_extensions: Vec<String>,
    /// The public name of the site in its pages. It is no secret.
    site_key: String,
    /// Hosts whose pages may send, beside the domain and what lies below it; `*.cdn.example` stands for all hosts below
    /// `cdn.example`.
    allowed_hosts: Vec<String>,
    /// Paths of which nothing is stored; `*` stands for any text.
    excluded_paths: Vec<String>,
    /// How many networks nothing is stored of. The networks themselves are never shown.
    #[schema(minimum = 0)]
    excluded_ips_count: usize,
    /// Names of the query that are taken out of addresses.
    excluded_query_params: Vec<String>,
    /// How long a session goes on without a sign of life.
    session_timeout_minutes: u32,
    /// Whether ecommerce was recorded.
    ecommerce_enabled: bool,
    /// When the settings last changed; null before the first change.
    #[schema(required)]
    updated_at: Option<Timestamp>,
    /// Who changed them; null before the first change, and where the service did itself.
    #[schema(required)]
    updated_by: Option<UserId>,
}

impl AnalyticsConfigPublic {
    /// The settings of a site; `None`: nobody has said anything.
    fn new(site: Option<AnalyticsSite>, SiteKey(site_key): SiteKey) -> Self {
        let updated_at = site.as_ref().map(|site| site.updated_at.into());
        let updated_by = site.as_ref().and_then(|site| site.updated_by);
        let ecommerce_enabled = site.as_ref().is_some_and(|site| site.has_commerce);
        let settings = site.map(|site| site.settings);
        let settings = settings.unwrap_or_else(|| AnalyticsSettings {
            enabled: false,
            ..AnalyticsSettings::default()
        });
        let AnalyticsSettings {
            enabled,
            currency,
            store_page_titles,
            store_search_terms,
            search_params,
            download_extensions,
            allowed_hosts,
            excluded_paths,
            excluded_ips,
            excluded_query_params,
        } = settings;
        Self {
            enabled,
            currency,
            store_page_titles,
            store_search_terms,
            search_params,
            download_extensions,
            site_key,
            allowed_hosts,
            excluded_paths,
            excluded_ips_count: excluded_ips.len(),
            excluded_query_params,
            session_timeout_minutes: IDLE_MINUTES,
            ecommerce_enabled,
            updated_at,
            updated_by,
        }
    }
}

impl Example for AnalyticsConfigPublic {
    fn example() -> Self {
        Self {
            enabled: true,
            currency: "EUR".to_owned(),
            store_page_titles: true,
            store_search_terms: false,
            search_params: vec!["q".to_owned(), "s".to_owned()],
            download_extensions: vec!["pdf".to_owned(), "zip".to_owned()],
            site_key: "pst_4fQ7mZt1Xc9KpR2vLw8aYd".to_owned(),
            allowed_hosts: vec!["shop-preview.example".to_owned()],
            excluded_paths: vec!["/admin/*".to_owned()],
            excluded_ips_count: 1,
            excluded_query_params: vec!["sid".to_owned()],
            session_timeout_minutes: IDLE_MINUTES,
            ecommerce_enabled: true,
            updated_at: Some(datetime!(2026-03-12 14:02:00 UTC).into()),
            updated_by: Some(UserId(uuid!("0190f3c2-6f3d-7b20-8c41-2e0e9a597d00"))),
        }
    }
}
