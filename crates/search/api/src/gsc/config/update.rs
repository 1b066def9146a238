//! PUT /domains/{domain_id}/gsc/config

use pharos_domain::{
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    module::Module,
    patch::{Patch, set},
    role::Role,
    scope::Scope,
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_search::gsc::{
    config::{ConfigStore, SearchSettings, judged},
    figures::SearchType,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    GscConfigPublic,
    schemas::{GscBrandRegex, GscBrandTerms, GscMinImpressions, GscPathPatterns},
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateGscConfig",
    method: Verb::Put,
    path: "/domains/{domain_id}/gsc/config",
    module: Module::Gsc,
    summary: "Change the settings of search",
    description: "A partial update: a member that is left out stays as it is, and a list is replaced whole. The brand is \
                  told at once, for all days. A search type that is added is imported from the next sync on, its 16 months \
                  in the background; one that is taken out stays as it was stored. `brand_regex` has the syntax of RE2: no \
                  look-around, no back-references.",
    scope: Some(Scope::WriteGsc),
    min_role: Role::Admin,
    credits: Credits::Cheap,
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    body: Body<GscConfigUpdate>,
    configs: Port<dyn ConfigStore>,
    clock: Port<dyn Clock>,
) -> ApiResult<GscConfigPublic> {
    let expression = body.judged_in_turn(async |change| match &change.brand_regex {
        Patch::Set(pattern) => judged(pattern.clone()).await.map_err(|why| vec![why]),
        Patch::Keep | Patch::Clear => Ok(()),
    });
    let fault = expression
        .await
        .err()
        .and_then(|faults| faults.into_iter().next());
    let apply = |present: Option<&SearchSettings>| {
        body.judged(|change| {
            let present = present.cloned().unwrap_or_default();
            let stored = present.excluded_paths.clone();
            change
                .clone()
                .apply(present)
                .checked(fault.clone().map_or(Ok(()), Err), &stored)
        })
    };
    let config = configs
        .update(&access, &apply, access.identity().user_id, clock.now())
        .await?;
    Ok(config.into())
}

/// The settings to change. A member that is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct GscConfigUpdate {
    /// Texts that make a query one for the brand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<GscBrandTerms>)]
    brand_terms: Option<Vec<String>>,
    /// A regular expression that finds the brand in a query; null for none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<GscBrandRegex>)]
    brand_regex: Patch<String>,
    /// The search types that are imported, one at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 6)]
    search_types: Option<Vec<SearchType>>,
    /// Paths of pages that opportunities, CTR gaps, cannibalization and content decay leave out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<GscPathPatterns>)]
    excluded_paths: Option<Vec<String>>,
    /// How many impressions in 28 days a query needs to be among opportunities, CTR gaps and cannibalization, and a page among
    /// CTR gaps, which ask for 100 at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<GscMinImpressions>)]
    min_impressions: Option<u32>,
}

impl GscConfigUpdate {
    fn apply(self, mut settings: SearchSettings) -> SearchSettings {
        let Self {
            brand_terms,
            brand_regex,
            search_types,
            excluded_paths,
            min_impressions,
        } = self;
        set(brand_terms, &mut settings.brand_terms);
        brand_regex.apply(&mut settings.brand_regex);
        set(search_types, &mut settings.search_types);
        set(excluded_paths, &mut settings.excluded_paths);
        set(min_impressions, &mut settings.min_impressions);
        settings
    }
}

impl Example for GscConfigUpdate {
    fn example() -> Self {
        Self {
            brand_terms: Some(vec!["shop example".to_owned()]),
            excluded_paths: Some(vec!["/cart*".to_owned()]),
            ..Self::default()
        }
    }
}
