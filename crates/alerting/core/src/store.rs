//! The ports to rules, to their standing, and to their alerts and notifications.

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
    alert::{Alert, AlertEnd, Firing, NewAlert},
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

    /// The alerts in force of each domain of the workspace that has any, by one statement. They are in no order.
    async fn firing(&self, workspace: &WorkspaceAccess) -> Result<Vec<Firing>, StoreError>;

    /// An alert of a live domain in reach.
    async fn find(&self, reach: &[WorkspaceAccess], id: AlertId) -> Result<Option<Alert>, StoreError>;
}

/// Keeps notifications, and who has read them.
#[async_trait]
pub trait NotificationStore: Send + Sync {
    /// Notifications, the newest first, and how many of those that the filter lets through `reader` has not read. That count
    /// ignores what the filter says about reading, so a list of read ones shows how many are left. It ends at
    /// [`MOST_COUNTED`](crate::notification::MOST_COUNTED).
    async fn list(
        &self,
        reach: Reach<'_>,
        filter: &NotificationFilter,
        reader: UserId,
        page: &PageRequest,
    ) -> Result<NotificationPage, StoreError>;

    /// How many of the newest `most` notifications about live domains of the workspace `reader` has not read. Notifications
    /// about the workspace itself do not count. It reads no more than these, so that every page may show the number.
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

    /// Marks a notification as read by the caller, or as unread, and charges for it, in one transaction. One that was read
    /// before keeps its time. `None`: there is none about the domain.
    async fn mark(
        &self,
        domain: &Charged<DomainAccess>,
        id: NotificationId,
        read: bool,
        now: OffsetDateTime,
    ) -> Result<Option<Notification>, SettleError>;

    /// Marks all notifications of the domain that the choice names as read by the caller, and charges for it, in one
    /// transaction. The answer is how many were unread.
    async fn mark_all(
        &self,
        domain: &Charged<DomainAccess>,
        choice: &ReadAll,
        now: OffsetDateTime,
    ) -> Result<u64, SettleError>;

    /// Marks one notification about the workspace alone as read by the caller, or as unread. One that was read before keeps its
    /// time. `false`: there is none. The API has no operation for it.
    async fn mark_of_workspace(
        &self,
        workspace: &Charged<WorkspaceAccess>,
        id: NotificationId,
        read: bool,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError>;

    /// Marks all notifications about the workspace alone as read by the caller. The answer is how many were unread.
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
    /// Its standing after the last evaluation.
    pub standing: Standing,
    /// The events that it has not counted yet.
    pub pending: PendingEvents,
    /// How many alerts of its domain fired within the last hour ([`FIRINGS_WITHIN`](crate::shares::FIRINGS_WITHIN)); not counted
    /// further than it matters.
    pub domain_firings: u32,
    /// When it was due.
    pub due_at: OffsetDateTime,
    /// When the claim ends. This moment also identifies the claim.
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
    /// When the settings by which it was evaluated were changed last.
    pub updated_at: OffsetDateTime,
    /// The due time at the claim. It differs from the stored one if something has happened since.
    pub due_at: OffsetDateTime,
    /// The claim.
    pub leased_until: OffsetDateTime,
    /// Its standing from now on.
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
    /// Makes those due at once that a clock, which has been set back since, had put out of reach.
    async fn bring_back(&self) -> Result<(), StoreError>;

    /// The moment itself, or the store's present if the clock that says `now` is ahead of the store's.
    async fn not_ahead(&self, now: OffsetDateTime) -> Result<OffsetDateTime, StoreError>;

    /// Claims rules that are due, the longest due first. Rules of domains where something happened are due at once, unless they
    /// were put off.
    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueRule>, StoreError>;

    /// When the next rule is due, by the clock that says that it is `now`.
    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError>;

    /// Stores the outcomes of evaluations in one transaction: standings, alerts with a notification each, and what is resolved.
    /// It skips a rule that was changed, deleted or claimed by another since its claim, since that rule is evaluated anew. An
    /// outcome that can't be stored is set aside, and its rule waits for a day. The answer is the alerts that were stored or
    /// resolved.
    async fn settle(&self, evaluated: &[Evaluated]) -> Result<Settled, StoreError>;

    /// Gives claims back.
    async fn release(&self, rules: &[&DueRule]) -> Result<(), StoreError>;

    /// Whether other rules may be read although this read failed: the store was there, and has what was asked for.
    fn lies_in_a_rule(&self, why: &StoreError) -> bool;

    /// Puts a rule whose metric can't be read off for a day, and notes it.
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
