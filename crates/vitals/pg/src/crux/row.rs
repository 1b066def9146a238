//! The rows of field data.

use std::iter;

use diesel::{
    QueryableByName,
    prelude::AsChangeset,
    sql_types::{Date as SqlDate, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_domain::{
    ids::{CruxUrlId, DomainId},
    store::StoreError,
};
use pharos_persistence::{
    due::{Claimed, ClaimedRow},
    json::Json,
    names,
    text::without_nul,
};
use pharos_vitals::crux::{
    FormFactor,
    figures::{Figures, PERIOD, Period},
    store::{Collected, DueTarget, Followed, Learned, Newest, Stored},
    target::{PassingSince, Target},
};
use time::{Date, Duration, OffsetDateTime};
use uuid::Uuid;

use crate::schema::crux_targets;

/// The name of the figures in the error for rows that can't be read.
pub(super) const FIGURES: &str = "figures of field data";

#[derive(QueryableByName)]
pub(super) struct FollowedRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Nullable<Text>)]
    url: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    label: Option<String>,
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Nullable<Text>)]
    origin: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    origin_source: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    url_normalized: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    fetched_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<SqlDate>)]
    first_seen_data_on: Option<Date>,
    #[diesel(sql_type = Nullable<SqlDate>)]
    mobile_passing_since: Option<Date>,
    #[diesel(sql_type = Nullable<SqlDate>)]
    desktop_passing_since: Option<Date>,
    #[diesel(sql_type = Timestamptz)]
    created_at: OffsetDateTime,
    #[diesel(sql_type = Nullable<Text>)]
    form_factor: Option<String>,
    #[diesel(sql_type = Nullable<SqlDate>)]
    period_end: Option<Date>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    figures: Option<Json<Figures>>,
}

/// The rows of a target.
pub(super) struct TargetRows {
    first: FollowedRow,
    others: Vec<FollowedRow>,
}

impl TargetRows {
    pub(super) const fn id(&self) -> Uuid {
        self.first.id
    }
}

/// Rows that follow each other are of one target, as long as they have its id.
pub(super) fn by_target(rows: Vec<FollowedRow>) -> Vec<TargetRows> {
    let mut targets: Vec<TargetRows> = Vec::new();
    for row in rows {
        match targets.last_mut() {
            Some(target) if target.id() == row.id => target.others.push(row),
            _ => targets.push(TargetRows {
                first: row,
                others: Vec::new(),
            }),
        }
    }
    targets
}

impl TryFrom<TargetRows> for Followed {
    type Error = StoreError;

    fn try_from(rows: TargetRows) -> Result<Self, StoreError> {
        let TargetRows {
            mut first,
            mut others,
        } = rows;
        let mut known = Newest::new();
        for row in iter::once(&mut first).chain(&mut others) {
            known.extend(last(row)?);
        }
        Ok(Self::new(first.try_into()?, known))
    }
}

fn last(row: &mut FollowedRow) -> Result<Option<(FormFactor, Stored)>, StoreError> {
    let (Some(form_factor), Some(end), Some(figures)) =
        (row.form_factor.take(), row.period_end, row.figures.take())
    else {
        return Ok(None);
    };
    Ok(Some((
        form_factor.parse()?,
        (period(end), figures.read(FIGURES)?),
    )))
}

/// The period that ends on a day.
pub(super) fn period(end: Date) -> Period {
    Period {
        start: end.saturating_sub(PERIOD - Duration::DAY),
        end,
    }
}

impl TryFrom<FollowedRow> for Target {
    type Error = StoreError;

    fn try_from(row: FollowedRow) -> Result<Self, StoreError> {
        let origin = row.origin.zip(row.origin_source);
        Ok(Self {
            id: CruxUrlId(row.id),
            url: row.url,
            label: row.label,
            status: row.status.parse()?,
            origin: origin
                .map(|(origin, source)| Ok::<_, StoreError>((origin, source.parse()?)))
                .transpose()?,
            url_normalized: row.url_normalized,
            fetched_at: row.fetched_at,
            first_seen_data_on: row.first_seen_data_on,
            passing_since: PassingSince {
                mobile: row.mobile_passing_since,
                desktop: row.desktop_passing_since,
            },
            created_at: row.created_at,
        })
    }
}

#[derive(QueryableByName)]
pub(super) struct PeriodRow {
    #[diesel(sql_type = SqlDate)]
    period_end: Date,
    #[diesel(sql_type = Jsonb)]
    figures: Json<Figures>,
}

impl PeriodRow {
    pub(super) fn read(self) -> Result<Stored, StoreError> {
        Ok((period(self.period_end), self.figures.read(FIGURES)?))
    }
}

#[derive(QueryableByName)]
pub(super) struct FormFactorRow {
    #[diesel(sql_type = Text)]
    form_factor: String,
    #[diesel(sql_type = Jsonb)]
    figures: Json<Figures>,
}

impl FormFactorRow {
    pub(super) fn read(self) -> Result<(FormFactor, Figures), StoreError> {
        Ok((self.form_factor.parse()?, self.figures.read(FIGURES)?))
    }
}

#[derive(QueryableByName)]
pub(super) struct DueRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) id: Uuid,
    #[diesel(sql_type = SqlUuid)]
    domain_id: Uuid,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = Nullable<Text>)]
    url: Option<String>,
    #[diesel(sql_type = Nullable<SqlDate>)]
    newest_week: Option<Date>,
    #[diesel(sql_type = Integer)]
    failures: i32,
    #[diesel(embed)]
    pub(super) claimed: Claimed,
}

impl ClaimedRow for DueRow {
    fn claimed(&self) -> Claimed {
        self.claimed
    }
}

impl TryFrom<DueRow> for DueTarget {
    type Error = StoreError;

    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: CruxUrlId(row.id),
            domain: DomainId(row.domain_id),
            hostname: names::hostname(&row.hostname)?,
            url: row.url,
            newest_week: row.newest_week,
            failures: names::count(row.failures)?,
            due_in: row.claimed.due_in(),
            leased_until: row.claimed.leased_until,
        })
    }
}

/// The columns that asking changes; those that are `None` stay.
#[derive(AsChangeset)]
#[diesel(table_name = crux_targets)]
pub(super) struct CollectedChange {
    status: Option<&'static str>,
    leased_until: Option<Option<OffsetDateTime>>,
    asked_at: OffsetDateTime,
    next_collection_at: OffsetDateTime,
    failures: i32,
    last_failure: Option<Option<String>>,
    fetched_at: Option<OffsetDateTime>,
    origin: Option<String>,
    origin_source: Option<&'static str>,
    url_normalized: Option<Option<String>>,
}

impl From<&Collected> for CollectedChange {
    fn from(collected: &Collected) -> Self {
        let change = Self {
            status: Some(collected.learned.status().as_str()),
            leased_until: Some(None),
            asked_at: collected.asked_at,
            next_collection_at: collected.next_collection_at,
            failures: 0,
            last_failure: Some(None),
            fetched_at: Some(collected.asked_at),
            origin: None,
            origin_source: None,
            url_normalized: None,
        };
        match &collected.learned {
            Learned::Figures {
                origin,
                url_normalized,
                periods: _,
            } => {
                let (origin, source) = origin.clone().unzip();
                Self {
                    origin: origin.map(without_nul),
                    origin_source: source.map(|source| source.as_str()),
                    url_normalized: Some(url_normalized.clone().map(without_nul)),
                    ..change
                }
            }
            Learned::Absent => change,
            // That depends on what is known, so that it is written apart.
            Learned::Failure { failures, reason } => Self {
                status: None,
                failures: i32::try_from(*failures).unwrap_or(i32::MAX),
                last_failure: Some(Some(without_nul(reason.clone()))),
                fetched_at: None,
                ..change
            },
        }
    }
}
