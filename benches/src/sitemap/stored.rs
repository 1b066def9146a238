//! The rows that the database holds after a check.

use anyhow::{Context, Result};
use diesel::{
    QueryableByName, sql_query,
    sql_types::{BigInt, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use super::files::Pages;

/// The pages that are there, by their addresses and not by their keys.
const PAGES: &str = "SELECT count(*) AS pages, \
    coalesce(sum(('x' || left(encode(sha256(convert_to(url, 'UTF8')), 'hex'), 16))::bit(64)::bigint), 0)::text AS digest \
    FROM sitemap_urls WHERE domain_id = $1 AND missing_since IS NULL";
const CHANGES: &str = "SELECT count(*) FILTER (WHERE change = 'added') AS added, \
    count(*) FILTER (WHERE change = 'removed') AS removed, \
    count(*) FILTER (WHERE change = 'lastmod_changed') AS dated, count(*) AS total \
    FROM sitemap_changes WHERE domain_id = $1";
const TOTALS: &str =
    "SELECT (figures ->> 'urls_unique')::bigint AS unique_pages FROM sitemap_sites WHERE domain_id = $1";

#[derive(QueryableByName)]
struct PagesRow {
    #[diesel(sql_type = BigInt)]
    pages: i64,
    #[diesel(sql_type = Text)]
    digest: String,
}

/// The changes that were told so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, QueryableByName)]
pub(super) struct Changes {
    #[diesel(sql_type = BigInt)]
    pub(super) added: i64,
    #[diesel(sql_type = BigInt)]
    pub(super) removed: i64,
    #[diesel(sql_type = BigInt)]
    pub(super) dated: i64,
    #[diesel(sql_type = BigInt)]
    pub(super) total: i64,
}

#[derive(QueryableByName)]
struct TotalsRow {
    #[diesel(sql_type = BigInt)]
    unique_pages: i64,
}

/// The rows that a check left behind.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stored {
    pub(super) pages: Pages,
    /// The pages, as the totals of the site tell them.
    pub(super) told: u64,
    pub(super) changes: Changes,
}

pub(super) async fn read(url: &str, domain: Uuid) -> Result<Stored> {
    let mut connection = AsyncPgConnection::establish(url).await?;
    let row: PagesRow = sql_query(PAGES)
        .bind::<SqlUuid, _>(domain)
        .get_result(&mut connection)
        .await?;
    let digest: i128 = row.digest.parse().context("a sum that is none")?;
    let changes: Changes = sql_query(CHANGES)
        .bind::<SqlUuid, _>(domain)
        .get_result(&mut connection)
        .await?;
    let totals: TotalsRow = sql_query(TOTALS)
        .bind::<SqlUuid, _>(domain)
        .get_result(&mut connection)
        .await?;
    Ok(Stored {
        pages: Pages {
            count: u64::try_from(row.pages)?,
            // Numbers with a sign and without one are the same by this modulus.
            digest: u64::try_from(digest.rem_euclid(1 << 64))?,
        },
        told: u64::try_from(totals.unique_pages)?,
        changes,
    })
}
