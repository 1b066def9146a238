//! /domains/{domain_id}/rum/config

mod schemas;
pub(super) mod update;
pub(super) mod view;

use pharos_domain::{collect::site::SiteKey, timestamp::Timestamp};
use pharos_http::operation::Example;
use pharos_vitals::settings::{RETENTION_MONTHS, UrlGroup, VitalsSettings, VitalsSite};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

/// The settings of a domain's real-user monitoring.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumConfig)]
pub(super) struct RumConfigPublic {
    /// Whether anything is stored. False, too, where it was not set up yet.
    enabled: bool,
    /// The public name of the site in its pages. It is no secret.
    site_key: String,
    /// Which share of page loads is measured.
    #[schema(minimum = 0, maximum = 1)]
    sample_rate: f64,
    /// Whether pages say what caused a value.
    collect_attribution: bool,
    /// Whether pages tell what they load.
    collect_resources: bool,
    /// Whether pages tell of errors.
    collect_errors: bool,
    /// Whether route changes within a page count as views of their own.
    soft_navigations: bool,
    /// Names of the query that never count: with `soft_navigations` a route change that changes no more than these is no view of its
    /// own. No query is stored, whatever stands here.
    ignored_query_params: Vec<String>,
    /// Pages that count as one; the first pattern that fits counts.
    url_groups: Vec<UrlGroup>,
    /// Paths of which nothing is stored; `*` stands for any text.
    excluded_paths: Vec<String>,
    /// Countries of which nothing is stored, ISO 3166-1 alpha-2.
    excluded_countries: Vec<String>,
    /// Whether browsers that ask not to be tracked, by Do Not Track or Global Privacy Control, are left alone. Where this module is
    /// switched on, it holds for web analytics, too; where it is not, web analytics counts them.
    respect_dnt: bool,
    /// How many months views are kept.
    #[schema(read_only)]
    retention_months: u8,
    /// When the settings last changed; null before the first change.
    #[schema(required)]
    updated_at: Option<Timestamp>,
}

impl RumConfigPublic {
    /// The settings of a site; `None`: nobody has said anything.
    fn new(site: Option<VitalsSite>, SiteKey(site_key): SiteKey) -> Self {
        let updated_at = site.as_ref().map(|site| site.updated_at.into());
        let settings = site.map(|site| site.settings);
        let settings = settings.unwrap_or_else(|| VitalsSettings {
            enabled: false,
            ..VitalsSettings::default()
        });
        let VitalsSettings {
            enabled,
            sample_rate,
            collect_attribution,
            collect_resources,
            collect_errors,
            soft_navigations,
            ignored_query_params,
            url_groups,
            excluded_paths,
            excluded_countries,
            respect_dnt,
        } = settings;
        Self {
            enabled,
            site_key,
            sample_rate,
            collect_attribution,
            collect_resources,
            collect_errors,
            soft_navigations,
            ignored_query_params,
            url_groups,
            excluded_paths,
            excluded_countries,
            respect_dnt,
            retention_months: RETENTION_MONTHS,
            updated_at,
        }
    }
}

impl Example for RumConfigPublic {
    fn example() -> Self {
        let site = VitalsSite {
            settings: VitalsSettings {
                url_groups: vec![UrlGroup {
                    pattern: "/p/*".to_owned(),
                    label: "/p/:product".to_owned(),
                }],
                excluded_paths: vec!["/admin/*".to_owned()],
                ..VitalsSettings::default()
            },
            updated_at: datetime!(2026-03-12 14:02:00 UTC),
        };
        Self::new(Some(site), SiteKey("pst_4fQ7mZt1Xc9KpR2vLw8aYd".to_owned()))
    }
}
