//! The answers of the API, and the checks that they have to pass.

mod figures;
mod form;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use time::Date;

use self::form::Answer;
use super::{
    figures::{Figures, Period},
    record::Subject,
};

/// How many periods are read, at most. The API gives 40.
const MOST_PERIODS: usize = 100;

/// An answer that was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The URL that the API made out of the one that was requested, where that is another.
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
/// ends, each once. One that can't be is left out: the others would wait for it for as long as the history has it, 40 weeks.
///
/// # Errors
/// How the answer, or each period of it, is not as it is documented, or not about what was asked for.
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
    let (mut read, mut fault) = (BTreeMap::new(), None);
    for (at, period) in periods.iter().enumerate() {
        let found = period
            .read(today)
            .and_then(|period| Ok((period, answer.figures(at, true)?)));
        match found {
            Ok((period, figures)) => drop(read.insert(period, figures)),
            Err(why) => {
                tracing::warn!(error = %why, "a week of field data is left out");
                fault = Some(why);
            }
        }
    }
    if let Some(why) = fault.filter(|_| read.is_empty()) {
        return Err(why);
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
