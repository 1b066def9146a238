//! Measures the demo's shops, from ninety days before their first start.

use std::{fs, path::Path};

use anyhow::Context;
use pharos_domain::{
    collect::{
        event::Events,
        site::{CollectionSwitch, SiteKeys},
        view::View,
    },
    identity::DomainAccess,
    ports::Ports,
};
use pharos_persistence::pool::Database;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use super::{
    Demo, experiment, history, is_first,
    site::{SHOPS, Trackers},
};

/// Names the domain whose history is there, so that a second start generates none.
const NOTE: &str = "demo-history";

/// Switches collection on for the shops, and puts the script that measures each into its pages.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn switch_on(demo: &Demo<'_>) -> anyhow::Result<()> {
    let Demo { ports, now, .. } = *demo;
    let base = demo.config.addresses().base_url;
    let keys = ports.get::<dyn SiteKeys>()?;
    let events = ports.get::<dyn CollectionSwitch<Events>>()?;
    let views = ports.get::<dyn CollectionSwitch<View>>()?;
    let mut trackers = Trackers::new();
    for shop in &demo.shops {
        let domain = shop.domain();
        events.switch_on(domain.id, now).await?;
        views.switch_on(domain.id, now).await?;
        let key = keys.of(shop).await.context("the key of a demo site")?;
        trackers.insert(
            domain.hostname.as_str().to_owned(),
            format!("{base}/js/{}.js", key.0),
        );
    }
    demo.site.measure(trackers);
    Ok(())
}

/// Generates the history of the first shop, with an experiment on it, once. Its days are rolled up at once: upkeep had nothing to roll
/// up when it began, and until it does so again each long read would look at every visit.
pub(super) async fn remember(
    ports: &Ports,
    database: &Database,
    shops: &[DomainAccess],
    folder: &Path,
    now: OffsetDateTime,
) -> anyhow::Result<()> {
    let Some(shop) = shops.iter().find(|shop| is_first(shop)) else {
        return Ok(());
    };
    let (note, id) = (folder.join(NOTE), shop.id().to_string());
    if fs::read_to_string(&note).is_ok_and(|noted| noted.trim() == id) {
        return Ok(());
    }
    history::write(ports, shop.id(), SHOPS[0].host, now).await?;
    database.roll_up(now, &CancellationToken::new()).await;
    experiment::conclude(ports, shop, now).await?;
    fs::write(&note, id).with_context(|| format!("writing {}", note.display()))
}
