//! The parts that reads of search performance share.

use std::collections::HashMap;

use pharos_domain::{
    country::CountryCode,
    day::Day,
    identity::DomainAccess,
    module::Module,
    module_block::SearchFigures,
    problem::Suffix,
    scope::Scope,
    window::{DataThrough, Meta, ResolvedWindow, change, change_pct},
};
use pharos_http::{
    countries::country_name,
    extract::{port::Port, window::Compared},
    operation::Example,
    problem::Problem,
    spec::{Bucket, Credits, OperationSpec},
};
use pharos_search::gsc::{
    days::{DataState, DayReads, History},
    figures::{Device, Figures, SearchType},
    place::Country,
    property::{Property, PropertyStore},
    values::{RowsOf, ValueId, ValueReads, Values},
};
use serde::{Deserialize, Serialize};
use time::{Date, macros::date};
use utoipa::{IntoParams, ToSchema};

/// The declaration that all reads begin with.
pub(super) const BASE: OperationSpec = OperationSpec {
    module: Module::Gsc,
    scope: Some(Scope::ReadGsc),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 3_600,
    problems: &[Suffix::GscPropertyNotLinked],
    ..OperationSpec::GET
};

/// The property of the domain.
pub(super) async fn linked(
    access: &DomainAccess,
    properties: &Port<dyn PropertyStore>,
) -> Result<Property, Problem> {
    properties.property(access).await?.ok_or_else(|| {
        Problem::new(
            Suffix::GscPropertyNotLinked,
            "The domain is not linked to a property of Search Console. An admin of the workspace links one in the console, or the \
             operator with `pharos admin search link`.",
        )
    })
}

/// The search type.
#[derive(Debug, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct OfSearchType {
    /// Where in Google's products the site appeared; left out: the search for pages.
    #[param(inline, value_type = Option<SearchType>)]
    pub(super) search_type: SearchType,
}

impl Default for OfSearchType {
    fn default() -> Self {
        Self {
            search_type: SearchType::Web,
        }
    }
}

/// Where and on what people searched.
#[derive(Debug, Default, Deserialize, Serialize, IntoParams)]
#[serde(default)]
pub(super) struct PlaceFilters {
    /// The country, ISO 3166-1 alpha-2.
    #[param(inline, value_type = Option<CountryCode>)]
    pub(super) country: Option<Country>,
    /// The device.
    #[param(inline)]
    pub(super) device: Option<Device>,
}

pub(super) const EXAMPLE: SearchFigures = SearchFigures {
    clicks: 128,
    impressions: 2_560,
    ctr: Some(0.05),
    position: Some(4.2),
};

/// Figures of days of which perhaps nothing is known.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = SearchKnownFigures)]
pub(super) struct KnownFigures {
    /// Clicks; null where nothing is known of the days.
    #[schema(required, minimum = 0)]
    clicks: Option<u64>,
    /// Impressions; null where nothing is known of the days.
    #[schema(required, minimum = 0)]
    impressions: Option<u64>,
    /// Clicks ÷ impressions, 0 to 1; null without impressions.
    #[schema(required, minimum = 0, maximum = 1)]
    ctr: Option<f64>,
    /// The mean position of an impression from 1, lower is better; null without impressions, and where there is no ranked
    /// list.
    #[schema(required, minimum = 1)]
    position: Option<f64>,
}

impl From<Option<Figures>> for KnownFigures {
    fn from(figures: Option<Figures>) -> Self {
        Self {
            clicks: figures.map(|figures| figures.clicks),
            impressions: figures.map(|figures| figures.impressions),
            ctr: figures.and_then(|figures| figures.ctr()),
            position: figures.and_then(|figures| figures.position()),
        }
    }
}

impl KnownFigures {
    pub(super) const EXAMPLE: Self = Self {
        clicks: Some(EXAMPLE.clicks),
        impressions: Some(EXAMPLE.impressions),
        ctr: EXAMPLE.ctr,
        position: EXAMPLE.position,
    };
}

/// The figures of a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchDay)]
pub(super) struct DayPublic {
    /// The day, as the upstream calls it: in Pacific time.
    date: Day,
    #[serde(flatten)]
    figures: KnownFigures,
}

impl DayPublic {
    pub(super) fn new(date: Date, figures: Option<Figures>) -> Self {
        Self {
            date: Day(date),
            figures: figures.into(),
        }
    }

    pub(super) const EXAMPLE: Self = Self {
        date: Day(date!(2026 - 03 - 29)),
        figures: KnownFigures::EXAMPLE,
    };
}

/// A row beside what it was on the days before; all of it is left out without compare_previous.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchBefore)]
pub(super) struct BeforePublic {
    /// The clicks of the days before; null where those are not known.
    #[schema(minimum = 0)]
    clicks_previous: Option<u64>,
    /// The change of clicks against them in percent; null where there is nothing to compare with.
    clicks_change_pct: Option<f64>,
    /// The impressions of the days before; null where those are not known.
    #[schema(minimum = 0)]
    impressions_previous: Option<u64>,
    /// The change of impressions against them in percent; null where there is nothing to compare with.
    impressions_change_pct: Option<f64>,
    /// The CTR of the days before, 0 to 1; null without impressions.
    #[schema(minimum = 0, maximum = 1)]
    ctr_previous: Option<f64>,
    /// The CTR less that of the days before; null where there is nothing to compare with.
    ctr_change: Option<f64>,
    /// The mean position on the days before; null without impressions.
    #[schema(minimum = 1)]
    position_previous: Option<f64>,
    /// The position less that of the days before: negative is better. Null where there is nothing to compare with.
    position_change: Option<f64>,
}

impl BeforePublic {
    /// `before`: `None` where the days before are not known.
    pub(super) fn new(now: Figures, before: Option<Figures>) -> Self {
        let count = |of: fn(&Figures) -> u64| {
            let before = before.as_ref().map(of);
            (
                before,
                change_pct(Some(of(&now) as f64), before.map(|count| count as f64)),
            )
        };
        let (clicks_previous, clicks_change_pct) = count(|figures| figures.clicks);
        let (impressions_previous, impressions_change_pct) = count(|figures| figures.impressions);
        let ctr_previous = before.and_then(|before| before.ctr());
        let position_previous = before.and_then(|before| before.position());
        Self {
            clicks_previous,
            clicks_change_pct,
            impressions_previous,
            impressions_change_pct,
            ctr_previous,
            ctr_change: change(now.ctr(), ctr_previous),
            position_previous,
            position_change: change(now.position(), position_previous),
        }
    }
}

/// The window of a read, and whether its figures may still change.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[schema(as = SearchWindow)]
pub(super) struct WindowRoot {
    /// Where in Google's products the site appeared.
    pub(super) search_type: SearchType,
    /// Whether the figures may still change.
    pub(super) data_state: DataState,
    /// The window. Days are labels of the upstream, in Pacific time; `data_through` is the newest of them that is final.
    pub(super) meta: Meta,
}

impl WindowRoot {
    pub(super) fn new(search_type: SearchType, property: &Property, asked: &ResolvedWindow) -> Self {
        Self {
            search_type,
            data_state: property.data_state(search_type, asked.window),
            meta: asked.meta(None, data_through(property, search_type, asked)),
        }
    }
}

impl Example for WindowRoot {
    fn example() -> Self {
        Self {
            search_type: SearchType::Web,
            data_state: DataState::Final,
            meta: Meta::example(),
        }
    }
}

/// The newest day of a window that is final; `None` where none was imported that late.
pub(super) fn data_through(
    property: &Property,
    search_type: SearchType,
    asked: &ResolvedWindow,
) -> Option<DataThrough> {
    property
        .final_through(search_type, asked.window)
        .map(DataThrough::from)
}

/// The sum of all rows of a list; `None` where nothing is known of the days. Where none fits, days that are known come to 0.
pub(super) async fn totals_of(
    access: &DomainAccess,
    days: &Port<dyn DayReads>,
    property: &Property,
    rows: &RowsOf<'_>,
    found: &Values,
) -> Result<Option<Figures>, Problem> {
    if found.total > 0 {
        return Ok(Some(found.totals));
    }
    let stored = days.days(access, SearchType::ALL, &[rows.window]).await?;
    let whole = History::new(property.clone(), stored).total(rows.search_type, rows.window);
    Ok(whole.map(|_| Figures::default()))
}

/// A device.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchDeviceRow)]
pub(super) struct DevicePublic {
    /// The device; null where the upstream does not tell.
    #[schema(required, inline)]
    pub(super) device: Option<Device>,
    #[serde(flatten)]
    pub(super) figures: SearchFigures,
}

/// A country.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SearchCountry)]
pub(super) struct CountryPublic {
    /// The country, ISO 3166-1 alpha-2; null where it is not known.
    #[schema(required)]
    pub(super) country: Option<String>,
    /// The English name of the country.
    pub(super) country_name: String,
    #[serde(flatten)]
    pub(super) figures: SearchFigures,
}

impl From<(Option<Device>, Figures)> for DevicePublic {
    fn from((device, figures): (Option<Device>, Figures)) -> Self {
        Self {
            device,
            figures: figures.into(),
        }
    }
}

impl From<(Option<Country>, Figures)> for CountryPublic {
    fn from((country, figures): (Option<Country>, Figures)) -> Self {
        Self {
            country: country.as_ref().map(|country| country.as_str().to_owned()),
            country_name: country_name(country.as_ref().map(Country::as_str)),
            figures: figures.into(),
        }
    }
}

impl Example for DevicePublic {
    fn example() -> Self {
        Self {
            device: Some(Device::Mobile),
            figures: EXAMPLE,
        }
    }
}

impl Example for CountryPublic {
    fn example() -> Self {
        Self {
            country: Some("DE".to_owned()),
            country_name: "Germany".to_owned(),
            figures: EXAMPLE,
        }
    }
}

/// Every day of a window in one search type.
pub(super) fn days_of(history: &History, search_type: SearchType, asked: &ResolvedWindow) -> Vec<DayPublic> {
    asked
        .window
        .dates()
        .map(|date| DayPublic::new(date, history.day(search_type, date)))
        .collect()
}

/// The rows of a list as they were on the days before.
#[derive(Debug)]
pub(super) struct BaseFigures {
    found: HashMap<ValueId, Figures>,
    is_known: bool,
}

impl BaseFigures {
    /// The figures of a row; `None` where nothing is known of the days before.
    pub(super) fn of(&self, id: ValueId) -> Option<Figures> {
        self.is_known
            .then(|| self.found.get(&id).copied().unwrap_or_default())
    }
}

/// The rows of a list on the days that it is compared with; `None` where no comparison is asked for.
pub(super) async fn base_figures(
    access: &DomainAccess,
    values: &Port<dyn ValueReads>,
    property: &Property,
    asked: &Compared,
    rows: &RowsOf<'_>,
    ids: &[ValueId],
) -> Result<Option<BaseFigures>, Problem> {
    let Some(shown) = asked.shown else {
        return Ok(None);
    };
    let is_known = shown.is_kept && property.reach.reaches(rows.search_type, shown.window);
    let rows = RowsOf {
        window: shown.window,
        ..*rows
    };
    let found = if is_known {
        values.figures(access, &rows, ids).await?
    } else {
        HashMap::new()
    };
    Ok(Some(BaseFigures { found, is_known }))
}
