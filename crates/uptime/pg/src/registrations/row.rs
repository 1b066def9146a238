//! The rows of registrations.

use diesel::{
    QueryableByName,
    prelude::AsChangeset,
    sql_types::{Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use pharos_domain::store::StoreError;
use pharos_persistence::{
    due::{Claimed, ClaimedRow},
    json::{Json, written},
    names,
    text::without_nul,
};
use pharos_uptime::registration::{
    Registration,
    change::{RegistrationChange, RegistrationField},
    store::{AskedRegistration, DueRegistration, KnownRegistration, Learned, MonitoredRegistration},
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::domain_registrations;

#[derive(QueryableByName)]
pub(super) struct UnenrolledRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) domain_id: Uuid,
    #[diesel(sql_type = Text)]
    pub(super) hostname: String,
}

#[derive(QueryableByName)]
pub(super) struct MonitoredRow {
    #[diesel(sql_type = Jsonb)]
    warn_days: Json<Vec<u32>>,
    #[diesel(sql_type = Nullable<Text>)]
    name: Option<String>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    answer: Option<Json<Registration>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    answered_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    changes: Option<Json<Vec<Value>>>,
}

#[derive(QueryableByName)]
pub(super) struct DueRow {
    #[diesel(sql_type = Text)]
    pub(super) name: String,
    #[diesel(sql_type = Nullable<Jsonb>)]
    answer: Option<Json<Registration>>,
    #[diesel(sql_type = Jsonb)]
    changes: Json<Vec<Value>>,
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

/// The columns that an asking changes; those that are `None` stay.
#[derive(AsChangeset)]
#[diesel(table_name = domain_registrations)]
pub(super) struct AskedChange {
    leased_until: Option<Option<OffsetDateTime>>,
    asked_at: OffsetDateTime,
    next_check_at: OffsetDateTime,
    failures: i32,
    last_failure: Option<Option<String>>,
    answer: Option<Value>,
    answered_at: Option<OffsetDateTime>,
    changes: Option<Value>,
}

/// The answer of a registry, as it is stored.
pub(crate) fn read_answer(stored: Json<Registration>) -> Result<Registration, StoreError> {
    stored.read("the registration of a domain")
}

fn read_changes(stored: Json<Vec<Value>>) -> Result<Vec<RegistrationChange>, StoreError> {
    stored.read_known("the changes of a registration", "field", |field| {
        field.parse::<RegistrationField>().is_ok()
    })
}

impl TryFrom<MonitoredRow> for MonitoredRegistration {
    type Error = StoreError;

    fn try_from(row: MonitoredRow) -> Result<Self, StoreError> {
        let MonitoredRow {
            warn_days,
            name,
            answer,
            answered_at,
            changes,
        } = row;
        let known = |name: String| {
            let answer = answer.map(read_answer).transpose()?;
            Ok::<_, StoreError>(KnownRegistration {
                name: names::hostname(&name)?,
                answer: answer.zip(answered_at),
                changes: changes.map(read_changes).transpose()?.unwrap_or_default(),
            })
        };
        Ok(Self {
            warn_days: warn_days.read("the days to warn on of a monitor")?,
            known: name.map(known).transpose()?,
        })
    }
}

impl TryFrom<DueRow> for DueRegistration {
    type Error = StoreError;

    /// An answer that this version can't read is as good as none: it is asked for anew.
    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        let DueRow {
            name,
            answer,
            changes,
            failures,
            claimed,
        } = row;
        let unreadable = |error: &StoreError| tracing::error!(name, %error, "a registration can't be read");
        let registration = answer.and_then(|answer| read_answer(answer).inspect_err(unreadable).ok());
        let changes = read_changes(changes).inspect_err(unreadable).unwrap_or_default();
        Ok(Self {
            registration,
            changes,
            failures: names::count(failures)?,
            due_in: claimed.due_in(),
            leased_until: claimed.leased_until,
            name: names::hostname(&name)?,
        })
    }
}

impl TryFrom<&AskedRegistration> for AskedChange {
    type Error = StoreError;

    fn try_from(asked: &AskedRegistration) -> Result<Self, StoreError> {
        let AskedRegistration {
            name: _,
            leased_until: _,
            asked_at,
            next_check_at,
            learned,
        } = asked;
        let change = Self {
            leased_until: Some(None),
            asked_at: *asked_at,
            next_check_at: *next_check_at,
            failures: 0,
            last_failure: Some(None),
            answer: None,
            answered_at: None,
            changes: None,
        };
        Ok(match learned {
            Learned::Answer(registration, changes) => Self {
                answer: Some(written(registration)?),
                answered_at: Some(*asked_at),
                changes: Some(written(changes)?),
                ..change
            },
            Learned::NoService => change,
            Learned::Failure { failures, reason } => Self {
                failures: i32::try_from(*failures).unwrap_or(i32::MAX),
                last_failure: Some(Some(without_nul(reason.clone()))),
                ..change
            },
        })
    }
}
