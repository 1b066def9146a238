//! PUT /domains/{domain_id}/rum/config

use pharos_domain::{
    clock::Clock, collect::site::SiteKeys, credits::Charged, identity::DomainAccess, module::Module,
    patch::set, role::Role, scope::Scope,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_vitals::{
    settings::{UrlGroup, VitalsSettings},
    store::VitalsSites,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    RumConfigPublic,
    schemas::{CountryCodes, RumPathPatterns, RumQueryNames, RumUrlGroups},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateRumConfig",
    method: Verb::Put,
    path: "/domains/{domain_id}/rum/config",
    module: Module::Rum,
    summary: "Change the settings of real-user monitoring, or set it up",
    description: "A partial update: a member that is left out stays as it is, and a list is replaced whole. The first \
                  call sets it up with the defaults. Data that was stored stays as it was: groups of pages and \
                  exclusions are for what comes. Scripts in pages follow within 5 minutes.",
    scope: Some(Scope::WriteRum),
    min_role: Role::Admin,
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    body: Body<RumConfigUpdate>,
    sites: Port<dyn VitalsSites>,
    keys: Port<dyn SiteKeys>,
    clock: Port<dyn Clock>,
) -> ApiResult<RumConfigPublic> {
    let key = keys.of(&access).await?;
    let apply = |present: Option<&VitalsSettings>| {
        body.judged(|change| {
            change
                .clone()
                .apply(present.cloned().unwrap_or_default())
                .checked()
        })
    };
    let site = sites
        .update(&access, &apply, access.identity().user_id, clock.now())
        .await?;
    Ok(RumConfigPublic::new(Some(site), key))
}

/// The settings to change. A member that is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RumConfigUpdate {
    /// Whether anything is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// Which share of page loads is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, maximum = 1)]
    sample_rate: Option<f64>,
    /// Whether pages say what caused a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    collect_attribution: Option<bool>,
    /// Whether pages tell what they load.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    collect_resources: Option<bool>,
    /// Whether pages tell of errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    collect_errors: Option<bool>,
    /// Whether route changes within a page count as views of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    soft_navigations: Option<bool>,
    /// Names of the query that never count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<RumQueryNames>)]
    ignored_query_params: Option<Vec<String>>,
    /// Pages that count as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<RumUrlGroups>)]
    url_groups: Option<Vec<UrlGroup>>,
    /// Paths of which nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<RumPathPatterns>)]
    excluded_paths: Option<Vec<String>>,
    /// Countries of which nothing is stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<CountryCodes>)]
    excluded_countries: Option<Vec<String>>,
    /// Whether browsers that ask not to be tracked, by Do Not Track or Global Privacy Control, are left alone. Where this module is
    /// switched on, it holds for web analytics, too; where it is not, web analytics counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    respect_dnt: Option<bool>,
}

impl RumConfigUpdate {
    fn apply(self, mut settings: VitalsSettings) -> VitalsSettings {
        let Self {
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
        } = self;
        set(enabled, &mut settings.enabled);
        set(sample_rate, &mut settings.sample_rate);
        set(collect_attribution, &mut settings.collect_attribution);
        set(collect_resources, &mut settings.collect_resources);
        set(collect_errors, &mut settings.collect_errors);
        set(soft_navigations, &mut settings.soft_navigations);
        set(ignored_query_params, &mut settings.ignored_query_params);
        set(url_groups, &mut settings.url_groups);
        set(excluded_paths, &mut settings.excluded_paths);
        set(excluded_countries, &mut settings.excluded_countries);
        set(respect_dnt, &mut settings.respect_dnt);
        settings
    }
}

impl Example for RumConfigUpdate {
    fn example() -> Self {
        Self {
            enabled: Some(true),
            sample_rate: Some(0.5),
            url_groups: Some(vec![UrlGroup {
                pattern: "/p/*".to_owned(),
                label: "/p/:product".to_owned(),
            }]),
            ..Self::default()
        }
    }
}
