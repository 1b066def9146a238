//! The row of a run.

use diesel::prelude::{Insertable, Queryable, QueryableByName, Selectable};
use pharos_domain::{
    ids::{CredentialId, DomainId, RunId},
    runs::{Requester, Run, RunItems},
    store::StoreError,
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::{names, schema::runs};

/// A run as it is stored, read and written alike. A group selects it beside what it keeps of the run itself.
#[derive(Debug, Insertable, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = runs)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub struct RunRow {
    id: Uuid,
    domain_id: Uuid,
    kind: String,
    status: String,
    requested_at: OffsetDateTime,
    started_at: Option<OffsetDateTime>,
    finished_at: Option<OffsetDateTime>,
    expires_at: Option<OffsetDateTime>,
    total_items: Option<i32>,
    completed_items: Option<i32>,
    failed_items: Option<i32>,
    error_code: Option<String>,
    error_detail: Option<String>,
    requester_kind: String,
    credential_id: Uuid,
    credits_charged: i32,
}

impl RunRow {
    /// The run's id.
    #[must_use]
    pub const fn id(&self) -> RunId {
        RunId(self.id)
    }

    /// When it was asked for.
    #[must_use]
    pub const fn requested_at(&self) -> OffsetDateTime {
        self.requested_at
    }
}

impl TryFrom<RunRow> for Run {
    type Error = StoreError;

    fn try_from(row: RunRow) -> Result<Self, StoreError> {
        let items = |total| {
            Ok::<_, StoreError>(RunItems {
                total: names::count(total)?,
                completed: names::count(row.completed_items.unwrap_or(0))?,
                failed: names::count(row.failed_items.unwrap_or(0))?,
            })
        };
        Ok(Self {
            id: RunId(row.id),
            domain_id: DomainId(row.domain_id),
            kind: row.kind.parse()?,
            status: row.status.parse()?,
            requested_at: row.requested_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            expires_at: row.expires_at,
            items: row.total_items.map(items).transpose()?,
            error_code: row.error_code,
            error_detail: row.error_detail,
            requested_by: Requester {
                kind: row.requester_kind.parse()?,
                credential_id: CredentialId(row.credential_id),
            },
            credits_charged: names::count(row.credits_charged)?,
        })
    }
}

/// A run that nobody has begun.
#[derive(Insertable)]
#[diesel(table_name = runs)]
pub(super) struct NewRunRow {
    #[diesel(embed)]
    run: RunRow,
    result_seconds: Option<i32>,
    requested_items: Option<i32>,
}

impl NewRunRow {
    pub(super) fn new(run: &Run, result_kept: Option<Duration>) -> Self {
        let at_most = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
        let items = run.items.map(|items| at_most(items.total.into()));
        Self {
            run: RunRow {
                id: run.id.0,
                domain_id: run.domain_id.0,
                kind: run.kind.to_string(),
                status: run.status.to_string(),
                requested_at: run.requested_at,
                started_at: None,
                finished_at: None,
                expires_at: None,
                total_items: items,
                completed_items: None,
                failed_items: None,
                error_code: None,
                error_detail: None,
                requester_kind: run.requested_by.kind.to_string(),
                credential_id: run.requested_by.credential_id.0,
                credits_charged: at_most(run.credits_charged.into()),
            },
            result_seconds: result_kept.map(|kept| at_most(kept.whole_seconds())),
            requested_items: items,
        }
    }
}
