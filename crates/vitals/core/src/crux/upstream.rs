//! The answers of the API, and the checks that they have to pass.
//!
//! Shapes: `chromeuxreport.v1`, `QueryResponse` and `QueryHistoryResponse`. Figures are numbers or texts (CLS), and what is
//! missing in a history is `"NaN"` or null.

use std::collections::BTreeMap;

use serde::Deserialize;
use time::{Date, Duration, Month};

use super::{
    Metric,
    figures::{
        Bin, Figures, FormFactors, LcpImage, LcpResourceTypes, MetricFigures, NavigationTypes, PERIOD, Period,
    },
    record::Subject,
};

/// By how much shares may add up to more or less than 1.
const SLACK: f64 = 0.05;
/// The largest 75th percentile that is believed, in the metric's unit: a day in milliseconds.
const MOST: f64 = 86_400_000.0;
/// How many periods are read, at most. The API gives 40.
const MOST_PERIODS: usize = 100;

/// An answer that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The URL that the API made out of the one that was asked for, where that is another.
    pub url_normalized: Option<String>,
    /// The periods, the oldest first.
    pub periods: Vec<(Period, Figures)>,
}

/// How an answer is not as it is documented.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// It has no such member, or one of another type.
    #[error("the answer is no record of the Chrome UX Report from line {line}, column {column} on")]
    Form {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// It is about something else.
    #[error("the answer is about another {0} than the one that was asked for")]
    Another(&'static str),
    /// Its period is none.
    #[error("the answer's collection period is not 28 days up to now")]
    Period,
    /// A figure can't be.
    #[error("the answer's {0} is impossible")]
    Figure(&'static str),
    /// Its lists are not all as long as the list of periods.
    #[error("the answer has another number of figures than of periods for {0}")]
    Count(&'static str),
}

/// A figure: a number, or a text of one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Figure {
    Number(f64),
    Text(String),
}

impl Figure {
    /// The number; `None` for `"NaN"`. Anything else that is no number is refused.
    fn value(&self, name: &'static str) -> Result<Option<f64>, Malformed> {
        let number = match self {
            Self::Number(number) => *number,
            Self::Text(text) if text == "NaN" => return Ok(None),
            Self::Text(text) => text.parse().map_err(|_| Malformed::Figure(name))?,
        };
        if number.is_nan() {
            return Ok(None);
        }
        if (0.0..=MOST).contains(&number) {
            Ok(Some(number))
        } else {
            Err(Malformed::Figure(name))
        }
    }
}

fn value(figure: Option<&Figure>, name: &'static str) -> Result<Option<f64>, Malformed> {
    figure.map_or(Ok(None), |figure| figure.value(name))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    record: RecordAnswer,
    url_normalization_details: Option<UrlNormalization>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UrlNormalization {
    normalized_url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordAnswer {
    key: Key,
    #[serde(default)]
    metrics: BTreeMap<String, MetricAnswer>,
    collection_period: Option<PeriodAnswer>,
    collection_periods: Option<Vec<PeriodAnswer>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Key {
    form_factor: Option<String>,
    origin: Option<String>,
    url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PeriodAnswer {
    first_date: DateAnswer,
    last_date: DateAnswer,
}

#[derive(Debug, Deserialize)]
struct DateAnswer {
    year: i32,
    month: u8,
    day: u8,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct MetricAnswer {
    histogram: Vec<BinAnswer>,
    percentiles: Option<Percentiles>,
    fractions: Option<BTreeMap<String, Figure>>,
    histogram_timeseries: Vec<BinsAnswer>,
    percentiles_timeseries: Option<PercentilesSeries>,
    fraction_timeseries: Option<BTreeMap<String, FractionSeries>>,
}

#[derive(Debug, Deserialize)]
struct BinAnswer {
    start: Option<Figure>,
    end: Option<Figure>,
    density: Option<Figure>,
}

#[derive(Debug, Deserialize)]
struct BinsAnswer {
    start: Option<Figure>,
    end: Option<Figure>,
    #[serde(default)]
    densities: Vec<Option<Figure>>,
}

#[derive(Debug, Deserialize)]
struct Percentiles {
    p75: Option<Figure>,
}

#[derive(Debug, Deserialize)]
struct PercentilesSeries {
    #[serde(default)]
    p75s: Vec<Option<Figure>>,
}

#[derive(Debug, Deserialize)]
struct FractionSeries {
    #[serde(default)]
    fractions: Vec<Option<Figure>>,
}

/// Reads the answer of `records:queryRecord` about this subject and `formFactor`.
///
/// # Errors
/// How the answer is not as it is documented, or not about what was asked for.
pub fn record(
    body: &[u8],
    subject: &Subject,
    form_factor: Option<&str>,
    today: Date,
) -> Result<Answered, Malformed> {
    let answer = read(body, subject, form_factor)?;
    let period = answer
        .record
        .collection_period
        .as_ref()
        .ok_or(Malformed::Period)?;
    let figures = answer.figures(0, false)?;
    Ok(Answered {
        url_normalized: answer.normalized(),
        periods: vec![(period.read(today)?, figures)],
    })
}

/// Reads the answer of `records:queryHistoryRecord` about this subject and `formFactor`. Periods come in the order of their
/// ends, each once.
///
/// # Errors
/// How the answer is not as it is documented, or not about what was asked for.
pub fn history(
    body: &[u8],
    subject: &Subject,
    form_factor: Option<&str>,
    today: Date,
) -> Result<Answered, Malformed> {
    let mut answer = read(body, subject, form_factor)?;
    let periods = answer.record.collection_periods.take().unwrap_or_default();
    if periods.len() > MOST_PERIODS {
        return Err(Malformed::Count("its periods"));
    }
    answer.check_counts(periods.len())?;
    let mut read = BTreeMap::new();
    for (at, period) in periods.iter().enumerate() {
        read.insert(period.read(today)?, answer.figures(at, true)?);
    }
    Ok(Answered {
        url_normalized: answer.normalized(),
        periods: read.into_iter().collect(),
    })
}

fn read(body: &[u8], subject: &Subject, form_factor: Option<&str>) -> Result<Answer, Malformed> {
    let answer: Answer = serde_json::from_slice(body).map_err(|error| Malformed::Form {
        line: error.line(),
        column: error.column(),
    })?;
    let key = &answer.record.key;
    if key.form_factor.as_deref() != form_factor {
        return Err(Malformed::Another("form factor"));
    }
    let is_same = |answered: &Option<String>, asked: &str| {
        answered
            .as_deref()
            .is_some_and(|answered| answered.trim_end_matches('/') == asked.trim_end_matches('/'))
    };
    match subject {
        Subject::Origin(origin) if !is_same(&key.origin, origin) => Err(Malformed::Another("origin")),
        Subject::Url(url) => {
            let normalized = answer.url_normalization_details.as_ref();
            let normalized = normalized.and_then(|details| details.normalized_url.as_deref());
            if is_same(&key.url, normalized.unwrap_or(url)) {
                Ok(answer)
            } else {
                Err(Malformed::Another("URL"))
            }
        }
        Subject::Origin(_) => Ok(answer),
    }
}

impl PeriodAnswer {
    fn read(&self, today: Date) -> Result<Period, Malformed> {
        let (start, end) = (self.first_date.read()?, self.last_date.read()?);
        // A day ahead is a zone that is ahead.
        let is_ahead = end > today.saturating_add(Duration::DAY);
        if is_ahead || end - start != PERIOD - Duration::DAY {
            return Err(Malformed::Period);
        }
        Ok(Period { start, end })
    }
}

impl DateAnswer {
    fn read(&self) -> Result<Date, Malformed> {
        let month = Month::try_from(self.month).map_err(|_| Malformed::Period)?;
        Date::from_calendar_date(self.year, month, self.day).map_err(|_| Malformed::Period)
    }
}

impl Answer {
    fn normalized(&self) -> Option<String> {
        self.url_normalization_details
            .as_ref()
            .and_then(|details| details.normalized_url.clone())
    }

    /// Every list of a history has one figure a period.
    fn check_counts(&self, periods: usize) -> Result<(), Malformed> {
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
    fn figures(&self, at: usize, is_history: bool) -> Result<Figures, Malformed> {
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

    /// The shares of a metric that has no histogram. A share that is left out is 0; where all are, nothing is known.
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
        let mut shares = [0.0; N];
        let mut is_known = false;
        for (share, name) in shares.iter_mut().zip(names) {
            let figure = if is_history {
                let series = answer.fraction_timeseries.as_ref().and_then(|all| all.get(name));
                series.and_then(|series| series.fractions.get(at)?.as_ref())
            } else {
                answer.fractions.as_ref().and_then(|all| all.get(name))
            };
            if let Some(found) = value(figure, "share")? {
                *share = found;
                is_known = true;
            }
        }
        if !is_known {
            return Ok(None);
        }
        check_sum(&shares)?;
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use time::macros::date;

    use super::*;

    const TODAY: Date = date!(2026 - 03 - 31);

    fn day(year: i32, month: u8, day: u8) -> Value {
        json!({ "year": year, "month": month, "day": day })
    }

    /// In the form of the answer that <https://developer.chrome.com/docs/crux/api> shows.
    fn answer() -> Value {
        json!({
            "record": {
                "key": { "formFactor": "PHONE", "origin": "https://shop.example" },
                "metrics": {
                    "largest_contentful_paint": {
                        "histogram": [
                            { "start": 0, "end": 2500, "density": 0.8 },
                            { "start": 2500, "end": 4000, "density": 0.15 },
                            { "start": 4000, "density": 0.05 }
                        ],
                        "percentiles": { "p75": 2310 }
                    },
                    "cumulative_layout_shift": {
                        "histogram": [
                            { "start": "0.00", "end": "0.10", "density": 0.97 },
                            { "start": "0.10", "end": "0.25", "density": 0.03 },
                            { "start": "0.25" }
                        ],
                        "percentiles": { "p75": "0.00" }
                    },
                    "round_trip_time": { "percentiles": { "p75": 118 } },
                    "largest_contentful_paint_image_time_to_first_byte": { "percentiles": { "p75": 620 } },
                    "largest_contentful_paint_resource_type": { "fractions": { "image": 0.7, "text": 0.3 } },
                    "form_factors": { "fractions": { "phone": 0.6, "desktop": 0.35, "tablet": 0.05 } },
                    "first_input_delay": { "percentiles": { "p75": 12 } }
                },
                "collectionPeriod": { "firstDate": day(2026, 3, 2), "lastDate": day(2026, 3, 29) }
            }
        })
    }

    fn subject() -> Subject {
        Subject::Origin("https://shop.example".to_owned())
    }

    fn parsed(answer: &Value) -> Result<Answered, Malformed> {
        record(answer.to_string().as_bytes(), &subject(), Some("PHONE"), TODAY)
    }

    #[test]
    fn numbers_come_as_numbers_or_as_texts() {
        let answered = parsed(&answer()).unwrap();
        let (period, figures) = &answered.periods[0];
        assert_eq!(
            (period.start, period.end),
            (date!(2026 - 03 - 02), date!(2026 - 03 - 29))
        );
        let cls = &figures.metrics[&Metric::Cls];
        assert_eq!(
            (cls.p75, cls.shares()),
            (Some(0.0), Some([0.97, 0.03, 0.0])),
            "a CLS of 0 is a value"
        );
        assert_eq!(
            cls.histogram
                .iter()
                .map(|bin| (bin.start, bin.end))
                .collect::<Vec<_>>(),
            [(0.0, Some(0.1)), (0.1, Some(0.25)), (0.25, None)]
        );
        assert_eq!(figures.metrics[&Metric::Lcp].p75, Some(2310.0));
        let rtt = &figures.metrics[&Metric::Rtt];
        assert_eq!((rtt.p75, rtt.shares()), (Some(118.0), None));
        assert!(!figures.metrics.contains_key(&Metric::Inp));
        assert_eq!(figures.lcp_image.and_then(|image| image.ttfb_ms), Some(620.0));
        assert_eq!(figures.form_factors.map(|mix| mix.mobile), Some(0.6));
        assert_eq!(figures.navigation_types, None);
    }

    #[test]
    fn an_answer_about_something_else_is_refused() {
        for (pointer, other, why) in [
            (
                "/record/key/origin",
                json!("https://other.example"),
                Malformed::Another("origin"),
            ),
            (
                "/record/key/formFactor",
                json!("DESKTOP"),
                Malformed::Another("form factor"),
            ),
            (
                "/record/collectionPeriod/lastDate",
                day(2026, 3, 30),
                Malformed::Period,
            ),
            (
                "/record/collectionPeriod/firstDate",
                day(2026, 2, 30),
                Malformed::Period,
            ),
            (
                "/record/collectionPeriod",
                json!({ "firstDate": day(2027, 3, 2), "lastDate": day(2027, 3, 29) }),
                Malformed::Period,
            ),
            (
                "/record/metrics/largest_contentful_paint/histogram/0/density",
                json!(1.8),
                Malformed::Figure("sum of shares"),
            ),
            (
                "/record/metrics/largest_contentful_paint/percentiles/p75",
                json!(-1),
                Malformed::Figure("75th percentile"),
            ),
            (
                "/record/metrics/cumulative_layout_shift/percentiles/p75",
                json!("fast"),
                Malformed::Figure("75th percentile"),
            ),
        ] {
            let mut answer = answer();
            *answer.pointer_mut(pointer).unwrap() = other;
            assert_eq!(parsed(&answer), Err(why), "{pointer}");
        }
        for text in ["", "[]", "{\"record\": 1}", "<html>", "{\"record\": {\"key\": {}"] {
            let read = record(text.as_bytes(), &subject(), Some("PHONE"), TODAY);
            assert!(matches!(read, Err(Malformed::Form { .. })), "{text}");
        }
    }

    #[test]
    fn a_page_is_known_by_its_normalized_url() {
        let mut answer = answer();
        answer["record"]["key"] = json!({ "url": "https://shop.example/blue", "formFactor": "PHONE" });
        answer["urlNormalizationDetails"] = json!({
            "originalUrl": "https://shop.example/blue?utm_source=x",
            "normalizedUrl": "https://shop.example/blue"
        });
        let asked = Subject::Url("https://shop.example/blue?utm_source=x".to_owned());
        let read = record(answer.to_string().as_bytes(), &asked, Some("PHONE"), TODAY).unwrap();
        assert_eq!(read.url_normalized.as_deref(), Some("https://shop.example/blue"));
        answer["record"]["key"]["url"] = json!("https://shop.example/red");
        assert_eq!(
            record(answer.to_string().as_bytes(), &asked, Some("PHONE"), TODAY),
            Err(Malformed::Another("URL"))
        );
    }

    /// Nothing is known of the middle one: `"NaN"` and null both say so.
    #[test]
    fn a_period_without_figures_has_none() {
        let answer = json!({
            "record": {
                "key": { "origin": "https://shop.example" },
                "metrics": {
                    "cumulative_layout_shift": {
                        "histogramTimeseries": [
                            { "start": "0.00", "end": "0.10", "densities": [0.9, "NaN", 0.8] },
                            { "start": "0.10", "end": "0.25", "densities": [0.1, "NaN", 0.1] },
                            { "start": "0.25", "densities": [0.0, "NaN", 0.1] }
                        ],
                        "percentilesTimeseries": { "p75s": ["0.05", null, "0.08"] }
                    },
                    "navigation_types": { "fractionTimeseries": {
                        "navigate": { "fractions": [0.9, "NaN", 0.8] },
                        "prerender": { "fractions": [0.1, "NaN", 0.2] }
                    } }
                },
                "collectionPeriods": [
                    { "firstDate": day(2026, 2, 22), "lastDate": day(2026, 3, 21) },
                    { "firstDate": day(2026, 3, 1), "lastDate": day(2026, 3, 28) },
                    { "firstDate": day(2026, 2, 15), "lastDate": day(2026, 3, 14) }
                ]
            }
        });
        let read = |answer: &Value| history(answer.to_string().as_bytes(), &subject(), None, TODAY);
        let answered = read(&answer).unwrap();
        let found: Vec<_> = answered
            .periods
            .iter()
            .map(|(period, figures)| {
                let cls = figures.metrics.get(&Metric::Cls).and_then(|cls| cls.p75);
                (
                    period.end,
                    cls,
                    figures.navigation_types.map(|types| types.prerender),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (date!(2026 - 03 - 14), Some(0.08), Some(0.2)),
                (date!(2026 - 03 - 21), Some(0.05), Some(0.1)),
                (date!(2026 - 03 - 28), None, None),
            ],
            "in the order of their ends"
        );
        let mut short = answer;
        short["record"]["metrics"]["cumulative_layout_shift"]["percentilesTimeseries"]["p75s"] =
            json!(["0.05"]);
        assert_eq!(read(&short), Err(Malformed::Count("a percentile")));
    }
}
