//! The headline figures of a site: how many views, how fast, how many of them good.

use pharos_domain::{
    collect::{
        client::Device,
        view::{Connection, Navigation},
    },
    wire_enum,
};
use time::Date;

use crate::{
    metric::{Metric, Rated, share_pct},
    redact::page_url,
    slices::Supported,
};

/// Which views count. Left out, each does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewFilter {
    /// Only views on this class of device.
    pub device: Option<Device>,
    /// From a country, ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// Only views by this family of browsers.
    pub browser: Option<String>,
    /// Only views on this family of operating systems.
    pub os: Option<String>,
    /// Over a connection.
    pub connection: Option<Connection>,
    /// By which the browser came.
    pub navigation: Option<Navigation>,
    /// Only views of pages whose address begins so.
    pub url_prefix: Option<String>,
    /// Only views of the page with this address, without a query.
    pub url: Option<String>,
}

impl ViewFilter {
    /// Those of them that are of one page, whose address is known as [`page_url`] has it.
    #[must_use]
    pub fn of_page(self, url: Option<&str>) -> Self {
        Self {
            url: url.map(page_url),
            ..self
        }
    }

    /// How percentiles are computed: roll-ups tell nothing but devices apart.
    #[must_use]
    pub const fn method(&self) -> PercentileMethod {
        let Self {
            device: _,
            country,
            browser,
            os,
            connection,
            navigation,
            url_prefix,
            url,
        } = self;
        let is_whole = country.is_none()
            && browser.is_none()
            && os.is_none()
            && connection.is_none()
            && navigation.is_none()
            && url_prefix.is_none()
            && url.is_none();
        if is_whole {
            PercentileMethod::Histogram
        } else {
            PercentileMethod::Exact
        }
    }
}

wire_enum! {
    /// How a percentile was computed.
    PercentileMethod {
        /// From every single value, by linear interpolation.
        Exact = "exact",
        /// From counts of values, within 1 % of the exact one.
        Histogram = "histogram",
    }
}

/// One value for each metric, where it was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MetricValues([Option<f64>; 5]);

impl MetricValues {
    /// The value of a metric.
    #[must_use]
    pub fn of(&self, metric: Metric) -> Option<f64> {
        self.0[metric as usize]
    }

    /// Sets the value of a metric, rounded as answers show it.
    pub fn set(&mut self, metric: Metric, value: Option<f64>) {
        self.0[metric as usize] = value.map(|value| metric.rounded(value));
    }
}

/// The figures of views.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ViewFigures {
    /// How many there are.
    pub views: u64,
    /// Those with a core metric: largest paint, interaction or shift.
    pub core_views: u64,
    /// Those of them whose core metrics are all good.
    pub good_views: u64,
    /// Those with an error.
    pub error_views: u64,
    /// How many errors there are.
    pub errors: u64,
    /// Those by going back or forward.
    pub back_forwards: u64,
    /// Those of them that were restored as they were left.
    pub restored: u64,
    /// How many values lie in which band, by metric.
    pub rated: [Rated; 5],
    /// The percentile that was requested.
    pub percentiles: MetricValues,
}

impl ViewFigures {
    /// Those of views by a browser that measures these metrics: of the others they have no value, whatever was sent.
    #[must_use]
    pub fn of_supported(mut self, supported: Supported) -> Self {
        for (metric, is_supported) in [
            (Metric::Lcp, supported.lcp),
            (Metric::Inp, supported.inp),
            (Metric::Cls, supported.cls),
        ] {
            if !is_supported {
                self.rated[metric as usize] = Rated::default();
                self.percentiles.set(metric, None);
            }
        }
        self
    }

    /// How many values there are of a metric.
    #[must_use]
    pub fn samples(&self, metric: Metric) -> u64 {
        self.rated[metric as usize].all()
    }

    /// The share of views whose core metrics are all good.
    #[must_use]
    pub fn good_views_pct(&self) -> Option<f64> {
        share_pct(self.good_views, self.core_views)
    }

    /// The share of views with an error.
    #[must_use]
    pub fn error_rate_pct(&self) -> Option<f64> {
        share_pct(self.error_views, self.views)
    }

    /// The share of views by going back or forward that were restored as they were left.
    #[must_use]
    pub fn bfcache_hit_pct(&self) -> Option<f64> {
        share_pct(self.restored, self.back_forwards)
    }

    /// Moves percentiles that are estimates into the bands in which they lie by the counts of values. Answers with the metrics
    /// of which these do not tell the band.
    pub fn settle(&mut self, percent: u8) -> Vec<Metric> {
        let mut untold = Vec::new();
        for &metric in Metric::ALL {
            let Some(estimate) = self.percentiles.of(metric) else {
                continue;
            };
            match self.rated[metric as usize].band(percent) {
                Some(band) => self.percentiles.set(metric, Some(metric.within(band, estimate))),
                None => untold.push(metric),
            }
        }
        untold
    }

    /// Whether the core metrics are all good at the percentile. A missing interaction is passed over, as CrUX does; `None`
    /// where the paint or the shift is missing.
    #[must_use]
    pub fn passes(&self) -> Option<bool> {
        let is_good = |metric: Metric| {
            self.percentiles
                .of(metric)
                .map(|value| value <= metric.bands().good)
        };
        let needed = is_good(Metric::Lcp)? && is_good(Metric::Cls)?;
        Some(needed && is_good(Metric::Inp).unwrap_or(true))
    }
}

/// The figures of a site over days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteFigures {
    /// The figures of all views.
    pub all: ViewFigures,
    /// By class of device.
    pub devices: Vec<(Device, ViewFigures)>,
    /// By UTC day; days without a view are left out.
    pub days: Vec<(Date, ViewFigures)>,
}

impl SiteFigures {
    /// Those of a class of device; `None` without a view.
    #[must_use]
    pub fn of(&self, device: Device) -> Option<&ViewFigures> {
        let mut devices = self.devices.iter();
        devices
            .find(|(other, _)| *other == device)
            .map(|(_, figures)| figures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(lcp: Option<f64>, inp: Option<f64>, cls: Option<f64>) -> ViewFigures {
        let mut figures = ViewFigures::default();
        for (metric, value) in [(Metric::Lcp, lcp), (Metric::Inp, inp), (Metric::Cls, cls)] {
            figures.percentiles.set(metric, value);
        }
        figures
    }

    #[test]
    fn a_page_is_asked_for_as_it_is_stored() {
        let asked = ViewFilter::default().of_page(Some("https://shop.example/u/ada@shop.example?x=1"));
        assert_eq!(asked.url.as_deref(), Some("https://shop.example/u/[redacted]"));
    }

    #[test]
    fn estimates_are_settled_by_counts_and_the_metrics_are_told_whose_bands_these_leave_open() {
        let mut estimated = figures(Some(2_490.0), Some(199.5), None);
        estimated.rated[Metric::Lcp as usize] = Rated {
            good: 74,
            needs_improvement: 27,
            poor: 0,
        };
        estimated.rated[Metric::Inp as usize] = Rated {
            good: 3,
            needs_improvement: 1,
            poor: 0,
        };
        assert_eq!(estimated.settle(75), [Metric::Inp]);
        let shown = [Metric::Lcp, Metric::Inp, Metric::Cls].map(|metric| estimated.percentiles.of(metric));
        assert_eq!(shown, [Some(2_500.1), Some(199.5), None]);
    }

    #[test]
    fn a_site_passes_where_all_core_metrics_are_good_and_a_bound_is_good() {
        for (lcp, inp, cls, passes) in [
            (Some(2_500.0), Some(200.0), Some(0.1), Some(true)),
            (Some(2_500.1), Some(200.0), Some(0.1), Some(false)),
            (Some(900.0), Some(201.0), Some(0.0), Some(false)),
            (Some(900.0), None, Some(0.0), Some(true)),
            (None, Some(10.0), Some(0.0), None),
            (Some(900.0), Some(10.0), None, None),
        ] {
            assert_eq!(figures(lcp, inp, cls).passes(), passes, "{lcp:?} {inp:?} {cls:?}");
        }
    }
}
