//! `searchanalytics.query`: the queries, and the checks that answers have to pass.

use std::{
    collections::HashSet,
    hash::{BuildHasher, RandomState},
};

use pharos_domain::{clock::Clock, timestamp::in_utc};
use serde::{Deserialize, Deserializer, Serialize, de::IgnoredAny};
use time::{Date, OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description};

use super::{account::Account, client::GoogleClient, error::GoogleError};
use crate::gsc::figures::{Figures, SearchType};

/// The rows of one request: the most that the API gives.
pub const PAGE: usize = 25_000;
/// How many pages of an answer are read. The API gives some 50,000 rows of a day.
const MOST_PAGES: usize = 8;
/// How many bytes the keys of an answer have at most. Those of the API's 50,000 rows have some 10 million.
pub const MOST_OF_KEYS: usize = 32 * 1024 * 1024;
/// The largest count that is believed. All of a property's together are far from the store's largest number.
const MOST: f64 = 1e10;
/// The most bytes of a key, which are the most that the store takes of a page.
const MOST_OF_KEY: usize = 2_600;

/// A dimension by which rows are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Dimension {
    /// The day.
    Date,
    /// The hour.
    Hour,
    /// The query.
    Query,
    /// The page.
    Page,
    /// The country, three letters.
    Country,
    /// The device.
    Device,
    /// The look of the result. It goes with no other.
    SearchAppearance,
}

/// How complete data have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DataState {
    /// Final.
    Final,
    /// Final or not.
    All,
    /// By the hour, which is never final.
    HourlyAll,
}

/// A question.
#[derive(Clone, Debug)]
pub struct SearchAnalyticsQuery<'a> {
    /// The property that is asked about.
    pub site_url: &'a str,
    /// The search type.
    pub search_type: SearchType,
    /// The first day, in Pacific time.
    pub start: Date,
    /// The last day, inclusive.
    pub end: Date,
    /// The dimensions by which rows are grouped.
    pub dimensions: &'a [Dimension],
    /// How complete data have to be.
    pub data_state: DataState,
    /// The look of results that alone count.
    pub appearance: Option<&'a str>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The values of the dimensions, in their order.
    pub keys: Vec<String>,
    /// The figures.
    pub figures: Figures,
}

/// An answer: all of its pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answered {
    /// The rows, each key once.
    pub rows: Vec<Row>,
    /// The keys of rows that are left out, since their figures are impossible, or nobody can read their day or hour.
    pub bad: Vec<Vec<String>>,
    /// How many rows are left out that are none, such as those with a key that is no text.
    pub unread: usize,
    /// The first day that is not complete, where the API says so.
    pub first_incomplete_date: Option<Date>,
    /// The first hour that is not complete, where the API says so.
    pub first_incomplete_hour: Option<OffsetDateTime>,
}

/// The request (`SearchAnalyticsQueryRequest`).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Query<'a> {
    start_date: String,
    end_date: String,
    dimensions: &'a [Dimension],
    r#type: &'static str,
    data_state: DataState,
    row_limit: usize,
    start_row: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimension_filter_groups: Option<[FilterGroup<'a>; 1]>,
}

#[derive(Serialize)]
struct FilterGroup<'a> {
    filters: [Filter<'a>; 1],
}

#[derive(Serialize)]
struct Filter<'a> {
    dimension: Dimension,
    operator: &'static str,
    expression: &'a str,
}

/// The answer (`SearchAnalyticsQueryResponse`).
#[derive(Deserialize)]
struct Response {
    rows: Option<Vec<Maybe<DataRow>>>,
    metadata: Option<Maybe<Metadata>>,
}

/// A part of an answer. If it can't be read, only it is left out.
struct Maybe<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Maybe<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Part<T> {
            Read(T),
            Other(IgnoredAny),
        }

        Ok(Self(match Part::deserialize(deserializer)? {
            Part::Read(part) => Some(part),
            Part::Other(IgnoredAny) => None,
        }))
    }
}

#[derive(Deserialize)]
struct DataRow {
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default = "zero")]
    clicks: Maybe<f64>,
    #[serde(default = "zero")]
    impressions: Maybe<f64>,
    #[serde(default = "zero")]
    position: Maybe<f64>,
}

/// A figure that is left out is 0.
const fn zero() -> Maybe<f64> {
    Maybe(Some(0.0))
}

impl Maybe<f64> {
    /// The number, if it is a possible one.
    fn number(&self) -> Option<f64> {
        self.0.filter(|number| (0.0..=MOST).contains(number))
    }
}

/// From when on data are not complete.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    #[serde(alias = "first_incomplete_date")]
    first_incomplete_date: Option<Maybe<String>>,
    #[serde(alias = "first_incomplete_hour")]
    first_incomplete_hour: Option<Maybe<String>>,
}

impl Maybe<Metadata> {
    /// The first day and the first hour that are not complete, where they are told and can be read.
    fn marks(self) -> (Option<Date>, Option<OffsetDateTime>) {
        let Some(metadata) = self.0 else {
            unmarked();
            return (None, None);
        };
        let (day, first_hour) = (metadata.first_incomplete_date, metadata.first_incomplete_hour);
        (
            day.and_then(|mark| mark.read(date)),
            first_hour.and_then(|mark| mark.read(hour)),
        )
    }
}

impl Maybe<String> {
    /// A day or an hour.
    fn read<T>(&self, read: impl Fn(&str) -> Result<T, GoogleError>) -> Option<T> {
        let marked = self.0.as_deref().and_then(|text| read(text).ok());
        if marked.is_none() {
            unmarked();
        }
        marked
    }
}

fn unmarked() {
    tracing::warn!("from when on search data are incomplete can't be read; they count as complete");
}

/// The search type as the machine description spells it.
const fn upstream(search_type: SearchType) -> &'static str {
    match search_type {
        SearchType::Web => "WEB",
        SearchType::Discover => "DISCOVER",
        SearchType::News => "NEWS",
        SearchType::GoogleNews => "GOOGLE_NEWS",
        SearchType::Image => "IMAGE",
        SearchType::Video => "VIDEO",
    }
}

impl GoogleClient {
    /// Requests pages until there are no further rows. The answer may change between pages, so a repeated row counts once. A row
    /// that is impossible or can't be read is left out, unless most rows are; so are the rows beyond [`MOST_OF_KEYS`].
    ///
    /// # Errors
    /// Why there is no whole answer.
    pub async fn search_analytics(
        &self,
        account: &Account,
        question: &SearchAnalyticsQuery<'_>,
        clock: &dyn Clock,
    ) -> Result<Answered, GoogleError> {
        let path = [
            "webmasters",
            "v3",
            "sites",
            question.site_url,
            "searchAnalytics",
            "query",
        ];
        let mut answered = Answered::default();
        // The hashes of keys: there are few enough rows that no two have the same one.
        let (mut seen, hasher) = (HashSet::new(), RandomState::new());
        let mut left = MOST_OF_KEYS;
        'pages: for page in 0..MOST_PAGES {
            let query = query(question, page * PAGE)?;
            let response: Response = self.post(account, &path, &query, clock.now()).await?;
            let rows = response.rows.unwrap_or_default();
            let count = rows.len();
            if count > PAGE {
                return Err(GoogleError::Malformed("it has more rows than were asked for"));
            }
            if let Some(metadata) = response.metadata {
                (answered.first_incomplete_date, answered.first_incomplete_hour) = metadata.marks();
            }
            for row in rows {
                let Some(kept) = left.checked_sub(bytes(&row)) else {
                    tracing::warn!(
                        search_type = %question.search_type,
                        "an answer of search data has longer keys than any; the rest of it is left out"
                    );
                    break 'pages;
                };
                left = kept;
                match read(row, question) {
                    Read::Row(row) if seen.insert(hasher.hash_one(&row.keys)) => answered.rows.push(row),
                    Read::Row(_) | Read::Unkept => {}
                    Read::Bad(keys) => answered.bad.push(keys),
                    Read::Unread => answered.unread += 1,
                }
            }
            if count < PAGE {
                break;
            }
        }
        let by_time = |dimension: &Dimension| matches!(dimension, Dimension::Date | Dimension::Hour);
        // A list of a day may have a single row, and goes on without it. Where rows tell which days or hours there are, an answer
        // without any would say that there are none.
        let spared = usize::from(!question.dimensions.iter().any(by_time));
        if answered.bad.len() + answered.unread > answered.rows.len().max(spared) {
            return Err(GoogleError::Malformed("most of its rows are impossible"));
        }
        if !answered.bad.is_empty() {
            tracing::warn!(
                rows = answered.bad.len(),
                search_type = %question.search_type,
                "rows of search data are impossible; they are left out"
            );
        }
        Ok(answered)
    }
}

/// A row as it was read.
#[derive(Debug, PartialEq)]
enum Read {
    Row(Row),
    /// The store can't keep its key. The other rows still count.
    Unkept,
    /// The keys of one that is impossible.
    Bad(Vec<String>),
    /// It is none.
    Unread,
}

fn query<'a>(question: &SearchAnalyticsQuery<'a>, start_row: usize) -> Result<Query<'a>, GoogleError> {
    let day = |date: Date| {
        date.format(format_description!("[year]-[month]-[day]"))
            .map_err(|_| GoogleError::Malformed("the day can't be written"))
    };
    let filter = question.appearance.map(|expression| {
        [FilterGroup {
            filters: [Filter {
                dimension: Dimension::SearchAppearance,
                operator: "EQUALS",
                expression,
            }],
        }]
    });
    Ok(Query {
        start_date: day(question.start)?,
        end_date: day(question.end)?,
        dimensions: question.dimensions,
        r#type: upstream(question.search_type),
        data_state: question.data_state,
        row_limit: PAGE,
        start_row,
        dimension_filter_groups: filter,
    })
}

fn bytes(Maybe(row): &Maybe<DataRow>) -> usize {
    row.iter().flat_map(|row| &row.keys).map(String::len).sum()
}

fn read(Maybe(row): Maybe<DataRow>, question: &SearchAnalyticsQuery<'_>) -> Read {
    let Some(DataRow {
        keys,
        clicks,
        impressions,
        position,
    }) = row
    else {
        return Read::Unread;
    };
    if keys
        .iter()
        .any(|key| key.len() > MOST_OF_KEY || key.contains('\0'))
    {
        tracing::debug!(
            "a row of search data has a key that is longer than any query or URL; it is left out"
        );
        return Read::Unkept;
    }
    let (Some(clicks), Some(impressions), Some(position)) =
        (clicks.number(), impressions.number(), position.number())
    else {
        return Read::Bad(keys);
    };
    let mut dimensions = keys.iter().zip(question.dimensions);
    let are_read = dimensions.all(|(key, dimension)| match dimension {
        Dimension::Date => date(key).is_ok(),
        Dimension::Hour => hour(key).is_ok(),
        _ => true,
    });
    // Each click is of an impression.
    if keys.len() != question.dimensions.len() || !are_read || clicks > impressions {
        return Read::Bad(keys);
    }
    let impressions = count(impressions);
    let is_ranked = question.search_type.is_ranked();
    Read::Row(Row {
        keys,
        figures: Figures {
            clicks: count(clicks),
            impressions,
            position_sum: if is_ranked {
                position * impressions as f64
            } else {
                0.0
            },
        },
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole and within bounds by then"
)]
fn count(count: f64) -> u64 {
    count.round() as u64
}

/// A day, as rows and metadata write it.
///
/// # Errors
/// It is none.
pub fn date(text: &str) -> Result<Date, GoogleError> {
    Date::parse(text, format_description!("[year]-[month]-[day]"))
        .map_err(|_| GoogleError::Malformed("a day is not written as one"))
}

/// An hour, as rows and metadata write it: `2026-03-31T05:00:00-07:00`.
///
/// # Errors
/// It is none.
pub fn hour(text: &str) -> Result<OffsetDateTime, GoogleError> {
    let hour = OffsetDateTime::parse(text, &Rfc3339).ok().and_then(in_utc);
    hour.ok_or(GoogleError::Malformed("an hour is not written as one"))
}

#[cfg(test)]
mod tests {
    use time::macros::{date, datetime};

    use super::*;

    const QUESTION: SearchAnalyticsQuery<'static> = SearchAnalyticsQuery {
        site_url: "sc-domain:ada.example",
        search_type: SearchType::Web,
        start: date!(2026 - 03 - 28),
        end: date!(2026 - 03 - 28),
        dimensions: &[Dimension::Query, Dimension::Country],
        data_state: DataState::All,
        appearance: None,
    };

    #[test]
    fn a_question_is_written_as_the_machine_description_has_it() {
        let of = |question: &SearchAnalyticsQuery<'_>| {
            serde_json::to_value(query(question, 25_000).unwrap()).unwrap()
        };
        assert_eq!(
            of(&QUESTION),
            serde_json::json!({
                "startDate": "2026-03-28", "endDate": "2026-03-28", "dimensions": ["QUERY", "COUNTRY"], "type": "WEB",
                "dataState": "ALL", "rowLimit": 25_000, "startRow": 25_000,
            })
        );
        let looks = SearchAnalyticsQuery {
            appearance: Some("VIDEO"),
            dimensions: &[Dimension::Page],
            data_state: DataState::HourlyAll,
            ..QUESTION
        };
        let looks = of(&looks);
        assert_eq!(looks["dataState"], "HOURLY_ALL");
        assert_eq!(
            looks["dimensionFilterGroups"][0]["filters"][0],
            serde_json::json!({ "dimension": "SEARCH_APPEARANCE", "operator": "EQUALS", "expression": "VIDEO" })
        );
    }

    #[test]
    fn impossible_rows_are_left_out_and_spoil_no_other() {
        let rows = |rows: serde_json::Value| -> Vec<Read> {
            let response: Response = serde_json::from_value(serde_json::json!({ "rows": rows })).unwrap();
            let rows = response.rows.unwrap().into_iter();
            rows.map(|row| read(row, &QUESTION)).collect()
        };
        let row = |keys: &[&str], clicks: serde_json::Value, impressions: serde_json::Value| serde_json::json!({ "keys": keys, "clicks": clicks, "impressions": impressions, "position": 2.5 });
        let found = rows(serde_json::json!([
            row(&["shoes", "deu"], 3.into(), 10.into()),
            row(&["hats", "deu"], (-1).into(), 10.into()),
            row(&["coats", "deu"], 3.into(), serde_json::Value::Null),
            row(&["socks", "deu"], 3.into(), 1e300.into()),
            row(&["gloves", "deu"], "three".into(), 10.into()),
            row(&["boots"], 3.into(), 10.into()),
            row(&["belts", "deu"], 50.into(), 10.into()),
            row(&["scarves", "deu"], 0.into(), 20_000_000_000_u64.into()),
        ]));
        let Read::Row(first) = &found[0] else {
            panic!("{:?}", found[0]);
        };
        assert_eq!(
            (
                first.figures.clicks,
                first.figures.impressions,
                first.figures.position_sum
            ),
            (3, 10, 25.0)
        );
        for bad in &found[1..] {
            assert!(matches!(bad, Read::Bad(_)), "{bad:?}");
        }
        for key in [&*"a".repeat(2_601), "a\0"] {
            let unkept = rows(serde_json::json!([row(&[key, "deu"], 3.into(), 10.into())]));
            assert_eq!(unkept, [Read::Unkept]);
        }
    }

    #[test]
    fn rows_whose_day_or_hour_nobody_can_read_are_bad() {
        let of = |dimensions: &'static [Dimension], key: &str| {
            let question = SearchAnalyticsQuery {
                dimensions,
                ..QUESTION
            };
            let row = serde_json::json!({ "keys": [key], "clicks": 1, "impressions": 2 });
            matches!(
                read(serde_json::from_value(row).unwrap(), &question),
                Read::Row(_)
            )
        };
        assert!(of(&[Dimension::Date], "2026-03-28"));
        assert!(of(&[Dimension::Hour], "2026-03-28T05:00:00-07:00"));
        for day in ["99999-01-01", "", "28.3.2026"] {
            assert!(!of(&[Dimension::Date], day), "{day}");
        }
        assert!(!of(&[Dimension::Hour], "2026-03-28T05:00:00+24:00"));
        assert!(of(&[Dimension::Query], "99999-01-01"));
    }

    #[test]
    fn rows_that_are_none_are_unread_and_spoil_no_other() {
        let rows = serde_json::json!([
            { "keys": [7, "deu"], "impressions": 2 },
            { "keys": [null, "deu"], "impressions": 2 },
            { "keys": ["red", ["deu"]], "impressions": 2 },
            { "keys": "red", "impressions": 2 },
            { "keys": null, "impressions": 2 },
            null,
            "red",
            { "keys": ["hats", "deu"], "impressions": 1 },
        ]);
        let response: Response = serde_json::from_value(serde_json::json!({ "rows": rows })).unwrap();
        let mut read: Vec<Read> = response
            .rows
            .unwrap()
            .into_iter()
            .map(|row| read(row, &QUESTION))
            .collect();
        assert!(matches!(read.pop(), Some(Read::Row(row)) if row.keys == ["hats", "deu"]));
        assert!(read.iter().all(|row| *row == Read::Unread), "{read:?}");
    }

    #[test]
    fn an_answer_may_have_no_rows_or_null() {
        for text in ["{}", r#"{"rows":null}"#, r#"{"rows":[]}"#] {
            let response: Response = serde_json::from_str(text).unwrap();
            assert!(response.rows.unwrap_or_default().is_empty(), "{text}");
        }
        assert!(serde_json::from_str::<Response>(r#"{"rows":"none"}"#).is_err());
    }

    #[test]
    fn marks_that_nobody_can_read_are_as_none() {
        let of = |metadata: &str| {
            let text = format!(r#"{{"rows":[{{"keys":["red","deu"]}}],"metadata":{metadata}}}"#);
            let response: Response = serde_json::from_str(&text).unwrap();
            assert_eq!(response.rows.unwrap().len(), 1, "{metadata}");
            response.metadata.map(Maybe::<Metadata>::marks)
        };
        assert_eq!(of("null"), None);
        for unread in [
            r#""2026-03-29""#,
            "7",
            r#"["2026-03-29"]"#,
            "{}",
            r#"{"firstIncompleteDate":"99999-01-01","firstIncompleteHour":7}"#,
        ] {
            assert_eq!(of(unread), Some((None, None)), "{unread}");
        }
        assert_eq!(
            of(r#"{"firstIncompleteDate":"2026-03-29","firstIncompleteHour":7}"#),
            Some((Some(date!(2026 - 03 - 29)), None))
        );
    }

    #[test]
    fn hours_are_taken_to_utc() {
        assert_eq!(
            hour("2026-03-31T05:00:00-07:00").unwrap(),
            datetime!(2026-03-31 12:00 UTC)
        );
        assert!(hour("2026-03-31").is_err());
        assert!(date("31.3.2026").is_err());
    }
}
