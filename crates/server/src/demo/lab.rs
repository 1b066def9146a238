//! Lab tests of the shop, where the node can run them.

use pharos_domain::{identity::DomainAccess, ids::SyntheticUrlId, ports::Ports};
use pharos_synthetic::{
    page::{PageSettings, Schedule},
    store::{LabSchedule, NewPage, SealedSecrets},
};
use time::OffsetDateTime;

use super::site::Site;

/// Tracks the first page of a shop, to be measured now and every hour, as on a phone and as on a computer. It does nothing if
/// the shop ever had a page.
///
/// # Errors
/// A port is missing, or the store failed.
pub(super) async fn track(
    ports: &Ports,
    shop: &DomainAccess,
    site: &Site,
    now: OffsetDateTime,
) -> anyhow::Result<()> {
    let url = site.url(shop.domain().hostname.as_str());
    let page = NewPage {
        id: SyntheticUrlId::generate(),
        settings: PageSettings {
            label: Some("Demo shop".to_owned()),
            profile_ids: vec!["mobile".to_owned(), "desktop".to_owned()],
            schedule: Schedule::Hourly,
            ..PageSettings::of(url)
        },
        secrets: SealedSecrets::default(),
        next_run_at: Some(now),
    };
    let workspace = shop.workspace().workspace().id;
    let schedule = ports.get::<dyn LabSchedule>()?;
    schedule.adopt(shop.id(), workspace, &page, now).await?;
    Ok(())
}
