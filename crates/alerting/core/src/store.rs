//! The ports to rules, how they stand, and what they led to.

use async_trait::async_trait;
use pharos_domain::{
    alert_metric::AlertModule,
    credits::{Charged, SettleError},
    identity::{DomainAccess, WorkspaceAccess},
    ids::{AlertId, AlertRuleId, DomainId, NotificationId, UserId, WorkspaceId},
    page::{Page, PageRequest},
    settings::{ChangeError, SettingsChange},
    store::StoreError,
};
use pharos_due::work::DueClaim;
use time::OffsetDateTime;

use crate::{
    alert::{Alert, AlertEnd, NewAlert},
    evaluate::Standing,
    notification::{Notification, NotificationFilter, NotificationPage, ReadAll},
    rule::{AlertRule, RuleSettings},
};

/// The rules that a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuleFilter {
    /// Only those on metrics of this module.
    pub module: Option<AlertModule>,
    /// Only those that are enabled, or not.
    pub enabled: Option<bool>,
}

/// Where a list reads: one domain, or all live domains of workspaces.
#[derive(Clone, Copy, Debug)]
pub enum Reach<'a> {
    /// One domain.
    Domain(&'a DomainAccess),
    /// The live domains of these workspaces.
    Workspaces(&'a [WorkspaceAccess]),
}

/// Keeps the rules of domains.
#[async_trait]
pub trait RuleStore: Send + Sync {
    /// Rules, the newest first.
    async fn list(
        &self,
        reach: Reach<'_>,
        filter: RuleFilter,
        page: &PageRequest,
    ) -> Result<Page<AlertRule>, StoreError>;

    /// A rule of the domain.
    async fn find(&self, domain: &DomainAccess, id: AlertRuleId) -> Result<Option<AlertRule>, StoreError>;

    /// Makes a rule and charges for it, in one transaction. A domain that has [`MOST_RULES`](crate::rule::MOST_RULES)
    /// gets no further one: that is a fault.
    async fn create(
        &self,
        domain: &Charged<DomainAccess>,
        settings: &RuleSettings,
        now: OffsetDateTime,
    ) -> Result<AlertRule, ChangeError>;

    /// Changes a rule and charges for it, in one transaction. It is evaluated at once, which resolves its open alerts where
    /// it is no longer broken; disabling it resolves them too. `None`: the domain has no such rule.
    async fn update(
        &self,
        domain: &Charged<DomainAccess>,
        id: AlertRuleId,
        change: &SettingsChange<'_, RuleSettings>,
        now: OffsetDateTime,
    ) -> Result<Option<AlertRule>, ChangeError>;

    /// Deletes a rule and charges for it, in one transaction; its open alerts are resolved, its history stays. `false`:
    /// the domain has no such rule.
    async fn delete(
        &self,
        domain: &Charged<DomainAccess>,
        id: AlertRuleId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;
}

/// Makes rules that nobody pays for.
#[async_trait]
pub trait RuleAdmin: Send + Sync {
    /// Makes a rule in the name of a user, as [`RuleStore::create`] does.
    async fn create(
        &self,
        domain: DomainId,
        by: UserId,
        settings: &RuleSettings,
        now: OffsetDateTime,
    ) -> Result<AlertRule, ChangeError>;
}

/// Reads alerts of the past.
#[async_trait]
pub trait AlertStore: Send + Sync {
    /// Alerts of live domains, the newest first.
    async fn list(&self, reach: Reach<'_>, page: &PageRequest) -> Result<Page<Alert>, StoreError>;

    /// Alerts of the domain that are in force, the newest first.
    async fn in_force(&self, domain: &DomainAccess, page: &PageRequest) -> Result<Page<Alert>, StoreError>;

    /// An alert of a live domain in reach.
    async fn find(&self, reach: &[WorkspaceAccess], id: AlertId) -> Result<Option<Alert>, StoreError>;
}

/// Keeps notifications, and who has read them.
#[async_trait]
pub trait NotificationStore: Send + Sync {
    /// Notifications, the newest first, with how many `reader` has not read of those that the filter lets through, whatever it
    /// says of what was read: a list of what was read tells how much is left. No more are counted than
    /// [`MOST_COUNTED`](crate::notification::MOST_COUNTED).
    async fn list(
        &self,
        reach: Reach<'_>,
        filter: &NotificationFilter,
        reader: UserId,
        page: &PageRequest,
    ) -> Result<NotificationPage, StoreError>;

    /// How many of the newest `most` notifications about the live domains of the workspace `reader` has not read. Those about the
    /// workspace itself are none of them. No more are looked at, so that every page of somebody may ask.
    async fn unread_of_newest(
        &self,
        workspace: &WorkspaceAccess,
        reader: UserId,
        most: u32,
    ) -> Result<u64, StoreError>;

    /// A notification about the domain.
    async fn find(
        &self,
        domain: &DomainAccess,
        id: NotificationId,
    ) -> Result<Option<Notification>, StoreError>;

    /// Notes that the caller has read it, or not, and charges for it, in one transaction. A notification that was read before
    /// keeps its time. `None`: there is none about the domain.
    async fn mark(
        &self,
        domain: &Charged<DomainAccess>,
        id: NotificationId,
        read: bool,
        now: OffsetDateTime,
    ) -> Result<Option<Notification>, SettleError>;

    /// Notes that the caller has read all of the domain that the choice names, and charges for it, in one transaction. The
    /// answer is how many were unread.
    async fn mark_all(
        &self,
        domain: &Charged<DomainAccess>,
        choice: &ReadAll,
        now: OffsetDateTime,
    ) -> Result<u64, SettleError>;

    /// Notes that the caller has read one about the workspace alone, or not. One that was read before keeps its time. `false`:
    /// there is none. The API has no operation for it.
    async fn mark_of_workspace(
        &self,
        workspace: &Charged<WorkspaceAccess>,
        id: NotificationId,
        read: bool,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;

    /// Notes that the caller has read all that are about the workspace alone. The answer is how many were unread.
    async fn mark_all_of_workspace(
        &self,
        workspace: &Charged<WorkspaceAccess>,
        now: OffsetDateTime,
    ) -> Result<u64, SettleError>;
}

/// A rule that is due, claimed by this process.
#[derive(Clone, Debug, PartialEq)]
pub struct DueRule {
    /// The rule that is due.
    pub id: AlertRuleId,
    /// The domain that it watches.
    pub domain_id: DomainId,
    /// The name of the domain.
    pub domain_name: String,
    /// The workspace of the domain.
    pub workspace_id: WorkspaceId,
    /// The settings by which it is evaluated.
    pub settings: RuleSettings,
    /// Whether the plan of its workspace has its module, and alerts.
    pub is_in_plan: bool,
    /// When its settings were changed last.
    pub updated_at: OffsetDateTime,
    /// When it was evaluated last.
    pub last_evaluated_at: Option<OffsetDateTime>,
    /// Whether it could not be read the last time, and was put off.
    pub was_put_off: bool,
    /// How it stood.
    pub standing: Standing,
    /// The events that it has not counted yet.
    pub pending: PendingEvents,
    /// How many alerts of its domain fired within the last hour ([`FIRINGS_WITHIN`](crate::shares::FIRINGS_WITHIN)); not counted
    /// further than it matters.
    pub domain_firings: u32,
    /// When it was due.
    pub due_at: OffsetDateTime,
    /// Until when the claim holds, which tells it from others.
    pub leased_until: OffsetDateTime,
}

/// Events that a rule has not counted yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PendingEvents {
    /// How many there are.
    pub count: u32,
    /// The number of the newest, up to which they are counted.
    pub through: Option<i64>,
    /// The facts that the newest of them has.
    pub context: serde_json::Map<String, serde_json::Value>,
}

/// The outcome of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The rule, as it was claimed.
    pub rule: AlertRuleId,
    /// When its settings were changed last that it was evaluated by.
    pub updated_at: OffsetDateTime,
    /// When it was due as it was claimed: what has happened since has it due at another time.
    pub due_at: OffsetDateTime,
    /// The claim.
    pub leased_until: OffsetDateTime,
    /// How it stands.
    pub standing: Standing,
    /// The events up to this number are counted; `None`: all stay.
    pub counted_through: Option<i64>,
    /// The alert that it led to.
    pub alert: Option<NewAlert>,
    /// Why its open alerts are over; `None`: they go on.
    pub end: Option<AlertEnd>,
    /// When it was evaluated.
    pub evaluated_at: OffsetDateTime,
    /// When it is evaluated next.
    pub next_evaluation_at: OffsetDateTime,
    /// Whether it is put off until then, whatever happens to its site.
    pub is_put_off: bool,
}

/// Hands out due rules and takes what they came to.
#[async_trait]
pub trait EvaluationStore: Send + Sync {
    /// Has those rules be due that a clock which has been set back since has put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// The moment itself, or the store's own where the clock that says `now` is ahead of that.
    async fn not_ahead(&self, now: OffsetDateTime) -> Result<OffsetDateTime, StoreError>;

    /// Claims rules that are due, the longest due first. Those of domains where something happened are due at once, but for those
    /// that were put off.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueRule>, StoreError>;

    /// When the next rule is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Stores what rules came to, in one transaction: how they stand, their alerts with a notification each, and what is
    /// resolved. A rule that was changed, deleted or claimed by another since its claim is left alone: it is evaluated anew. A
    /// result that can't be stored is set aside, and its rule waits for a day. The answer is the alerts that were stored or
    /// resolved.
    async fn settle(&self, evaluated: &[Evaluated]) -> Result<Settled, StoreError>;

    /// Gives claims back.
    async fn release(&self, rules: &[&DueRule]) -> Result<(), StoreError>;

    /// Whether a read that failed so may succeed for other rules: the store was there, and has what was asked for.
    fn lies_in_a_rule(&self, why: &StoreError) -> bool;

    /// Has a rule whose metric can't be read wait for a day, and notes it.
    async fn set_aside(&self, rule: &DueRule, why: &StoreError) -> Result<(), StoreError>;
}

/// The alerts that a settlement fired and resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// The alerts that fired.
    pub fired: Vec<AlertId>,
    /// The alerts that are over.
    pub resolved: Vec<AlertId>,
}
