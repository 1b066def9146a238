//! A property that is linked and imported, day by day as from the upstream.

use std::time::Instant;

use anyhow::{Context, Result, bail};
use diesel::{
    sql_query,
    sql_types::{Date as SqlDate, Jsonb, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_domain::{ids::DomainId, ports::Ports};
use pharos_search::gsc::{
    config::SearchSettings,
    figures::{Figures, SearchType},
    import::SearchImport,
    link::{LinkRef, LinkStore},
};
use time::{Date, Duration, OffsetDateTime};

use super::site::{BRAND, DAYS, Site};
use crate::interrupt;

/// How many hours the upstream tells of.
const HOURS: i64 = 240;
/// After how many days it is told how far a step is.
pub(super) const PROGRESS: u32 = 10;

/// The imported data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Imported {
    pub(super) rows: u64,
    /// The sums of all rows by query.
    pub(super) queries: Figures,
    pub(super) seconds: f64,
}

/// Links the domain, and imports the days that end with `last`, the oldest first. Months are added up as they end.
pub(super) async fn import(
    ports: &Ports,
    url: &str,
    domain: DomainId,
    site: &Site,
    last: Date,
) -> Result<Imported> {
    let first = last - Duration::days(i64::from(DAYS) - 1);
    let mut connection = AsyncPgConnection::establish(url).await?;
    link(&mut connection, domain, last).await?;
    let links = ports.get::<dyn LinkStore>()?;
    // It makes the partitions of the past.
    links.bring_back().await?;
    let link = links.link(domain).await?.context("the domain is not linked")?;
    links.reached(link.of(), SearchType::Web, first).await?;
    let import = ports.get::<dyn SearchImport>()?;
    let mut imported = Imported::default();
    for number in 0..DAYS {
        if interrupt::came() {
            bail!("interrupted");
        }
        let date = first + Duration::days(i64::from(number));
        let day = site.day(number);
        let rows =
            day.places.len() + day.queries.len() + day.pages.len() + day.pairs.len() + day.appearances.len();
        imported.rows += u64::try_from(rows)?;
        imported.queries += day.queries.iter().map(|row| row.figures).sum::<Figures>();
        let began = Instant::now();
        import
            .replace_day(link.of(), SearchType::Web, date, &day)
            .await
            .with_context(|| format!("{date} can't be stored"))?;
        if date.next_day().is_some_and(|next| next.day() == 1) {
            import.sum_months(domain, SearchType::Web, date).await?;
        }
        imported.seconds += began.elapsed().as_secs_f64();
        if (number + 1).is_multiple_of(PROGRESS) {
            eprintln!(
                "  {} of {DAYS} days, {} rows, {:.0} s",
                number + 1,
                imported.rows,
                imported.seconds
            );
        }
    }
    import_hours(links.as_ref(), link.of()).await?;
    eprintln!("vacuuming");
    connection.batch_execute("VACUUM ANALYZE").await?;
    Ok(imported)
}

/// Nobody imports it but this bench: no account reads it.
pub(super) async fn link(connection: &mut AsyncPgConnection, domain: DomainId, through: Date) -> Result<()> {
    sql_query(
        "INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, search_types, linked_at, data_through)
        SELECT id, workspace_id, 'sc-domain:' || hostname, 'owner', 'connected', '{web}', now(), $2
        FROM domains
        WHERE id = $1",
    )
    .bind::<SqlUuid, _>(domain.0)
    .bind::<SqlDate, _>(through)
    .execute(&mut *connection)
    .await?;
    let settings = SearchSettings {
        brand_terms: vec![BRAND.to_owned()],
        ..SearchSettings::default()
    };
    sql_query(
        "INSERT INTO search_configs (domain_id, settings, created_at, updated_at) VALUES ($1, $2, now(), now())",
    )
    .bind::<SqlUuid, _>(domain.0)
    .bind::<Jsonb, _>(serde_json::to_value(settings)?)
    .execute(connection)
    .await?;
    Ok(())
}

async fn import_hours(links: &dyn LinkStore, link: LinkRef<'_>) -> Result<()> {
    let now = OffsetDateTime::now_utc();
    let from = now - Duration::seconds(now.unix_timestamp().rem_euclid(3_600)) - Duration::hours(HOURS - 1);
    let figures = Figures {
        clicks: 3,
        impressions: 40,
        position_sum: 320.0,
    };
    let hours: Vec<_> = (0..HOURS)
        .map(|hour| (from + Duration::hours(hour), figures))
        .collect();
    links.replace_hours(link, SearchType::Web, from, &hours).await?;
    Ok(())
}
