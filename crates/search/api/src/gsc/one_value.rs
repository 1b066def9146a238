//! One query or page in detail.

use std::collections::BTreeMap;

use pharos_domain::{
    identity::DomainAccess,
    window::{DateRange, ResolvedWindow},
};
use pharos_http::{extract::port::Port, problem::Problem};
use pharos_search::gsc::{
    days::{DayReads, History, PartFilter, grouped},
    figures::{Figures, SearchType},
    place::Place,
    property::Property,
};
use time::Date;

use super::{
    overview::ComparisonPublic,
    parts::{CountryPublic, DayPublic, DevicePublic},
};

/// One query or page: its days, and what they come to beside those before.
pub(super) struct OneValue {
    pub(super) property: Property,
    pub(super) totals: Option<Figures>,
    pub(super) comparison: ComparisonPublic,
    pub(super) items: Vec<DayPublic>,
    /// The days of the window on which it has a row.
    pub(super) found: BTreeMap<Date, Figures>,
}

impl OneValue {
    /// `part` is the query or page; the whole property stands for one that never occurred.
    pub(super) async fn read(
        access: &DomainAccess,
        days: &Port<dyn DayReads>,
        property: Property,
        search_type: SearchType,
        asked: &ResolvedWindow,
        part: &PartFilter,
    ) -> Result<Self, Problem> {
        let (window, before) = (asked.window, asked.preceding());
        let both = DateRange::new(before.window.first(), window.last()).unwrap_or(window);
        let found = if part.is_whole() {
            None
        } else {
            days.series(access, search_type, both, part).await?
        };
        let is_known = found.is_some();
        let mut before_found = found.unwrap_or_default();
        let found = before_found.split_off(&window.first());
        let stored = days.days(access, &[search_type], &[both]).await?;
        let history = History::new(property, stored);
        let day = |date, found: &BTreeMap<Date, Figures>| {
            history.part(search_type, date, found).filter(|_| is_known)
        };
        let total = |window: DateRange, found: &BTreeMap<Date, Figures>| {
            let known: Vec<Figures> = window.dates().filter_map(|date| day(date, found)).collect();
            (!known.is_empty()).then(|| known.into_iter().sum::<Figures>())
        };
        let totals = total(window, &found);
        let is_compared = before.is_kept && history.property().reach.reaches(search_type, before.window);
        let totals_before = total(before.window, &before_found).filter(|_| is_compared);
        let items = window
            .dates()
            .map(|date| DayPublic::new(date, day(date, &found)))
            .collect();
        Ok(Self {
            totals,
            comparison: ComparisonPublic::new(totals, totals_before, before.mode),
            items,
            property: history.property().clone(),
            found,
        })
    }
}

/// How many countries a detail has.
const TOP_COUNTRIES: usize = 10;

/// The devices, the most clicks first.
pub(super) fn top_devices(places: &[(Place, Figures)]) -> Vec<DevicePublic> {
    let devices = grouped(places, |place| place.device);
    devices.into_iter().map(DevicePublic::from).collect()
}

/// The countries with the most clicks.
pub(super) fn top_countries(places: &[(Place, Figures)]) -> Vec<CountryPublic> {
    let countries = grouped(places, |place| place.country).into_iter();
    countries.take(TOP_COUNTRIES).map(CountryPublic::from).collect()
}
