//! GET /domains/{domain_id}/analytics/countries

use pharos_analytics::{
    breakdown::{Grouping, MOST_PARTS, Part, PartKey},
    filter::Filters,
    filter_texts::FilterTexts,
    store::{SiteStore, VisitStore},
};
use pharos_domain::{identity::DomainAccess, page::Page, window::Meta, wire_enum};
use pharos_http::{
    countries::country_name,
    extract::{port::Port, query::Query, window::FullWindow},
    operation::{ApiResult, Example},
    spec::{OperationSpec, Paging},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    READ, meta, missing,
    parts::{self, PartFigures},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listAnalyticsCountries",
    path: "/domains/{domain_id}/analytics/countries",
    summary: "Where in the world visitors are",
    description: "By country, region or city, as `level` says; what is not known is null. The 1,000 with the most visitors, those \
                  first; `total_rows` says how many there are.",
    paging: Paging::Single,
    ..READ
};

/// The name that stands for places that nobody knows.
const UNKNOWN: &str = "Unknown";

wire_enum! {
    /// How closely places are told apart.
    PlaceLevel {
        /// Countries.
        Country = "country",
        /// Regions of countries.
        Region = "region",
        /// Cities.
        City = "city",
    }
}

#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct CountriesParameters {
    /// How closely places are told apart; left out: countries.
    #[param(inline, value_type = Option<PlaceLevel>)]
    level: PlaceLevel,
}

impl Default for CountriesParameters {
    fn default() -> Self {
        Self {
            level: PlaceLevel::Country,
        }
    }
}

pub(super) async fn list(
    access: DomainAccess,
    FullWindow(asked): FullWindow,
    Query(parameters): Query<CountriesParameters>,
    Query(filters): Query<FilterTexts>,
    sites: Port<dyn SiteStore>,
    visits: Port<dyn VisitStore>,
) -> ApiResult<Page<AnalyticsCountryPublic, CountriesRoot>> {
    let CountriesParameters { level } = parameters;
    let site = sites.view(&access).await?.ok_or_else(missing)?;
    let filters = Filters::from(filters);
    let grouping = match level {
        PlaceLevel::Country => Grouping::Country,
        PlaceLevel::Region => Grouping::Region,
        PlaceLevel::City => Grouping::City,
    };
    let query = parts::query(asked.window, &filters, &site);
    let found = visits.breakdowns(&access, &query, &[grouping]).await?;
    let breakdown = found.breakdowns.first();
    let items = breakdown
        .into_iter()
        .flat_map(|breakdown| &breakdown.parts)
        .map(|part| {
            let figures = PartFigures::new(part, &found, site.has_commerce);
            AnalyticsCountryPublic::new(part, level, figures)
        })
        .collect();
    let total_rows = breakdown.map_or(0, |breakdown| breakdown.total);
    Ok(Page::single(items).with(CountriesRoot {
        level,
        currency: site.has_commerce.then_some(site.settings.currency),
        total_rows,
        truncated: total_rows > u64::from(MOST_PARTS),
        meta: meta(&asked, found.last_at),
    }))
}

/// Sessions of visitors in one place.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsCountry)]
pub(super) struct AnalyticsCountryPublic {
    /// The code of the country or region, or the name of the city; null where it is not known.
    #[schema(required)]
    key: Option<String>,
    /// The name for people.
    label: String,
    /// The country, ISO 3166-1 alpha-2; null where it is not known.
    #[schema(required)]
    country: Option<String>,
    /// The English name of the country.
    country_name: String,
    /// The region, ISO 3166-2; null where it is not known, and by country.
    #[schema(required)]
    region: Option<String>,
    /// Its name; null where `region` is.
    #[schema(required)]
    region_name: Option<String>,
    /// The city; null where it is not known, and by country and region. It has no code, so this is its name.
    #[schema(required)]
    city: Option<String>,
    /// Its name; null where `city` is.
    #[schema(required)]
    city_name: Option<String>,
    #[serde(flatten)]
    figures: PartFigures,
}

impl AnalyticsCountryPublic {
    fn new(part: &Part, level: PlaceLevel, figures: PartFigures) -> Self {
        let (country, region, city) = match (part.key.clone(), level) {
            (PartKey::Text(country), _) => (country, None, None),
            (PartKey::Place { name, country, .. }, PlaceLevel::Region) => (country, name, None),
            (
                PartKey::Place {
                    name,
                    country,
                    region,
                },
                _,
            ) => (country, region, name),
            (PartKey::Channel(_) | PartKey::Device(_) | PartKey::Pair(..), _) => (None, None, None),
        };
        let country_name = country_name(country.as_deref());
        let region_name = region.as_deref().map(region_name);
        let (key, name) = match level {
            PlaceLevel::Country => (&country, Some(country_name.clone())),
            PlaceLevel::Region => (&region, region_name.clone()),
            PlaceLevel::City => (&city, city.clone()),
        };
        Self {
            key: key.clone(),
            label: name.unwrap_or_else(|| UNKNOWN.to_owned()),
            city_name: city.clone(),
            country,
            country_name,
            region,
            region_name,
            city,
            figures,
        }
    }
}

/// The name of a region; of one that the list does not have, its code.
fn region_name(code: &str) -> String {
    rust_iso3166::iso3166_2::from_code(code)
        .map_or(code, |region| region.name)
        .to_owned()
}

/// The members of the answer beside the list of places.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalyticsCountriesRoot)]
pub(super) struct CountriesRoot {
    /// How closely places are told apart.
    level: PlaceLevel,
    /// The currency of `revenue`, ISO 4217; null where ecommerce was never recorded.
    #[schema(required)]
    currency: Option<String>,
    /// How many rows there are.
    #[schema(minimum = 0)]
    total_rows: u64,
    /// Whether some are not shown.
    truncated: bool,
    /// The window in force, which the figures are of.
    meta: Meta,
}

impl Example for AnalyticsCountryPublic {
    fn example() -> Self {
        Self {
            key: Some("DE".to_owned()),
            label: "Germany".to_owned(),
            country: Some("DE".to_owned()),
            country_name: "Germany".to_owned(),
            region: None,
            region_name: None,
            city: None,
            city_name: None,
            figures: PartFigures::example(),
        }
    }
}

impl Example for CountriesRoot {
    fn example() -> Self {
        Self {
            level: PlaceLevel::Country,
            currency: Some("EUR".to_owned()),
            total_rows: 1,
            truncated: false,
            meta: Meta::example(),
        }
    }
}
