//! The shapes of answers: `QueryResponse` and `QueryHistoryResponse` of `chromeuxreport.v1`. Figures are numbers or texts (CLS),
//! and what is missing in a history is `"NaN"` or null.

use std::collections::BTreeMap;

use serde::Deserialize;
use time::{Date, Duration, Month};

use super::Malformed;
use crate::crux::figures::{PERIOD, Period};

/// The largest 75th percentile that is believed, in the metric's unit: a day in milliseconds.
const MOST: f64 = 86_400_000.0;

/// A figure: a number, or a text of one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Figure {
    Number(f64),
    Text(String),
}

impl Figure {
    /// The number; `None` for `"NaN"`. Anything else that is no number is refused.
    pub(super) fn value(&self, name: &'static str) -> Result<Option<f64>, Malformed> {
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

pub(super) fn value(figure: Option<&Figure>, name: &'static str) -> Result<Option<f64>, Malformed> {
    figure.map_or(Ok(None), |figure| figure.value(name))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    pub(super) record: RecordAnswer,
    pub(super) url_normalization_details: Option<UrlNormalization>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UrlNormalization {
    pub(super) normalized_url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecordAnswer {
    pub(super) key: Key,
    #[serde(default)]
    pub(super) metrics: BTreeMap<String, MetricAnswer>,
    pub(super) collection_period: Option<PeriodAnswer>,
    pub(super) collection_periods: Option<Vec<PeriodAnswer>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Key {
    pub(super) form_factor: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PeriodAnswer {
    pub(super) first_date: DateAnswer,
    pub(super) last_date: DateAnswer,
}

impl PeriodAnswer {
    pub(super) fn read(&self, today: Date) -> Result<Period, Malformed> {
        let (start, end) = (self.first_date.read()?, self.last_date.read()?);
        // A day ahead is a zone that is ahead.
        let is_ahead = end > today.saturating_add(Duration::DAY);
        if is_ahead || end - start != PERIOD - Duration::DAY {
            return Err(Malformed::Period);
        }
        Ok(Period { start, end })
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct DateAnswer {
    pub(super) year: i32,
    pub(super) month: u8,
    pub(super) day: u8,
}

impl DateAnswer {
    fn read(&self) -> Result<Date, Malformed> {
        let month = Month::try_from(self.month).map_err(|_| Malformed::Period)?;
        Date::from_calendar_date(self.year, month, self.day).map_err(|_| Malformed::Period)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MetricAnswer {
    pub(super) histogram: Vec<BinAnswer>,
    pub(super) percentiles: Option<Percentiles>,
    pub(super) fractions: Option<BTreeMap<String, Figure>>,
    pub(super) histogram_timeseries: Vec<BinsAnswer>,
    pub(super) percentiles_timeseries: Option<PercentilesSeries>,
    pub(super) fraction_timeseries: Option<BTreeMap<String, FractionSeries>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BinAnswer {
    pub(super) start: Option<Figure>,
    pub(super) end: Option<Figure>,
    pub(super) density: Option<Figure>,
}

#[derive(Debug, Deserialize)]
pub(super) struct BinsAnswer {
    pub(super) start: Option<Figure>,
    pub(super) end: Option<Figure>,
    #[serde(default)]
    pub(super) densities: Vec<Option<Figure>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Percentiles {
    pub(super) p75: Option<Figure>,
}

#[derive(Debug, Deserialize)]
pub(super) struct PercentilesSeries {
    #[serde(default)]
    pub(super) p75s: Vec<Option<Figure>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FractionSeries {
    #[serde(default)]
    pub(super) fractions: Vec<Option<Figure>>,
}
