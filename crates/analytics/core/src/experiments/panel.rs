//! The figures of an experiment's pages by day.

use std::collections::BTreeMap;

use pharos_domain::{
    collect::kept_path,
    ids::DomainId,
    module_block::SearchFigures,
    page_facts::{PageSearchDays, PageSpeedDays, SearchDay, SpeedDay},
    site_address::SiteAddresses,
    store::StoreError,
    window::DateRange,
};
use time::{Date, Duration};
use url::Url;

use super::{Design, ExperimentMetric};
use crate::overview::{as_number, in_units, ratio};

/// The figures of a day's sessions that viewed a page, or any page of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayFigures {
    /// Visitors who viewed it.
    pub visitors: u64,
    /// Sessions that viewed it.
    pub sessions: u64,
    /// Its views.
    pub pageviews: u64,
    /// Sessions that entered there.
    pub entries: u64,
    /// Those of the entered sessions that bounced.
    pub bounces: u64,
    /// How long its sessions were in all, in milliseconds.
    pub duration_ms: u64,
    /// Orders in its sessions.
    pub orders: u64,
    /// Their revenue less refunds, in hundredths.
    pub revenue_cents: i64,
    /// Sessions that viewed pages of both sides.
    pub shared: u64,
}

impl DayFigures {
    /// The value of a metric; `None`: it has none, or is not measured by analytics.
    #[must_use]
    pub fn value(&self, metric: ExperimentMetric) -> Option<f64> {
        let percent = |share: f64| share * 100.0;
        match metric {
            ExperimentMetric::Visitors => Some(as_number(self.visitors)),
            ExperimentMetric::Sessions => Some(as_number(self.sessions)),
            ExperimentMetric::Pageviews => Some(as_number(self.pageviews)),
            ExperimentMetric::Orders => Some(as_number(self.orders)),
            ExperimentMetric::Revenue => Some(in_units(self.revenue_cents)),
            ExperimentMetric::BounceRatePct => ratio(self.bounces, self.entries).map(percent),
            ExperimentMetric::AvgDurationSeconds => {
                ratio(self.duration_ms, self.sessions).map(|ms| ms / 1_000.0)
            }
            ExperimentMetric::ConversionRatePct => ratio(self.orders, self.sessions).map(percent),
            ExperimentMetric::GscClicks
            | ExperimentMetric::GscImpressions
            | ExperimentMetric::GscCtr
            | ExperimentMetric::GscPosition
            | ExperimentMetric::LcpMs
            | ExperimentMetric::InpMs
            | ExperimentMetric::Cls => None,
        }
    }
}

/// Figures of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PanelRow {
    /// Whether they are of the variant.
    pub is_variant: bool,
    /// Which page of its side, in the order of the design; `None`: all of them, each session once.
    pub page: Option<usize>,
    /// The day that the figures are of.
    pub day: Date,
    /// The figures.
    pub figures: DayFigures,
}

/// All that stores say of an experiment's pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The days on which something happened.
    pub rows: Vec<PanelRow>,
    /// The first and the last day of which anything was received of the domain, or for a metric of speed those of the design; `None`:
    /// nothing ever was.
    pub received: Option<DateRange>,
    /// How fast the pages of the sides were, where the metric is about that; `true`: those of the variant.
    pub speed: Vec<(bool, SpeedDay)>,
    /// The visits that the search sent to the pages of the sides, where the metric is about that: on each final day that was
    /// imported. The control is group 0, the variant 1.
    pub searches: Vec<SearchDay>,
}

/// The days that count: those of the design that are over, and of which anything may be known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Windows {
    /// Before the change.
    pub pre: Option<DateRange>,
    /// After it.
    pub post: Option<DateRange>,
    /// Whether days of the design were cut off because nothing had been received yet, or is any more.
    pub is_cut: bool,
}

impl Windows {
    /// The windows of a design on a day.
    #[must_use]
    pub fn of(design: &Design, received: Option<DateRange>, today: Date) -> Self {
        let Some(received) = received else {
            return Self {
                is_cut: true,
                ..Self::default()
            };
        };
        let yesterday = today.saturating_sub(Duration::DAY);
        let known = received.last().min(yesterday);
        let asked = design.post_end.map_or(known, |end| end.min(yesterday));
        let first = design.first_day();
        let last = asked.min(known).min(design.last_day());
        Self {
            pre: DateRange::new(first.max(received.first()), design.pre_end.min(known)),
            post: DateRange::new(design.post_start.max(received.first()), last),
            is_cut: first < received.first() || (design.post_end.is_some() && known < asked),
        }
    }
}

impl Panel {
    /// The same with what other modules know of the pages of a design, if its metric is about that.
    ///
    /// # Errors
    /// A store can't be read.
    pub async fn completed(
        self,
        design: &Design,
        domain: DomainId,
        addresses: &dyn SiteAddresses,
        speed: &dyn PageSpeedDays,
        searches: &dyn PageSearchDays,
    ) -> Result<Self, StoreError> {
        if design.metric.is_of_visits() {
            return Ok(self);
        }
        let ports = ports(domain, addresses).await?;
        self.with_speed(design, domain, &ports, speed)
            .await?
            .with_searches(design, domain, &ports, searches)
            .await
    }

    /// The same with how fast the pages of a design were, if its metric is about that. All days of the design count then, whatever
    /// was received of visits: those without views have no value.
    async fn with_speed(
        mut self,
        design: &Design,
        domain: DomainId,
        ports: &[String],
        speed: &dyn PageSpeedDays,
    ) -> Result<Self, StoreError> {
        if !design.metric.is_vital() {
            return Ok(self);
        }
        self.received = design.all_days();
        let Some(days) = self.received else {
            return Ok(self);
        };
        for (is_variant, paths) in [(false, &design.control_urls), (true, &design.variant_urls)] {
            let kept: Vec<String> = paths.iter().map(|path| kept_path(path).to_owned()).collect();
            let found = speed.by_day(domain, days, ports, &kept).await?;
            self.speed.extend(found.into_iter().map(|day| (is_variant, day)));
        }
        Ok(self)
    }

    /// The same with what the search sent to the pages of a design, if its metric is about that. The days that count are those of the
    /// search then: from the first one that was imported to the last that is final, whatever was received of visits.
    async fn with_searches(
        mut self,
        design: &Design,
        domain: DomainId,
        ports: &[String],
        searches: &dyn PageSearchDays,
    ) -> Result<Self, StoreError> {
        if !design.metric.is_of_search() {
            return Ok(self);
        }
        self.received = None;
        let Some(days) = design.all_days() else {
            return Ok(self);
        };
        let sides = [design.control_urls.as_slice(), design.variant_urls.as_slice()];
        self.searches = searches.by_day(domain, days, ports, &sides).await?;
        let known = self.searches.iter().map(|day| day.day);
        let ends = known.clone().min().zip(known.max());
        self.received = ends.and_then(|(first, last)| DateRange::new(first, last));
        Ok(self)
    }

    /// The values of a side by day, of all its pages or of one: on each day of a window, `None` where there is none. A day
    /// without any figures is 0 for a count of visits; of the search it is not known.
    #[must_use]
    pub fn values(
        &self,
        metric: ExperimentMetric,
        is_variant: bool,
        page: Option<usize>,
        window: DateRange,
    ) -> Vec<Option<f64>> {
        if metric.is_vital() {
            let of_side = self
                .speed
                .iter()
                .filter(|(of_variant, day)| *of_variant == is_variant && day.page == page);
            let known: BTreeMap<Date, f64> = of_side
                .filter_map(|(_, day)| Some((day.day, vital(metric, day)?)))
                .collect();
            return window.dates().map(|day| known.get(&day).copied()).collect();
        }
        if metric.is_of_search() {
            let of_side = self.of_search(is_variant, page);
            let known: BTreeMap<Date, f64> = of_side
                .filter_map(|day| Some((day.day, searched(metric, &day.figures)?)))
                .collect();
            return window.dates().map(|day| known.get(&day).copied()).collect();
        }
        let rows = self.rows.iter();
        let known: BTreeMap<Date, DayFigures> = rows
            .filter(|row| row.is_variant == is_variant && row.page == page)
            .map(|row| (row.day, row.figures))
            .collect();
        window
            .dates()
            .map(|day| known.get(&day).copied().unwrap_or_default().value(metric))
            .collect()
    }

    /// The days of a side in the search, of all its pages or of one.
    fn of_search(&self, is_variant: bool, page: Option<usize>) -> impl Iterator<Item = &SearchDay> {
        let days = self.searches.iter();
        days.filter(move |day| day.group == usize::from(is_variant) && day.page == page)
    }

    /// Whether anybody saw a page of a side in a window: on the site, or for a metric of search among the results.
    pub(super) fn is_seen(&self, metric: ExperimentMetric, is_variant: bool, window: DateRange) -> bool {
        if metric.is_vital() {
            let mut days = self.speed.iter();
            return days.any(|(of_variant, day)| *of_variant == is_variant && window.contains(day.day));
        }
        self.volume(metric, is_variant, window).0 > 0
    }

    /// The volume of a side in a window: how many sessions there are, and how many viewed the other side, too. Where the metric is
    /// one of search, its impressions, of which none is of both sides.
    pub(super) fn volume(&self, metric: ExperimentMetric, is_variant: bool, window: DateRange) -> (u64, u64) {
        if metric.is_of_search() {
            let days = self.of_search(is_variant, None);
            let impressions = days
                .filter(|day| window.contains(day.day))
                .map(|day| day.figures.impressions);
            return (impressions.sum(), 0);
        }
        let rows = self.rows.iter();
        let of_side = rows.filter(|row| row.is_variant == is_variant && row.page.is_none());
        of_side
            .filter(|row| window.contains(row.day))
            .fold((0, 0), |(sessions, shared), row| {
                (sessions + row.figures.sessions, shared + row.figures.shared)
            })
    }
}

/// The ports that the host of a domain may have in addresses of its pages: the scheme's own, and the one at which its site lies.
async fn ports(domain: DomainId, addresses: &dyn SiteAddresses) -> Result<Vec<String>, StoreError> {
    let found = addresses.of(&[domain]).await?;
    let port = found
        .get(&domain)
        .and_then(|address| Url::parse(address).ok()?.port());
    let mut ports = vec![String::new()];
    ports.extend(port.map(|port| format!(":{port}")));
    Ok(ports)
}

/// The value of a metric on a day; `None`: it has none, or is not about how fast pages are.
const fn vital(metric: ExperimentMetric, day: &SpeedDay) -> Option<f64> {
    match metric {
        ExperimentMetric::LcpMs => day.lcp_ms,
        ExperimentMetric::InpMs => day.inp_ms,
        ExperimentMetric::Cls => day.cls,
        _ => None,
    }
}

/// The value of a metric on a day of the search; `None`: it has none, or is not about the search.
const fn searched(metric: ExperimentMetric, figures: &SearchFigures) -> Option<f64> {
    match metric {
        ExperimentMetric::GscClicks => Some(as_number(figures.clicks)),
        ExperimentMetric::GscImpressions => Some(as_number(figures.impressions)),
        ExperimentMetric::GscCtr => figures.ctr,
        ExperimentMetric::GscPosition => figures.position,
        _ => None,
    }
}
