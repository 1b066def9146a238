//! The releases of a site, as reports and the console list them. No operation has them.

use pharos_domain::{identity::DomainAccess, timestamp::Timestamp, window::DateRange};
use pharos_http::operation::ApiResult;
use pharos_vitals::releases::{Release, ReleaseStore};
use serde::Serialize;

/// The releases of some days, the newest first.
#[derive(Debug, Serialize)]
pub(super) struct Releases {
    items: Vec<ReleaseItem>,
}

#[derive(Debug, Serialize)]
struct ReleaseItem {
    name: String,
    released_at: Timestamp,
}

impl From<Release> for ReleaseItem {
    fn from(release: Release) -> Self {
        let Release { name, released_at } = release;
        Self {
            name,
            released_at: released_at.into(),
        }
    }
}

pub(super) async fn read(
    access: &DomainAccess,
    days: DateRange,
    releases: &dyn ReleaseStore,
) -> ApiResult<Releases> {
    let found = releases.within(access, days).await?;
    Ok(Releases {
        items: found.into_iter().map(ReleaseItem::from).collect(),
    })
}
