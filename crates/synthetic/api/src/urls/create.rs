//! POST /domains/{domain_id}/synthetic/urls

use pharos_domain::{
    clock::Clock,
    credits::Charged,
    hostname::Hostname,
    identity::DomainAccess,
    ids::SyntheticUrlId,
    module::Module,
    patch::set,
    role::Role,
    scope::Scope,
    sealing::SealingKey,
    secret::Secret,
    settings::{ChangeError, Faults, SettingFault},
};
use pharos_http::{
    extract::{body::Body, port::Port},
    operation::{ApiResult, Example},
    problem::Problem,
    spec::{Credits, OperationSpec, Verb},
};
use pharos_synthetic::{
    page::{self, Category, PageSettings, Schedule},
    secrets::{BasicAuth, PageSecrets},
    store::{LabStore, NewPage, SealedSecrets},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{BasicAuthPublic, TrackedUrlPublic};
use crate::schemas::{
    LabCategories, LabCookie, LabHour, LabLabel, LabPatterns, LabProfileIds, LabRunsPerTest, LabUrl,
    LabWeekday,
};

pub(crate) const SPEC: OperationSpec = OperationSpec {
    id: "createSyntheticUrl",
    method: Verb::Post,
    path: "/domains/{domain_id}/synthetic/urls",
    module: Module::Synthetic,
    summary: "Have lab tests run of a URL",
    description: "Members that are left out have their defaults: once a day, on the default profile, one load, all categories. \
                  The first test follows within the time of the schedule; ask for one at once by \
                  `POST /domains/{domain_id}/synthetic/urls/{url_id}/run`. User, password and cookie are encrypted and never \
                  shown again. They go to the host of the URL alone.",
    scope: Some(Scope::WriteSynthetic),
    min_role: Role::Member,
    credits: Credits::Cheap,
    success: 201,
    ..OperationSpec::GET
};

pub(crate) async fn create(
    access: Charged<DomainAccess>,
    body: Body<TrackedUrlCreatePublic>,
    store: Port<dyn LabStore>,
    sealing: Port<SealingKey>,
    clock: Port<dyn Clock>,
) -> ApiResult<TrackedUrlPublic> {
    let hostname = &access.domain().hostname;
    let (settings, secrets) = body
        .judged(|wanted| wanted.page(hostname))
        .map_err(ChangeError::Faults)?;
    let now = clock.now();
    let id = SyntheticUrlId::generate();
    let page = NewPage {
        next_run_at: settings.next_run(id, now),
        secrets: sealed(&sealing, id.0, &secrets)?,
        id,
        settings,
    };
    Ok(store.track(&access, &page, now).await?.into())
}

/// Secrets as they are stored.
pub(super) fn sealed(
    sealing: &SealingKey,
    page: Uuid,
    secrets: &PageSecrets,
) -> Result<SealedSecrets, Problem> {
    if secrets.is_empty() {
        return Ok(SealedSecrets::default());
    }
    let sealed = sealing
        .seal(page, secrets)
        .map_err(|error| Problem::internal(error.to_string()))?;
    Ok(SealedSecrets {
        sealed: Some(sealed),
        has_basic_auth: secrets.basic_auth.is_some(),
        has_cookie: secrets.cookie.is_some(),
    })
}

/// A page to run lab tests of. A member that is at fault is missing here, and the others are judged all the same.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[schema(as = LabTrackedUrlCreate)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrackedUrlCreatePublic {
    /// Its URL. A fragment is cut off.
    #[schema(value_type = LabUrl, required)]
    url: Option<String>,
    /// A name for people; null or left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LabLabel>)]
    label: Option<String>,
    /// Whether its schedule is followed; by default it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    enabled: Option<bool>,
    /// The profiles that it is measured on; by default the default one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabProfileIds>)]
    profile_ids: Option<Vec<String>>,
    /// How often it is measured; by default once a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    schedule: Option<Schedule>,
    /// The hour, UTC, of a daily or weekly schedule; null or left out: Pharos chooses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LabHour>)]
    schedule_hour: Option<u8>,
    /// The day of a weekly schedule, Monday = 1 to Sunday = 7; null or left out: Pharos chooses one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LabWeekday>)]
    schedule_weekday: Option<u8>,
    /// The number of loads, of which the one in the middle is kept; by default 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabRunsPerTest>)]
    runs_per_test: Option<u8>,
    /// The categories that it is judged by; by default all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabCategories>)]
    categories: Option<Vec<Category>>,
    /// User and password of HTTP's basic authentication; null or left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    basic_auth: Option<BasicAuthPublic>,
    /// Cookies as a `Cookie` header has them; null or left out for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<LabCookie>)]
    cookie: Option<Secret>,
    /// URLs that the page does not get; by default none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<LabPatterns>)]
    blocked_url_patterns: Option<Vec<String>>,
}

impl TrackedUrlCreatePublic {
    fn page(&self, hostname: &Hostname) -> Result<(PageSettings, PageSecrets), Vec<SettingFault>> {
        let mut faults = Faults::default();
        let wanted = self.clone();
        let url = wanted.url.unwrap_or_default();
        let url = page::url("url", &url, hostname, &mut faults).unwrap_or_default();
        let mut settings = PageSettings {
            label: wanted.label,
            schedule_hour: wanted.schedule_hour,
            schedule_weekday: wanted.schedule_weekday,
            ..PageSettings::of(url)
        };
        set(wanted.enabled, &mut settings.enabled);
        set(wanted.profile_ids, &mut settings.profile_ids);
        set(wanted.schedule, &mut settings.schedule);
        set(wanted.runs_per_test, &mut settings.runs_per_test);
        set(wanted.categories, &mut settings.categories);
        set(wanted.blocked_url_patterns, &mut settings.blocked_url_patterns);
        settings.check(&mut faults);
        let secrets = PageSecrets {
            basic_auth: wanted.basic_auth.map(BasicAuth::from),
            cookie: wanted.cookie,
        };
        check_secrets(&secrets, &mut faults);
        faults.or(|| (settings, secrets))
    }
}

pub(super) fn check_secrets(secrets: &PageSecrets, faults: &mut Faults) {
    if let Some(BasicAuth { username, password }) = &secrets.basic_auth {
        page::check_basic_auth(username, password.reveal(), faults);
    }
    if let Some(cookie) = &secrets.cookie {
        page::check_cookie(cookie.reveal(), faults);
    }
}

impl From<BasicAuthPublic> for BasicAuth {
    fn from(auth: BasicAuthPublic) -> Self {
        let BasicAuthPublic { username, password } = auth;
        Self {
            username: username.unwrap_or_default(),
            password: password.unwrap_or_else(|| String::new().into()),
        }
    }
}

impl Example for TrackedUrlCreatePublic {
    fn example() -> Self {
        Self {
            url: Some("https://shop.example/shoes".to_owned()),
            label: Some("Shoes".to_owned()),
            enabled: None,
            profile_ids: Some(vec!["mobile".to_owned(), "desktop".to_owned()]),
            schedule: Some(Schedule::Daily),
            schedule_hour: Some(3),
            schedule_weekday: None,
            runs_per_test: Some(3),
            categories: None,
            basic_auth: None,
            cookie: None,
            blocked_url_patterns: None,
        }
    }
}
