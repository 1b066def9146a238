//! Sums of checks that can be added up: hours to days, days to a year, regions to all of them.

use pharos_domain::wire_enum;
use pharos_series::{aggregate::Aggregate, digits::three_digits, grain::Grain, histogram::Histogram};

use super::{CheckCounts, Figures, PhaseTiming, Phases, Timing};

wire_enum! {
    /// A part of an answer that is timed.
    Measure {
        /// All of it.
        Response = "response",
        /// Looking up the name.
        Dns = "dns",
        /// The TCP handshake.
        Connect = "connect",
        /// The TLS handshake.
        Tls = "tls",
        /// From the request sent to the first byte.
        Ttfb = "ttfb",
        /// From the first byte to the last.
        Download = "download",
    }
}

/// How much a query needs. Times include means, the fastest and the slowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Times, and the percentiles of the response.
    Response,
    /// The percentiles of the phases too. The range is whole UTC days.
    Phases,
}

impl Depth {
    /// How deep roll-ups of a grain are. Those of an hour have only means of the phases.
    #[must_use]
    pub const fn kept(grain: Grain) -> Self {
        match grain {
            Grain::Hour => Self::Response,
            Grain::Day | Grain::Month | Grain::Quarter => Self::Phases,
        }
    }

    /// The measures whose percentiles are told.
    #[must_use]
    pub const fn measures(self) -> &'static [Measure] {
        match self {
            Self::Response => &[Measure::Response],
            Self::Phases => Measure::ALL,
        }
    }
}

/// How long something took, over many answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// How many answers.
    pub samples: u64,
    /// The sum of their times in microseconds.
    pub micros: u64,
    /// How often each time was measured, in microseconds; empty if no percentiles are needed.
    pub histogram: Histogram,
}

impl Times {
    /// The mean in milliseconds, to the microsecond, since smaller parts are noise.
    fn mean(&self) -> Option<f64> {
        (self.samples > 0).then(|| (self.micros as f64 / self.samples as f64).round() / 1e3)
    }

    /// Percentiles in milliseconds, to three significant digits, but no finer than checks are measured.
    fn percentiles<const N: usize>(&self, percents: [u8; N]) -> [Option<f64>; N] {
        let micros = self.histogram.percentiles(percents);
        micros.map(|micros| micros.map(|micros| three_digits(micros) / 1e3))
    }

    fn phase(&self) -> PhaseTiming {
        let [p95] = self.percentiles([95]);
        PhaseTiming {
            avg: self.mean(),
            p95,
        }
    }
}

/// The sums of some checks. Only checks that passed have times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckAggregate {
    /// How many checks had which result.
    pub counts: CheckCounts,
    /// The fastest answer in microseconds.
    pub least: Option<u64>,
    /// The longest response, in microseconds.
    pub most: Option<u64>,
    /// How long each measure took, in the order of [`Measure::ALL`].
    pub times: [Times; Measure::ALL.len()],
}

impl CheckAggregate {
    /// Adds the sums of other checks, as deep as `depth` says.
    pub fn add(&mut self, other: &Self, depth: Depth) {
        let CheckCounts {
            total,
            up,
            down,
            degraded,
        } = other.counts;
        self.counts.total += total;
        self.counts.up += up;
        self.counts.down += down;
        self.counts.degraded += degraded;
        self.least = self.least.into_iter().chain(other.least).min();
        self.most = self.most.max(other.most);
        for (times, more) in self.times.iter_mut().zip(&other.times) {
            times.samples += more.samples;
            times.micros += more.micros;
        }
        for measure in depth.measures() {
            let more = &other.times[*measure as usize].histogram;
            self.times[*measure as usize].histogram.merge(more);
        }
    }

    /// As figures.
    #[must_use]
    pub fn figures(&self) -> Figures {
        let [response, dns, connect, tls, ttfb, download] = &self.times;
        let millis = |micros: u64| micros as f64 / 1e3;
        let (min, max) = (self.least.map(millis), self.most.map(millis));
        // Three digits may lie beyond the fastest and the slowest, which are exact.
        let within = |percentile: f64| {
            let at_least = min.map_or(percentile, |min| percentile.max(min));
            max.map_or(at_least, |max| at_least.min(max))
        };
        let percentiles = response.percentiles([50, 75, 90, 95, 99]);
        let [p50, p75, p90, p95, p99] = percentiles.map(|percentile| percentile.map(within));
        Figures {
            counts: self.counts,
            response: Timing {
                samples: response.samples,
                avg: response.mean(),
                min,
                p50,
                p75,
                p90,
                p95,
                p99,
                max,
            },
            phases: Phases {
                dns: dns.phase(),
                connect: connect.phase(),
                tls: tls.phase(),
                ttfb: ttfb.phase(),
                download: download.phase(),
            },
        }
    }
}

impl Aggregate for CheckAggregate {
    fn merge(&mut self, other: &Self) {
        // Histograms that were not requested are empty here.
        self.add(other, Depth::Phases);
    }
}

/// The sums of the checks of a range of time, by region, in the order of their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionAggregates(Vec<(String, CheckAggregate)>);

impl RegionAggregates {
    /// Adds the sums of checks of a region, as deep as `depth` says.
    pub fn add(&mut self, region: &str, aggregate: &CheckAggregate, depth: Depth) {
        let at = match self.0.binary_search_by(|(known, _)| known.as_str().cmp(region)) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (region.to_owned(), CheckAggregate::default()));
                at
            }
        };
        self.0[at].1.add(aggregate, depth);
    }

    /// The regions that checked, and what each found.
    pub fn by_region(&self) -> impl Iterator<Item = (&str, &CheckAggregate)> {
        self.0
            .iter()
            .map(|(region, aggregate)| (region.as_str(), aggregate))
    }

    /// The sums of all regions.
    #[must_use]
    pub fn together(&self) -> CheckAggregate {
        let mut sum = CheckAggregate::default();
        for (_, aggregate) in &self.0 {
            sum.merge(aggregate);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(micros: u64, rounded: u32) -> CheckAggregate {
        let mut aggregate = CheckAggregate {
            counts: CheckCounts {
                total: 1,
                up: 1,
                ..CheckCounts::default()
            },
            least: Some(micros),
            most: Some(micros),
            ..CheckAggregate::default()
        };
        aggregate.times[0] = Times {
            samples: 1,
            micros,
            histogram: Histogram::of(vec![rounded]),
        };
        aggregate
    }

    /// Computed by hand: 120.5 and 182.437 ms have three digits as 121 and 182 ms; their mean is exact.
    #[test]
    fn percentiles_stay_between_the_fastest_and_the_slowest() {
        let mut regions = RegionAggregates::default();
        regions.add("eu", &answered(120_500, 121_000), Depth::Response);
        let figures = regions.together().figures().response;
        assert_eq!(
            (figures.p50, figures.p99, figures.max),
            (Some(120.5), Some(120.5), Some(120.5))
        );
        regions.add("us", &answered(182_437, 182_000), Depth::Response);
        let figures = regions.together().figures().response;
        assert_eq!(
            (figures.min, figures.avg, figures.max),
            (Some(120.5), Some(151.469), Some(182.437))
        );
        // Halfway between 121 and 182 is 151.5.
        assert_eq!(figures.p50, Some(152.0));
    }

    #[test]
    fn percentiles_that_nobody_asked_for_are_not_there() {
        let mut aggregate = answered(120_500, 121_000);
        aggregate.times[Measure::Ttfb as usize] = aggregate.times[0].clone();
        let ttfb = |depth| {
            let mut regions = RegionAggregates::default();
            regions.add("eu", &aggregate, depth);
            regions.together().figures().phases.ttfb
        };
        assert_eq!(ttfb(Depth::Response).p95, None);
        assert_eq!(ttfb(Depth::Phases).p95, Some(121.0));
        assert_eq!(ttfb(Depth::Response).avg, Some(120.5));
    }

    #[test]
    fn without_an_answer_there_are_no_times() {
        assert_eq!(
            RegionAggregates::default().together().figures(),
            Figures::default()
        );
    }
}
