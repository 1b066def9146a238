//! GET /domains/{domain_id}/rum/countries

use pharos_domain::{identity::DomainAccess, page::Page};
use pharos_http::{
    countries::country_name,
    extract::{port::Port, query::Query, window::Dates},
    operation::{ApiResult, Example},
    spec::OperationSpec,
};
use pharos_vitals::{
    slices::{Dimension, Slice, SliceReads, Slices},
    store::VitalsReads,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    filters::ViewFilters,
    slices::{BASE, SlicePublic, SlicesRoot, read},
};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listRumCountries",
    path: "/domains/{domain_id}/rum/countries",
    summary: "Vitals by country",
    ..BASE
};

/// More than there are countries.
const MOST: usize = 250;

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(filters): Query<ViewFilters>,
    slices: Port<dyn SliceReads>,
    reads: Port<dyn VitalsReads>,
) -> ApiResult<Page<RumCountryPublic, SlicesRoot>> {
    let wanted = ([Dimension::Country], MOST);
    let ([found], root) = read(&access, &asked, &filters.into(), wanted, &slices, &reads).await?;
    let items = found
        .slices
        .iter()
        .map(|slice| RumCountryPublic::new(&found, slice));
    Ok(Page::single(items.collect()).with(root.of(&found)))
}

/// The views from a country.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RumCountry)]
pub(super) struct RumCountryPublic {
    /// The country, ISO 3166-1 alpha-2; null where it is not known.
    #[schema(required)]
    country: Option<String>,
    /// Its name in English, as ISO 3166-1 has it.
    country_name: String,
    #[serde(flatten)]
    slice: SlicePublic,
}

impl RumCountryPublic {
    pub(super) fn new(slices: &Slices, slice: &Slice) -> Self {
        let country = slice.key.text();
        let name = country_name(country);
        Self {
            country: country.map(str::to_owned),
            slice: SlicePublic::new(slices, slice, country.map(|code| (code.to_owned(), name.clone()))),
            country_name: name,
        }
    }
}

impl Example for RumCountryPublic {
    fn example() -> Self {
        Self {
            country: Some("DE".to_owned()),
            country_name: "Germany".to_owned(),
            slice: SlicePublic::example("DE", "Germany"),
        }
    }
}
