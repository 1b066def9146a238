//! Search Console's API, played on what is known of some sites, in the form of its discovery document `searchconsole.v1`.

use std::{collections::BTreeMap, fmt, sync::Arc};

use pharos_search::gsc::pacific;
use serde::Deserialize;
use serde_json::{Value, json};
use time::{
    Date, Duration, OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description,
};

use super::{consent::Consents, inspect};

/// How far back data reach.
const HISTORY: Duration = Duration::days(486);
/// How many days are not final: today and the two before.
const INCOMPLETE: i64 = 2;
/// How many hours are not complete.
const INCOMPLETE_HOURS: i64 = 4;

/// Some results of a day, of one query and page in one place.
#[derive(Clone, Debug)]
pub struct Fact {
    /// The query that people searched for; `None`: so rare that no row tells it, or not told at all.
    pub query: Option<String>,
    /// The page that they saw.
    pub page: String,
    /// The country, three letters in lower case.
    pub country: &'static str,
    /// `DESKTOP`, `MOBILE` or `TABLET`.
    pub device: &'static str,
    /// The look of the result, in upper case.
    pub look: Option<&'static str>,
    /// The hour of the day.
    pub hour: u8,
    /// Clicks.
    pub clicks: u32,
    /// Impressions.
    pub impressions: u32,
    /// The mean position.
    pub position: f64,
}

/// The results of search that the played API tells.
pub trait Facts: Send + Sync {
    /// The results of a day of a search type, such as `WEB`.
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact>;
}

/// Plays the API.
pub struct Play {
    /// The properties of the account, with its permission.
    pub sites: Vec<(String, &'static str)>,
    /// Sitemaps that were submitted: their property, their URL, and how many pages they list.
    pub sitemaps: Vec<(String, String, u32)>,
    /// The results of search on them.
    pub facts: Arc<dyn Facts>,
    /// Asks for consent to read them.
    pub consents: Consents,
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Play")
            .field("sites", &self.sites)
            .finish_non_exhaustive()
    }
}

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The method.
    pub method: &'a str,
    /// The path, without the query, as it was sent.
    pub path: &'a str,
    /// The access token.
    pub bearer: Option<&'a str>,
    /// The body.
    pub body: &'a [u8],
}

/// How tokens begin that count here.
const TOKEN: &str = "played.";

/// A refusal: status and Google's word.
type Refusal = (u16, &'static str);

/// The body of a question (`SearchAnalyticsQueryRequest`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Query {
    start_date: String,
    end_date: String,
    #[serde(default)]
    dimensions: Vec<String>,
    r#type: Option<String>,
    search_type: Option<String>,
    data_state: Option<String>,
    aggregation_type: Option<String>,
    row_limit: Option<i64>,
    start_row: Option<i64>,
    #[serde(default)]
    dimension_filter_groups: Vec<FilterGroup>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FilterGroup {
    #[serde(default)]
    filters: Vec<Filter>,
    group_type: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    dimension: String,
    operator: Option<String>,
    expression: String,
}

/// Sums of a row.
#[derive(Debug, Default)]
struct Sum {
    clicks: u64,
    impressions: u64,
    position: f64,
}

impl Play {
    /// The answer to a request at that moment: its status, and its body as JSON.
    #[must_use]
    pub fn answer(&self, asked: &Asked<'_>, now: OffsetDateTime) -> (u16, Value) {
        if (asked.method, asked.path) == ("POST", "/token") {
            let token = format!("{TOKEN}{}", now.unix_timestamp());
            if let Some(answer) = self.consents.token(asked.body, &token, now) {
                return answer;
            }
            return (
                200,
                json!({ "access_token": token, "expires_in": 3_599, "token_type": "Bearer" }),
            );
        }
        if !asked.bearer.is_some_and(|token| token.starts_with(TOKEN)) {
            return refused((401, "UNAUTHENTICATED"));
        }
        let segments: Vec<String> = asked.path.trim_matches('/').split('/').map(decoded).collect();
        let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
        let answered = match (asked.method, segments.as_slice()) {
            ("GET", ["webmasters", "v3", "sites"]) => Ok(self.sites()),
            ("POST", ["webmasters", "v3", "sites", site, "searchAnalytics", "query"]) => {
                self.question(site, asked.body, now)
            }
            ("GET", ["webmasters", "v3", "sites", site, "sitemaps"]) => self.sitemaps(site, now),
            ("POST", ["v1", "urlInspection", "index:inspect"]) => self.inspection(asked.body, now),
            _ => Err((404, "NOT_FOUND")),
        };
        answered.map_or_else(refused, |answer| (200, answer))
    }

    fn sites(&self) -> Value {
        let entries = self.sites.iter();
        let entries = entries.map(|(site, level)| json!({ "siteUrl": site, "permissionLevel": level }));
        json!({ "siteEntry": entries.collect::<Vec<_>>() })
    }

    fn sitemaps(&self, site: &str, now: OffsetDateTime) -> Result<Value, Refusal> {
        self.own(site)?;
        let at = |ago: Duration| (now - ago).format(&Rfc3339).unwrap_or_default();
        let own = self.sitemaps.iter().filter(|(property, ..)| property == site);
        let told = own.map(|(_, path, pages)| {
            json!({
                "path": path, "lastSubmitted": at(Duration::days(90)), "lastDownloaded": at(Duration::hours(20)),
                "isPending": false, "isSitemapsIndex": true, "type": "SITEMAP", "errors": "0", "warnings": "0",
                "contents": [{ "type": "WEB", "submitted": pages.to_string() }],
            })
        });
        let told: Vec<Value> = told.collect();
        // An answer without sitemaps has no such member.
        Ok(if told.is_empty() {
            json!({})
        } else {
            json!({ "sitemap": told })
        })
    }

    fn inspection(&self, body: &[u8], now: OffsetDateTime) -> Result<Value, Refusal> {
        const INVALID: Refusal = (400, "INVALID_ARGUMENT");
        let request = inspect::request(body).ok_or(INVALID)?;
        self.own(&request.site_url)?;
        inspect::inspection(&request, now).ok_or(INVALID)
    }

    /// Whether the account may read a property.
    fn own(&self, site: &str) -> Result<(), Refusal> {
        let is_own = |(known, level): &&(String, &str)| known == site && *level != "SITE_UNVERIFIED_USER";
        let own = self.sites.iter().find(is_own);
        own.map(|_| ()).ok_or((403, "PERMISSION_DENIED"))
    }

    fn question(&self, site: &str, body: &[u8], now: OffsetDateTime) -> Result<Value, Refusal> {
        const INVALID: Refusal = (400, "INVALID_ARGUMENT");
        self.own(site)?;
        let query: Query = serde_json::from_slice(body).map_err(|_| INVALID)?;
        let kind = query
            .r#type
            .as_deref()
            .or(query.search_type.as_deref())
            .map_or("WEB".to_owned(), upper);
        let dimensions: Vec<String> = query.dimensions.iter().map(|name| upper(name)).collect();
        let has = |name: &str| dimensions.iter().any(|dimension| dimension == name);
        let state = query.data_state.as_deref().map_or("FINAL".to_owned(), upper);
        let limit = usize::try_from(query.row_limit.unwrap_or(1_000)).map_err(|_| INVALID)?;
        let start_row = usize::try_from(query.start_row.unwrap_or(0)).map_err(|_| INVALID)?;
        let days = (
            day(&query.start_date).ok_or(INVALID)?,
            day(&query.end_date).ok_or(INVALID)?,
        );
        let knows = |names: &[&str], name: &str| names.contains(&name);
        let is_sound = knows(
            &["WEB", "IMAGE", "VIDEO", "NEWS", "DISCOVER", "GOOGLE_NEWS"],
            &kind,
        ) && knows(&["FINAL", "ALL", "HOURLY_ALL"], &state)
            && query.aggregation_type.as_deref().map_or("AUTO".to_owned(), upper) != "BY_NEWS_SHOWCASE_PANEL"
            && (1..=25_000).contains(&limit)
            && days.0 <= days.1
            && dimensions.iter().all(|name| DIMENSIONS.contains(&name.as_str()))
            && (!has("SEARCH_APPEARANCE") || dimensions.len() == 1)
            && (!has("HOUR") || state == "HOURLY_ALL")
            && (!has("QUERY") || !knows(&["DISCOVER", "GOOGLE_NEWS"], &kind))
            && (!has("DEVICE") || kind != "DISCOVER");
        if !is_sound {
            return Err(INVALID);
        }
        let filters = filters(&query)?;
        let today = pacific::day(now);
        let first_incomplete = today - Duration::days(INCOMPLETE);
        let newest = if state == "FINAL" {
            first_incomplete - Duration::DAY
        } else {
            today
        };
        let mut rows: BTreeMap<Vec<String>, Sum> = BTreeMap::new();
        let mut date = days.0.max(today - HISTORY);
        let (hour_now, last) = (pacific::local(now).hour(), days.1.min(newest));
        while date <= last {
            let mut facts = self.facts.of(date, &kind);
            // Today is not over.
            facts.retain(|fact| date < today || fact.hour < hour_now);
            facts.retain(|fact| filters.iter().all(|filter| filter.fits(fact)));
            for fact in &facts {
                let keys: Option<Vec<String>> = dimensions.iter().map(|name| key(name, date, fact)).collect();
                let Some(keys) = keys else { continue };
                let sum = rows.entry(keys).or_default();
                sum.clicks += u64::from(fact.clicks);
                sum.impressions += u64::from(fact.impressions);
                sum.position += fact.position * f64::from(fact.impressions);
            }
            date += Duration::DAY;
        }
        rows.retain(|_, sum| sum.impressions > 0);
        let mut rows: Vec<(Vec<String>, Sum)> = rows.into_iter().collect();
        if !has("DATE") && !has("HOUR") {
            rows.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.clicks));
        }
        let is_ranked = !knows(&["DISCOVER", "GOOGLE_NEWS"], &kind);
        let page = rows.into_iter().skip(start_row).take(limit);
        let page: Vec<Value> = page.map(|(keys, sum)| sum.row(&keys, is_ranked)).collect();
        let mut answer = json!({
            "responseAggregationType": if has("PAGE") || has("SEARCH_APPEARANCE") { "BY_PAGE" } else { "BY_PROPERTY" }
        });
        // An answer without rows has no such member.
        if !page.is_empty() {
            answer["rows"] = json!(page);
        }
        if has("DATE") && state == "ALL" && days.1 >= first_incomplete {
            answer["metadata"] = json!({ "firstIncompleteDate": written(first_incomplete) });
        }
        if has("HOUR") && days.1 >= today {
            let hour = pacific::local(now - Duration::hours(INCOMPLETE_HOURS));
            answer["metadata"] = json!({ "firstIncompleteHour": hour_of(hour.date(), hour.hour()) });
        }
        Ok(answer)
    }
}

const DIMENSIONS: [&str; 7] = [
    "DATE",
    "QUERY",
    "PAGE",
    "COUNTRY",
    "DEVICE",
    "SEARCH_APPEARANCE",
    "HOUR",
];

impl Sum {
    fn row(&self, keys: &[String], is_ranked: bool) -> Value {
        let impressions = self.impressions as f64;
        let mut row = json!({
            "clicks": self.clicks as f64, "impressions": impressions, "ctr": self.clicks as f64 / impressions,
        });
        if !keys.is_empty() {
            row["keys"] = json!(keys);
        }
        if is_ranked {
            row["position"] = json!(self.position / impressions);
        }
        row
    }
}

/// The value of a dimension; `None`: no row tells it.
fn key(dimension: &str, date: Date, fact: &Fact) -> Option<String> {
    match dimension {
        "DATE" => Some(written(date)),
        "HOUR" => Some(hour_of(date, fact.hour)),
        "QUERY" => fact.query.clone(),
        "PAGE" => Some(fact.page.clone()),
        "COUNTRY" => Some(fact.country.to_owned()),
        "DEVICE" => Some(fact.device.to_owned()),
        _ => fact.look.map(str::to_owned),
    }
}

/// A filter that is in order.
struct Sound {
    dimension: String,
    operator: String,
    expression: String,
}

fn filters(query: &Query) -> Result<Vec<Sound>, Refusal> {
    let groups = query.dimension_filter_groups.iter();
    let is_and = |group: &FilterGroup| {
        group
            .group_type
            .as_deref()
            .is_none_or(|kind| upper(kind) == "AND")
    };
    if !groups.clone().all(is_and) {
        return Err((400, "INVALID_ARGUMENT"));
    }
    groups
        .flat_map(|group| &group.filters)
        .map(|filter| {
            let sound = Sound {
                dimension: upper(&filter.dimension),
                operator: filter.operator.as_deref().map_or("EQUALS".to_owned(), upper),
                expression: filter.expression.clone(),
            };
            let is_known = ["EQUALS", "NOT_EQUALS", "CONTAINS", "NOT_CONTAINS"]
                .contains(&sound.operator.as_str())
                && ["QUERY", "PAGE", "COUNTRY", "DEVICE", "SEARCH_APPEARANCE"]
                    .contains(&sound.dimension.as_str());
            if is_known {
                Ok(sound)
            } else {
                Err((400, "INVALID_ARGUMENT"))
            }
        })
        .collect()
}

impl Sound {
    fn fits(&self, fact: &Fact) -> bool {
        let value = key(&self.dimension, Date::MIN, fact).unwrap_or_default();
        match self.operator.as_str() {
            "EQUALS" => value == self.expression,
            "NOT_EQUALS" => value != self.expression,
            "CONTAINS" => value.contains(&self.expression),
            _ => !value.contains(&self.expression),
        }
    }
}

/// A name in either spelling, as the discovery document has it: `byPage` and `BY_PAGE`.
fn upper(name: &str) -> String {
    if name.chars().any(char::is_lowercase) {
        let mut upper = String::with_capacity(name.len() + 2);
        for character in name.chars() {
            if character.is_uppercase() {
                upper.push('_');
            }
            upper.push(character.to_ascii_uppercase());
        }
        return upper;
    }
    name.to_owned()
}

fn decoded(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment)
        .decode_utf8_lossy()
        .into_owned()
}

fn day(text: &str) -> Option<Date> {
    Date::parse(text, format_description!("[year]-[month]-[day]")).ok()
}

fn written(date: Date) -> String {
    date.to_string()
}

/// The hour as rows tell it, with the offset that California has on that day.
fn hour_of(date: Date, hour: u8) -> String {
    let time = time::Time::from_hms(hour.min(23), 0, 0).unwrap_or(time::Time::MIDNIGHT);
    let offset = pacific::local(date.with_time(time).assume_utc()).offset();
    let at = date.with_time(time).assume_offset(offset);
    at.format(&Rfc3339).unwrap_or_default()
}

fn refused((code, word): Refusal) -> (u16, Value) {
    (
        code,
        json!({ "error": { "code": code, "message": "refused", "status": word } }),
    )
}
