//! Lab tests of the shop, where the node can run them.

use pharos_domain::ids::SyntheticUrlId;
use pharos_synthetic::{
    page::{PageSettings, Schedule},
    store::{LabSchedule, NewPage, SealedSecrets},
};

use super::Demo;

/// Tracks the first page of a shop, to be measured now and every hour, as on a phone and as on a computer. It does nothing if
/// the node has no lab, or the shop ever had a page.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn track(demo: &Demo<'_>) -> anyhow::Result<()> {
    let Some(shop) = demo.shops.first().filter(|_| demo.config.lab_folder.is_some()) else {
        return Ok(());
    };
    let url = demo.site.url(shop.domain().hostname.as_str());
    let page = NewPage {
        id: SyntheticUrlId::generate(),
        settings: PageSettings {
            label: Some("Demo shop".to_owned()),
            profile_ids: vec!["mobile".to_owned(), "desktop".to_owned()],
            schedule: Schedule::Hourly,
            ..PageSettings::of(url)
        },
        secrets: SealedSecrets::default(),
        next_run_at: Some(demo.now),
    };
    let workspace = shop.workspace().workspace().id;
    let schedule = demo.ports.get::<dyn LabSchedule>()?;
    schedule.adopt(shop.id(), workspace, &page, demo.now).await?;
    Ok(())
}
