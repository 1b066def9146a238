//! GET /domains/{domain_id}/gsc/countries

use pharos_domain::{
    identity::DomainAccess,
    page::{OffsetPage, OffsetRequest, TotalName},
};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::ApiResult,
    spec::{DEFAULT_PAGE_SIZE, OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    days::{DayReads, grouped},
    figures::Device,
    property::PropertyStore,
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::parts::{BASE, CountryPublic, OfSearchType, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscCountries",
    path: "/domains/{domain_id}/gsc/countries",
    summary: "Where in the world people searched",
    description: "The countries with the most clicks first, counted by property.",
    paging: Paging::Offset {
        max: 1_000,
        default: DEFAULT_PAGE_SIZE,
    },
    window: Window::Dates,
    ..BASE
};

#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct CountriesParameters {
    /// The device; left out: all of them.
    #[param(inline)]
    device: Option<Device>,
}

/// The name of the total.
#[derive(Debug)]
pub(super) struct TotalCountries;

impl TotalName for TotalCountries {
    const NAME: &'static str = "total_countries";
}

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    Query(parameters): Query<CountriesParameters>,
    page: OffsetRequest,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
) -> ApiResult<OffsetPage<CountryPublic, TotalCountries, WindowRoot>> {
    let property = linked(&access, &properties).await?;
    let mut places = days.places(&access, search_type, asked.window).await?;
    places.retain(|(place, _)| parameters.device.is_none() || place.device == parameters.device);
    // A world has few countries.
    let countries = grouped(&places, |place| place.country);
    let total = countries.len() as u64;
    let skipped = usize::try_from(page.offset).unwrap_or(usize::MAX);
    let items = countries
        .into_iter()
        .skip(skipped)
        .take(page.limit as usize)
        .map(CountryPublic::from)
        .collect();
    let root = WindowRoot::new(search_type, &property, &asked);
    Ok(OffsetPage::new(items, total, page).with(root))
}
