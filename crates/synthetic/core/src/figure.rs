//! The figures of a run, by name.

use std::collections::BTreeMap;

use pharos_domain::wire_enum;

/// Figures by their names. One that was not measured is not there.
pub type Figures = BTreeMap<String, f64>;

wire_enum! {
    /// A figure of a run that is told over time.
    LabMetric {
        /// The score of performance, 0 to 100.
        PerformanceScore = "performance_score",
        /// The score of accessibility, 0 to 100.
        AccessibilityScore = "accessibility_score",
        /// The score of best practices, 0 to 100.
        BestPracticesScore = "best_practices_score",
        /// The score of search engine optimisation, 0 to 100.
        SeoScore = "seo_score",
        /// First Contentful Paint.
        FcpMs = "fcp_ms",
        /// Largest Contentful Paint.
        LcpMs = "lcp_ms",
        /// Total Blocking Time.
        TbtMs = "tbt_ms",
        /// Cumulative Layout Shift.
        Cls = "cls",
        /// Speed Index.
        SpeedIndexMs = "speed_index_ms",
        /// Time to Interactive.
        TtiMs = "tti_ms",
        /// The longest that a first input could have waited.
        MaxPotentialFidMs = "max_potential_fid_ms",
        /// How long the server took to answer.
        TtfbMs = "ttfb_ms",
        /// Interaction to Next Paint, which a load alone does not have.
        InpMs = "inp_ms",
        /// The part of LCP until the first byte.
        LcpTtfbMs = "lcp_ttfb_ms",
        /// The part of LCP from there until its resource is asked for.
        LcpLoadDelayMs = "lcp_load_delay_ms",
        /// The part of LCP in which its resource loads.
        LcpLoadDurationMs = "lcp_load_duration_ms",
        /// The part of LCP from there until it is painted.
        LcpRenderDelayMs = "lcp_render_delay_ms",
        /// When the page had loaded, as observed.
        ObservedLoadMs = "observed_load_ms",
        /// When its document was parsed, as observed.
        ObservedDomContentLoadedMs = "observed_dom_content_loaded_ms",
        /// Bytes over the network.
        TotalBytes = "total_bytes",
        /// Requests.
        RequestCount = "request_count",
    }
}

impl LabMetric {
    /// The unit of its values.
    #[must_use]
    pub fn unit(self) -> LabUnit {
        LabUnit::of(self.as_str())
    }
}

wire_enum! {
    /// The unit of a figure.
    LabUnit {
        /// Points, 0 to 100.
        Points = "points",
        /// Milliseconds.
        Ms = "ms",
        /// Bytes.
        Bytes = "bytes",
        /// Requests.
        Requests = "requests",
        /// None.
        None = "none",
    }
}

impl LabUnit {
    /// The unit of a figure, which the end of its name says.
    #[must_use]
    pub fn of(figure: &str) -> Self {
        match figure.rsplit('_').next() {
            Some("score") => Self::Points,
            Some("ms") => Self::Ms,
            Some("bytes") => Self::Bytes,
            Some("count" | "requests") => Self::Requests,
            _ => Self::None,
        }
    }
}

/// The median of some values; `None` of none. For an even number it is the mean of the two in the middle.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 {
        upper
    } else {
        f64::midpoint(*values.get(middle.checked_sub(1)?)?, upper)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::BudgetMetric;

    #[test]
    fn names_end_with_the_unit_and_the_layout_shift_alone_has_none() {
        for (metric, unit) in [
            (LabMetric::SeoScore, LabUnit::Points),
            (LabMetric::LcpLoadDelayMs, LabUnit::Ms),
            (LabMetric::TotalBytes, LabUnit::Bytes),
            (LabMetric::RequestCount, LabUnit::Requests),
        ] {
            assert_eq!(metric.unit(), unit);
        }
        assert_eq!(BudgetMetric::ThirdPartyRequests.unit(), LabUnit::Requests);
        let units = LabMetric::ALL
            .iter()
            .map(|metric| (metric.as_str(), metric.unit()));
        let of_budgets = BudgetMetric::ALL
            .iter()
            .map(|metric| (metric.as_str(), metric.unit()));
        for (name, unit) in units.chain(of_budgets) {
            assert_eq!(unit == LabUnit::None, name == "cls", "{name}");
        }
    }

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![9.0, 1.0, 5.0]), Some(5.0));
        assert_eq!(median(vec![4.0, 1.0, 9.0, 2.0]), Some(3.0));
    }
}
