//! Inspections that the demo's shop had before its first start: of its goods and of some of their shades, so that it shows at once
//! how pages came into the index and left it.

use anyhow::Context;
use pharos_domain::{ids::DomainId, ports::Ports};
use pharos_search::indexing::{
    store::schedule::{Attempt, DueSite, IndexingSchedule, Round},
    target::Source,
};
use time::{Duration, OffsetDateTime};

use super::inspect;
use crate::demo::shop::goods::GOODS;

/// How many shades of each thing were inspected.
const SHADES: u32 = 24;
/// How many days before the first start inspections were made.
const INSPECTED: [i64; 9] = [28, 24, 20, 16, 12, 8, 4, 2, 1];

/// Makes them.
///
/// # Errors
/// A port is missing, or the store failed.
pub(super) async fn remember(
    ports: &Ports,
    domain: DomainId,
    site_url: &str,
    shop: &str,
    now: OffsetDateTime,
) -> anyhow::Result<()> {
    let schedule = ports.get::<dyn IndexingSchedule>()?;
    let urls = pages(shop);
    for days in INSPECTED {
        let at = now - Duration::days(days);
        let site = DueSite {
            domain,
            site_url: site_url.to_owned(),
            linked_at: at,
            gathered_at: None,
            failures: 0,
            due_in: Duration::ZERO,
            leased_until: at,
        };
        schedule.gather(&site, Source::Sitemap, &urls, at).await?;
        let attempts = urls.iter().filter_map(|url| {
            let found = inspect::known(url, site_url, at)?;
            Some(Attempt {
                url: url.clone(),
                at,
                outcome: Ok(Box::new(found)),
            })
        });
        let round = Round {
            domain,
            leased_until: at,
            began_at: at,
            at,
            attempts: attempts.collect(),
            unused: None,
            failures: 0,
            failure: None,
            // The next is days away, so that each day counts its own.
            next_round_at: at + Duration::DAY,
        };
        let made = schedule.complete(&[round]).await;
        made.context("the demo's inspections")?;
    }
    Ok(())
}

fn pages(shop: &str) -> Vec<String> {
    let shop = shop.trim_end_matches('/');
    let mut pages = vec![format!("{shop}/"), format!("{shop}/files/price-list.pdf")];
    for good in &GOODS {
        let page = format!("{shop}/product/{}", good.id);
        pages.extend((1..=SHADES).map(|shade| format!("{page}?shade={shade}")));
        pages.push(page);
    }
    pages
}
