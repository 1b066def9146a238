//! The rows of runs.

use diesel::{
    QueryableByName,
    sql_types::{Array, Date as SqlDate, Jsonb, Nullable, Text, Uuid as SqlUuid},
};
use pharos_domain::{
    identity::{DomainAccess, Identity, ReachableDomain, ReachableWorkspace},
    ids::{DomainId, ReportTemplateId, UserId, WorkspaceId},
    role::Role,
    runs::Run,
    scope::ScopeSet,
    store::StoreError,
    window::DateRange,
};
use pharos_persistence::{json::Json, names, runs::RunRow};
use pharos_reporting::{
    run::{ReportOrder, ReportResult, ReportRun},
    store::WantedReport,
};
use std::sync::Arc;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// A run with what is kept of it.
#[derive(QueryableByName)]
pub(crate) struct ReportRunRow {
    #[diesel(embed)]
    pub(super) run: RunRow,
    #[diesel(sql_type = Nullable<SqlUuid>)]
    template_id: Option<Uuid>,
    #[diesel(sql_type = Text)]
    template_name: String,
    #[diesel(sql_type = Text)]
    trigger: String,
    #[diesel(sql_type = Text)]
    format: String,
    #[diesel(sql_type = Nullable<Text>)]
    period: Option<String>,
    #[diesel(sql_type = SqlDate)]
    first_day: Date,
    #[diesel(sql_type = SqlDate)]
    last_day: Date,
    #[diesel(sql_type = Nullable<Jsonb>)]
    result: Option<Json<ReportResult>>,
}

impl ReportRunRow {
    /// The run as it is at that moment.
    pub(super) fn read(self, now: OffsetDateTime) -> Result<ReportRun, StoreError> {
        ReportRun::try_from(self).map(|run| at(run, now))
    }
}

/// A run as it is at that moment.
pub(super) fn at(ended: ReportRun, now: OffsetDateTime) -> ReportRun {
    ReportRun {
        run: ended.run.at(now),
        ..ended
    }
}

impl TryFrom<ReportRunRow> for ReportRun {
    type Error = StoreError;

    /// The run as it ended, whether or not its result is still kept.
    fn try_from(row: ReportRunRow) -> Result<Self, StoreError> {
        let (first, last) = (row.first_day, row.last_day);
        let days = DateRange::new(first, last);
        let result = row.result.map(|result| result.read("the result of a report"));
        let read = Self {
            run: Run::try_from(row.run)?,
            template: row.template_id.map(ReportTemplateId),
            template_name: row.template_name,
            trigger: row.trigger.parse()?,
            format: row.format.parse()?,
            period: row.period.map(|period| period.parse()).transpose()?,
            days: days.ok_or_else(|| StoreError::Corrupt(format!("{last} lies before {first}")))?,
            result: result.transpose()?,
        };
        Ok(read.saying_what_is_missing())
    }
}

/// A report that is to be made.
#[derive(QueryableByName)]
pub(super) struct WantedRow {
    #[diesel(embed)]
    run: ReportRunRow,
    #[diesel(sql_type = Jsonb)]
    ordered: Json<ReportOrder>,
    #[diesel(sql_type = Text)]
    hostname: String,
    #[diesel(sql_type = SqlUuid)]
    workspace_id: Uuid,
    #[diesel(sql_type = Text)]
    subscription_status: String,
    #[diesel(sql_type = Array<Text>)]
    modules: Vec<String>,
}

impl WantedRow {
    pub(super) fn read(self, now: OffsetDateTime) -> Result<WantedReport, StoreError> {
        let run = self.run.read(now)?;
        let domain_id: DomainId = run.run.domain_id;
        let workspace = ReachableWorkspace {
            id: WorkspaceId(self.workspace_id),
            role: Role::Viewer,
            subscription: self.subscription_status.parse()?,
            plan_modules: names::known(&self.modules),
            domains: Arc::new([ReachableDomain {
                id: domain_id,
                hostname: names::hostname(&self.hostname)?,
            }]),
        };
        // In the name of whoever asked, with a way into the one domain and no scope: no gate ever sees it.
        let requester = run.run.requested_by;
        let identity = Identity {
            kind: requester.kind,
            credential_id: requester.credential_id,
            user_id: UserId(Uuid::nil()),
            name: None,
            key_prefix: None,
            expires_at: None,
            client_id: None,
            audience: None,
            scopes: ScopeSet::default(),
            default_workspace_id: Some(workspace.id),
            workspaces: vec![workspace],
        };
        let domain = DomainAccess::open(&Arc::new(identity), domain_id);
        Ok(WantedReport {
            domain: domain
                .ok_or_else(|| StoreError::Corrupt("a run of a domain that is not its own".to_owned()))?,
            order: self.ordered.read("what a report is made from")?,
            run,
        })
    }
}

/// A result that is no longer kept.
#[derive(QueryableByName)]
pub(super) struct OldResultRow {
    #[diesel(sql_type = SqlUuid)]
    pub(super) run_id: Uuid,
}
