//! PUT /domains/{domain_id}/synthetic/urls/{url_id}

use pharos_domain::{
    clock::Clock,
    credits::Charged,
    identity::DomainAccess,
    ids::SyntheticUrlId,
    module::Module,
    patch::{Patch, set},
    problem::Suffix,
    role::Role,
    scope::Scope,
    sealing::SealingKey,
    secret::Secret,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, path::PathId, port::Port},
    operation::{ApiResult, Example},
    spec::{Credits, OperationSpec, Verb},
};
use pharos_synthetic::{
    page::{Category, Schedule, TrackedPage},
    secrets::{BasicAuth, PageSecrets, UNOPENED},
    store::{ChangedPage, LabStore, SealedSecrets},
};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{
    BasicAuthPublic, TrackedUrlPublic,
    create::{check_secrets, sealed},
};
use crate::{
    no_such_url,
    schemas::{
        LabCategories, LabCookie, LabHour, LabLabel, LabPatterns, LabProfileIds, LabRunsPerTest, LabWeekday,
    },
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "updateSyntheticUrl",
    method: Verb::Put,
    path: "/domains/{domain_id}/synthetic/urls/{url_id}",
    module: Module::Synthetic,
    summary: "Change how a URL is measured",
    description: "A partial update: a member that is left out stays as it is, null empties a member that may be null. A list is \
                  replaced whole. A schedule that has neither hour nor day loses those that were set. The URL itself stays: \
                  its figures are that page's; track another.",
    scope: Some(Scope::WriteSynthetic),
    min_role: Role::Member,
    credits: Credits::Cheap,
    problems: &[Suffix::SyntheticUrlNotFound],
    ..OperationSpec::GET
};

pub(crate) async fn update(
    access: Charged<DomainAccess>,
    PathId(id): PathId<SyntheticUrlId>,
    body: Body<TrackedUrlUpdatePublic>,
    store: Port<dyn LabStore>,
    sealing: Port<SealingKey>,
    clock: Port<dyn Clock>,
) -> ApiResult<TrackedUrlPublic> {
    let now = clock.now();
    let change = |page: &TrackedPage, secrets: &SealedSecrets| {
        body.judged(|wanted| wanted.clone().applied(page, secrets, &sealing, now))
    };
    if let Some(page) = store.change(&access, id, &change, now).await? {
        return Ok(page.into());
    }
    // Faults that do not depend on the page are told even where there is none.
    body.judged(|wanted| wanted.faults())
        .map_err(ChangeError::Faults)?;
    Err(no_such_url(id))
}

/// A change of a tracked URL.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema)]
#[schema(as = LabTrackedUrlUpdate)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TrackedUrlUpdatePublic {
    /// A name for people; null for none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<LabLabel>)]
    label: Patch<String>,
    /// Whether its schedule is followed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// The profiles that it is measured on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabProfileIds>)]
    profile_ids: Option<Vec<String>>,
    /// How often it is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    schedule: Option<Schedule>,
    /// The hour, UTC, of a daily or weekly schedule; null: Pharos chooses one.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<LabHour>)]
    schedule_hour: Patch<u8>,
    /// The day of a weekly schedule, Monday = 1 to Sunday = 7; null: Pharos chooses one.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<LabWeekday>)]
    schedule_weekday: Patch<u8>,
    /// The number of loads, of which the one in the middle is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabRunsPerTest>)]
    runs_per_test: Option<u8>,
    /// The categories that it is judged by.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabCategories>)]
    categories: Option<Vec<Category>>,
    /// User and password of HTTP's basic authentication; null for none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<BasicAuthPublic>)]
    basic_auth: Patch<BasicAuthPublic>,
    /// Cookies as a `Cookie` header has them; null for none.
    #[serde(skip_serializing_if = "Patch::is_kept")]
    #[schema(value_type = Option<LabCookie>)]
    cookie: Patch<Secret>,
    /// URLs that the page does not get.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabPatterns>)]
    blocked_url_patterns: Option<Vec<String>>,
}

impl TrackedUrlUpdatePublic {
    fn secrets(&self, before: PageSecrets) -> PageSecrets {
        let mut after = before;
        match &self.basic_auth {
            Patch::Keep => {}
            Patch::Clear => after.basic_auth = None,
            Patch::Set(auth) => after.basic_auth = Some(BasicAuth::from(auth.clone())),
        }
        self.cookie.clone().apply(&mut after.cookie);
        after
    }

    /// The faults of secrets.
    fn faults(&self) -> Result<(), Vec<SettingFault>> {
        let mut faults = Faults::default();
        check_secrets(&self.secrets(PageSecrets::default()), &mut faults);
        faults.or(|| ())
    }

    fn applied(
        self,
        page: &TrackedPage,
        before: &SealedSecrets,
        sealing: &SealingKey,
        now: OffsetDateTime,
    ) -> Result<ChangedPage, Vec<SettingFault>> {
        let mut faults = Faults::default();
        let secrets = self.resealed(page.id, before, sealing, &mut faults);
        let mut settings = page.settings.clone();
        let old = settings.schedule;
        set(self.schedule, &mut settings.schedule);
        if settings.schedule != old {
            if !matches!(settings.schedule, Schedule::Daily | Schedule::Weekly) {
                settings.schedule_hour = None;
            }
            if settings.schedule != Schedule::Weekly {
                settings.schedule_weekday = None;
            }
        }
        self.label.apply(&mut settings.label);
        set(self.enabled, &mut settings.enabled);
        set(self.profile_ids, &mut settings.profile_ids);
        self.schedule_hour.apply(&mut settings.schedule_hour);
        self.schedule_weekday.apply(&mut settings.schedule_weekday);
        set(self.runs_per_test, &mut settings.runs_per_test);
        set(self.categories, &mut settings.categories);
        set(self.blocked_url_patterns, &mut settings.blocked_url_patterns);
        settings.check(&mut faults);
        faults.or(|| ChangedPage {
            next_run_at: settings.next_run(page.id, now),
            settings,
            secrets,
        })
    }

    /// The secrets as they will be.
    fn resealed(
        &self,
        page: SyntheticUrlId,
        before: &SealedSecrets,
        sealing: &SealingKey,
        faults: &mut Faults,
    ) -> SealedSecrets {
        if self.basic_auth.is_kept() && self.cookie.is_kept() {
            return before.clone();
        }
        // All that is replaced need not be opened: another key may have sealed it.
        let opened = match &before.sealed {
            Some(bytes) if self.basic_auth.is_kept() || self.cookie.is_kept() => sealing.open(page.0, bytes),
            _ => Ok(PageSecrets::default()),
        };
        check_secrets(&self.secrets(PageSecrets::default()), faults);
        let kept = opened.map_err(|_| UNOPENED).and_then(|opened| {
            sealed(sealing, page.0, &self.secrets(opened)).map_err(|_| "the secrets can't be kept")
        });
        kept.unwrap_or_else(|detail| {
            // The one that stays is the one that can't be opened.
            let member = if self.basic_auth.is_kept() {
                "basic_auth"
            } else {
                "cookie"
            };
            faults.add(member, detail);
            SealedSecrets::default()
        })
    }
}

impl Example for TrackedUrlUpdatePublic {
    fn example() -> Self {
        Self {
            label: Patch::Set("Shoes, red".to_owned()),
            schedule: Some(Schedule::Weekly),
            schedule_weekday: Patch::Set(1),
            ..Self::default()
        }
    }
}
