//! GET /domains/{domain_id}/gsc/devices

use pharos_domain::{country::CountryCode, identity::DomainAccess, page::Page};
use pharos_http::{
    extract::{port::Port, query::Query, window::Dates},
    operation::ApiResult,
    spec::{OperationSpec, Paging, Window},
};
use pharos_search::gsc::{
    days::{DayReads, grouped},
    place::Country,
    property::PropertyStore,
};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use super::parts::{BASE, DevicePublic, OfSearchType, WindowRoot, linked};

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "listGscDevices",
    path: "/domains/{domain_id}/gsc/devices",
    summary: "The devices that people searched on",
    description: "The devices with the most clicks first, counted by property. Search types that do not tell devices apart have one row, \
                  whose device is null.",
    paging: Paging::Single,
    window: Window::Dates,
    ..BASE
};

#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct DevicesParameters {
    /// The country, ISO 3166-1 alpha-2; left out: all of them.
    #[param(inline, value_type = Option<CountryCode>)]
    country: Option<Country>,
}

pub(super) async fn list(
    access: DomainAccess,
    Dates(asked): Dates,
    Query(OfSearchType { search_type }): Query<OfSearchType>,
    Query(parameters): Query<DevicesParameters>,
    properties: Port<dyn PropertyStore>,
    days: Port<dyn DayReads>,
) -> ApiResult<Page<DevicePublic, WindowRoot>> {
    let property = linked(&access, &properties).await?;
    let mut places = days.places(&access, search_type, asked.window).await?;
    places.retain(|(place, _)| parameters.country.is_none() || place.country == parameters.country);
    let devices = grouped(&places, |place| place.device);
    let items = devices.into_iter().map(DevicePublic::from).collect();
    Ok(Page::single(items).with(WindowRoot::new(search_type, &property, &asked)))
}
