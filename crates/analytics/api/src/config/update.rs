//! PUT /domains/{domain_id}/analytics/config

use pharos_analytics::{settings::AnalyticsSettings, store::SiteStore};
use pharos_domain::{
    clock::Clock, collect::site::SiteKeys, credits::Charged, identity::DomainAccess, module::Module,
    patch::set, role::Role, scope::Scope,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    AnalyticsConfigPublic,
    schemas::{self, CurrencyCode, FileExtensions, HostNames, PathPatterns, QueryNames},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateAnalyticsConfig",
    method: Verb::Put,
    path: "/domains/{domain_id}/analytics/config",
    module: Module::Analytics,
    summary: "Change the settings of web analytics, or set it up",
    description: "A partial update: a member that is left out stays as it is, and a list is replaced whole. The first \
                  call sets analytics up with the defaults. Data that was stored stays when a switch is turned off, \
                  but is shown no more. `excluded_ips` is never shown again.",
    scope: Some(Scope::WriteAnalytics),
    min_role: Role::Admin,
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    body: Body<AnalyticsConfigUpdateRequest>,
    store: Port<dyn SiteStore>,
    keys: Port<dyn SiteKeys>,
    clock: Port<dyn Clock>,
) -> ApiResult<AnalyticsConfigPublic> {
    let key = keys.of(&access).await?;
    let apply = |present: Option<&AnalyticsSettings>| {
        body.judged(|change| {
            let present = present.cloned().unwrap_or_default();
            change.clone().apply(present)
        })
    };
    let site = store
        .update(&access, &apply, access.identity().user_id, clock.now())
        .await?;
    Ok(AnalyticsConfigPublic::new(Some(site), key))
}

/// The settings to change. A member that is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AnalyticsConfigUpdateRequest {
    /// Whether anything is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// The currency in which revenue is shown, one in use by ISO 4217.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<CurrencyCode>)]
    currency: Option<String>,
    /// Whether titles of pages are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    store_page_titles: Option<bool>,
    /// Whether terms of searches are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    store_search_terms: Option<bool>,
    /// Names of the query that carry a search of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<QueryNames>)]
    search_params: Option<Vec<String>>,
    /// Extensions of files whose links count as downloads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<FileExtensions>)]
    download_extensions: Option<Vec<String>>,
    /// Hosts whose pages may send, beside the domain and what lies below it; `*.cdn.example` stands for all hosts below
    /// `cdn.example`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<HostNames>)]
    allowed_hosts: Option<Vec<String>>,
    /// Paths of which nothing is stored; `*` stands for any text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<PathPatterns>)]
    excluded_paths: Option<Vec<String>>,
    /// Networks, or single addresses, of which nothing is stored, such as 192.0.2.0/24. They are never shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<schemas::Networks>)]
    excluded_ips: Option<Vec<String>>,
    /// Names of the query that are taken out of addresses.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<QueryNames>)]
    excluded_query_params: Option<Vec<String>>,
}

impl AnalyticsConfigUpdateRequest {
    /// Lays the change over the settings that stand.
    fn apply(
        self,
        mut settings: AnalyticsSettings,
    ) -> Result<AnalyticsSettings, Vec<pharos_domain::settings::SettingFault>> {
        let Self {
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
        } = self;
        set(enabled, &mut settings.enabled);
        set(currency, &mut settings.currency);
        set(store_page_titles, &mut settings.store_page_titles);
        set(store_search_terms, &mut settings.store_search_terms);
        set(search_params, &mut settings.search_params);
        set(download_extensions, &mut settings.download_extensions);
        set(allowed_hosts, &mut settings.allowed_hosts);
        set(excluded_paths, &mut settings.excluded_paths);
        set(excluded_query_params, &mut settings.excluded_query_params);
        settings.checked(excluded_ips.as_deref())
    }
}

impl Example for AnalyticsConfigUpdateRequest {
    fn example() -> Self {
        Self {
            currency: Some("EUR".to_owned()),
            store_search_terms: Some(true),
            excluded_ips: Some(vec!["192.0.2.0/24".to_owned()]),
            ..Self::default()
        }
    }
}
