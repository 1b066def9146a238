//! Tracked URLs.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod run;
pub(crate) mod update;
pub(crate) mod view;

use pharos_domain::{
    ids::{RunId, SyntheticUrlId},
    runs::RunStatus,
    secret::Secret,
    timestamp::Timestamp,
};
use pharos_http::operation::Example;
use pharos_synthetic::{
    page::{Category, PageSettings, Schedule, TrackedPage},
    run::LastRun,
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::uuid;

use crate::schemas::{LabPassword, LabUsername};

/// A page that lab tests are run of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabTrackedUrl)]
pub(crate) struct TrackedUrlPublic {
    /// The id of the tracked URL, for paths of the API.
    id: SyntheticUrlId,
    /// Its URL in normal form.
    url: String,
    /// A name; null where it has none.
    #[schema(required)]
    label: Option<String>,
    /// Whether its schedule is followed.
    enabled: bool,
    /// The profiles that it is measured on.
    profile_ids: Vec<String>,
    /// How often it is measured.
    schedule: Schedule,
    /// The hour, UTC, of a daily or weekly schedule; null where Pharos chooses one.
    #[schema(required, minimum = 0, maximum = 23)]
    schedule_hour: Option<u8>,
    /// The day of a weekly schedule, Monday = 1 to Sunday = 7; null where Pharos chooses one.
    #[schema(required, minimum = 1, maximum = 7)]
    schedule_weekday: Option<u8>,
    /// The number of loads, of which the one in the middle is kept.
    #[schema(minimum = 1, maximum = 5)]
    runs_per_test: u8,
    /// The categories that it is judged by.
    categories: Vec<Category>,
    /// Whether a user and a password are set. They are never shown.
    basic_auth_configured: bool,
    /// Whether a cookie is set. It is never shown.
    cookie_configured: bool,
    /// URLs that the page does not get.
    blocked_url_patterns: Vec<String>,
    /// Since when it is tracked.
    created_at: Timestamp,
    /// When it was last changed.
    updated_at: Timestamp,
    /// Its newest run; null where there was none.
    #[schema(required)]
    last_run: Option<LastRunPublic>,
}

/// A run in short.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabLastRun)]
pub(crate) struct LastRunPublic {
    /// The id of the run, for paths of the API.
    run_id: RunId,
    /// How far it is.
    status: RunStatus,
    /// When it was asked for.
    requested_at: Timestamp,
    /// When it ended; null until it has.
    #[schema(required)]
    finished_at: Option<Timestamp>,
}

impl From<TrackedPage> for TrackedUrlPublic {
    fn from(page: TrackedPage) -> Self {
        let TrackedPage {
            id,
            settings:
                PageSettings {
                    url,
                    label,
                    enabled,
                    profile_ids,
                    schedule,
                    schedule_hour,
                    schedule_weekday,
                    runs_per_test,
                    categories,
                    blocked_url_patterns,
                },
            has_basic_auth,
            has_cookie,
            next_run_at: _,
            created_at,
            updated_at,
            last_run,
        } = page;
        Self {
            id,
            url,
            label,
            enabled,
            profile_ids,
            schedule,
            schedule_hour,
            schedule_weekday,
            runs_per_test,
            categories,
            basic_auth_configured: has_basic_auth,
            cookie_configured: has_cookie,
            blocked_url_patterns,
            created_at: created_at.into(),
            updated_at: updated_at.into(),
            last_run: last_run.map(LastRunPublic::from),
        }
    }
}

impl From<LastRun> for LastRunPublic {
    fn from(run: LastRun) -> Self {
        let LastRun {
            id,
            status,
            requested_at,
            finished_at,
        } = run;
        Self {
            run_id: id,
            status,
            requested_at: requested_at.into(),
            finished_at: finished_at.map(Into::into),
        }
    }
}

impl Example for TrackedUrlPublic {
    fn example() -> Self {
        TrackedPage {
            id: SyntheticUrlId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e31")),
            settings: PageSettings {
                label: Some("Shoes".to_owned()),
                schedule_hour: Some(3),
                runs_per_test: 3,
                blocked_url_patterns: vec!["*.ads.example/*".to_owned()],
                ..PageSettings::of("https://shop.example/shoes".to_owned())
            },
            has_basic_auth: true,
            has_cookie: false,
            next_run_at: None,
            created_at: datetime!(2026-02-01 10:00:00 UTC),
            updated_at: datetime!(2026-03-02 11:30:00 UTC),
            last_run: Some(LastRun {
                id: RunId(uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e41")),
                status: RunStatus::Succeeded,
                requested_at: datetime!(2026-03-31 03:12:00 UTC),
                finished_at: Some(datetime!(2026-03-31 03:13:04 UTC)),
            }),
        }
        .into()
    }
}

/// User and password of HTTP's basic authentication. A member that is at fault is missing here.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, ToSchema)]
#[schema(as = LabBasicAuth)]
#[serde(deny_unknown_fields)]
pub(crate) struct BasicAuthPublic {
    /// The user.
    #[schema(value_type = LabUsername, required)]
    username: Option<String>,
    /// The password.
    #[schema(value_type = LabPassword, required)]
    password: Option<Secret>,
}
