//! The figures of an answer, period by period: those of a record, or of one place in a history.

use std::collections::BTreeMap;

use super::{
    Malformed,
    form::{Answer, Figure, MetricAnswer, value},
};
use crate::crux::{
    Metric,
    figures::{Bin, Figures, FormFactors, LcpImage, LcpResourceTypes, MetricFigures, NavigationTypes},
};

/// By how much shares may add up to more or less than 1.
const SLACK: f64 = 0.05;

impl Answer {
    pub(super) fn normalized(&self) -> Option<String> {
        self.url_normalization_details
            .as_ref()
            .and_then(|details| details.normalized_url.clone())
    }

    /// Every list of a history has one figure a period.
    pub(super) fn check_counts(&self, periods: usize) -> Result<(), Malformed> {
        for metric in self.record.metrics.values() {
            let bins = metric.histogram_timeseries.iter().map(|bin| bin.densities.len());
            if bins.into_iter().any(|count| count != periods) {
                return Err(Malformed::Count("a histogram"));
            }
            let percentiles = metric.percentiles_timeseries.as_ref();
            if percentiles.is_some_and(|series| series.p75s.len() != periods) {
                return Err(Malformed::Count("a percentile"));
            }
            let mut fractions = metric.fraction_timeseries.iter().flat_map(BTreeMap::values);
            if fractions.any(|series| series.fractions.len() != periods) {
                return Err(Malformed::Count("a fraction"));
            }
        }
        Ok(())
    }

    /// The figures of the period at this place.
    pub(super) fn figures(&self, at: usize, is_history: bool) -> Result<Figures, Malformed> {
        let mut metrics = BTreeMap::new();
        for metric in Metric::ALL {
            let Some(answer) = self.record.metrics.get(metric.upstream()) else {
                continue;
            };
            let found = MetricFigures {
                p75: answer.p75(at, is_history)?,
                histogram: answer.bins(at, is_history)?,
            };
            if found != MetricFigures::default() {
                metrics.insert(*metric, found);
            }
        }
        Ok(Figures {
            metrics,
            lcp_image: self.lcp_image(at, is_history)?,
            lcp_resource_types: self
                .shares(
                    "largest_contentful_paint_resource_type",
                    ["image", "text"],
                    at,
                    is_history,
                )?
                .map(|[image, text]| LcpResourceTypes { image, text }),
            navigation_types: self
                .shares(
                    "navigation_types",
                    [
                        "navigate",
                        "navigate_cache",
                        "reload",
                        "restore",
                        "back_forward",
                        "back_forward_cache",
                        "prerender",
                    ],
                    at,
                    is_history,
                )?
                .map(
                    |[
                        navigate,
                        navigate_cache,
                        reload,
                        restore,
                        back_forward,
                        back_forward_cache,
                        prerender,
                    ]| {
                        NavigationTypes {
                            navigate,
                            navigate_cache,
                            reload,
                            restore,
                            back_forward,
                            back_forward_cache,
                            prerender,
                        }
                    },
                ),
            form_factors: self
                .shares("form_factors", ["phone", "desktop", "tablet"], at, is_history)?
                .map(|[mobile, desktop, tablet]| FormFactors {
                    mobile,
                    desktop,
                    tablet,
                }),
        })
    }

    fn lcp_image(&self, at: usize, is_history: bool) -> Result<Option<LcpImage>, Malformed> {
        let part = |name: &str| {
            let answer = self
                .record
                .metrics
                .get(&format!("largest_contentful_paint_image_{name}"));
            answer.map_or(Ok(None), |answer| answer.p75(at, is_history))
        };
        let image = LcpImage {
            ttfb_ms: part("time_to_first_byte")?,
            resource_load_delay_ms: part("resource_load_delay")?,
            resource_load_duration_ms: part("resource_load_duration")?,
            element_render_delay_ms: part("element_render_delay")?,
        };
        Ok((image != LcpImage::default()).then_some(image))
    }

    /// The shares of a metric that has no histogram. A share that is left out is 0; where all are, nothing is known. The report may come
    /// to tell more apart than these: such a share counts in the sum alone.
    fn shares<const N: usize>(
        &self,
        metric: &str,
        names: [&str; N],
        at: usize,
        is_history: bool,
    ) -> Result<Option<[f64; N]>, Malformed> {
        let Some(answer) = self.record.metrics.get(metric) else {
            return Ok(None);
        };
        let told: Vec<(&str, Option<&Figure>)> = if is_history {
            let series = answer.fraction_timeseries.iter().flatten();
            series
                .map(|(name, series)| (name.as_str(), series.fractions.get(at).and_then(Option::as_ref)))
                .collect()
        } else {
            let fractions = answer.fractions.iter().flatten();
            fractions
                .map(|(name, figure)| (name.as_str(), Some(figure)))
                .collect()
        };
        let (mut shares, mut sum, mut is_known) = ([0.0; N], 0.0, false);
        for (name, figure) in told {
            let Some(found) = value(figure, "share")? else {
                continue;
            };
            sum += found;
            if let Some(place) = names.iter().position(|known| *known == name) {
                shares[place] = found;
                is_known = true;
            }
        }
        if !is_known {
            return Ok(None);
        }
        check_sum(&[sum])?;
        Ok(Some(shares))
    }
}

impl MetricAnswer {
    fn p75(&self, at: usize, is_history: bool) -> Result<Option<f64>, Malformed> {
        let figure = if is_history {
            let series = self.percentiles_timeseries.as_ref();
            series.and_then(|series| series.p75s.get(at)?.as_ref())
        } else {
            self.percentiles
                .as_ref()
                .and_then(|percentiles| percentiles.p75.as_ref())
        };
        value(figure, "75th percentile")
    }

    /// The bands of the period at this place; empty where nothing is known of them.
    fn bins(&self, at: usize, is_history: bool) -> Result<Vec<Bin>, Malformed> {
        let raw: Vec<(Option<&Figure>, Option<&Figure>, Option<&Figure>)> = if is_history {
            let bins = self.histogram_timeseries.iter();
            bins.map(|bin| {
                let density = bin.densities.get(at).and_then(Option::as_ref);
                (bin.start.as_ref(), bin.end.as_ref(), density)
            })
            .collect()
        } else {
            let bins = self.histogram.iter();
            bins.map(|bin| (bin.start.as_ref(), bin.end.as_ref(), bin.density.as_ref()))
                .collect()
        };
        let mut bins = Vec::with_capacity(3);
        let mut is_known = false;
        for (start, end, density) in raw.into_iter().take(4) {
            let density = value(density, "density")?;
            is_known |= density.is_some();
            bins.push(Bin {
                start: value(start, "band")?.unwrap_or(0.0),
                end: value(end, "band")?,
                density: density.unwrap_or(0.0),
            });
        }
        if !is_known {
            return Ok(Vec::new());
        }
        if bins.len() != 3 {
            return Err(Malformed::Figure("histogram"));
        }
        check_sum(&bins.iter().map(|bin| bin.density).collect::<Vec<_>>())?;
        Ok(bins)
    }
}

fn check_sum(shares: &[f64]) -> Result<(), Malformed> {
    let sum: f64 = shares.iter().sum();
    if (1.0 - SLACK..=1.0 + SLACK).contains(&sum) {
        Ok(())
    } else {
        Err(Malformed::Figure("sum of shares"))
    }
}
