//! The sitemaps that were submitted to the upstream.

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods, ExpressionMethods, Insertable, QueryDsl, QueryableByName,
    dsl::not,
    sql_types::{BigInt, Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    identity::DomainAccess,
    ids::DomainId,
    page_facts::{SubmittedSitemap, SubmittedSitemaps},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    json::{Json, written},
    names::count,
    pool::Database,
    set_aside::Kind,
    sql,
    text::without_nul,
};
use pharos_search::google::sitemaps::SitemapList;
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::import::stored;
use crate::schema::search_submitted_sitemaps;

/// Submitted sitemaps in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgSubmittedSitemaps {
    database: Database,
}

impl PgSubmittedSitemaps {
    /// Those in `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct SitemapRow {
    #[diesel(sql_type = Text)]
    path: String,
    #[diesel(sql_type = Nullable<Text>)]
    form: Option<String>,
    #[diesel(sql_type = Bool)]
    is_index: bool,
    #[diesel(sql_type = Bool)]
    is_pending: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_submitted_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    last_downloaded_at: Option<OffsetDateTime>,
    #[diesel(sql_type = BigInt)]
    errors: i64,
    #[diesel(sql_type = BigInt)]
    warnings: i64,
    #[diesel(sql_type = Jsonb)]
    contents: Json<Vec<(String, u64)>>,
}

#[derive(Insertable)]
#[diesel(table_name = search_submitted_sitemaps)]
struct NewSitemapRow<'a> {
    domain_id: Uuid,
    site_url: &'a str,
    path: String,
    form: Option<String>,
    is_index: bool,
    is_pending: bool,
    last_submitted_at: Option<OffsetDateTime>,
    last_downloaded_at: Option<OffsetDateTime>,
    errors: i64,
    warnings: i64,
    contents: Value,
}

impl TryFrom<SitemapRow> for SubmittedSitemap {
    type Error = StoreError;

    fn try_from(row: SitemapRow) -> Result<Self, StoreError> {
        Ok(Self {
            path: row.path,
            form: row.form,
            is_index: row.is_index,
            is_pending: row.is_pending,
            last_submitted_at: row.last_submitted_at,
            last_downloaded_at: row.last_downloaded_at,
            errors: count(row.errors)?,
            warnings: count(row.warnings)?,
            contents: row.contents.read("the contents of a submitted sitemap")?,
        })
    }
}

#[async_trait]
impl SubmittedSitemaps for PgSubmittedSitemaps {
    async fn list(&self, domain: &DomainAccess) -> Result<Vec<SubmittedSitemap>, StoreError> {
        let rows = {
            let reader = self.database.reader().await?;
            let query = sql!("submitted_sitemaps.sql").bind::<SqlUuid, _>(domain.id().0);
            query.load(&mut &*reader).await.map_err(failure)?
        };
        // Sitemaps are anybody's, so those of a domain share a note.
        let database = &self.database;
        Ok(database
            .readable(Kind::SearchImport, rows, |_: &SitemapRow| domain.id().0)
            .await)
    }
}

/// Replaces the sitemaps of a domain by those of its property. Those that can't be read stay as they were.
pub(super) async fn replace(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    site_url: &str,
    sitemaps: &SitemapList,
) -> Result<(), Abort<StoreError>> {
    let rows = sitemaps.read.iter().map(|sitemap| {
        let SubmittedSitemap {
            path,
            form,
            is_index,
            is_pending,
            last_submitted_at,
            last_downloaded_at,
            errors,
            warnings,
            contents,
        } = sitemap;
        Ok(NewSitemapRow {
            domain_id: domain.0,
            site_url,
            path: without_nul(path.clone()),
            form: form.clone().map(without_nul),
            is_index: *is_index,
            is_pending: *is_pending,
            last_submitted_at: *last_submitted_at,
            last_downloaded_at: *last_downloaded_at,
            errors: stored(*errors),
            warnings: stored(*warnings),
            contents: written(contents)?,
        })
    });
    let rows: Vec<NewSitemapRow<'_>> = rows.collect::<Result<_, StoreError>>().map_err(Abort::Port)?;
    let unread = sitemaps.unread.iter().cloned().map(without_nul);
    let stays = search_submitted_sitemaps::site_url
        .eq(site_url)
        .and(search_submitted_sitemaps::path.eq_any(unread.collect::<Vec<String>>()));
    let of_domain = search_submitted_sitemaps::domain_id.eq(domain.0);
    diesel::delete(search_submitted_sitemaps::table.filter(of_domain.and(not(stays))))
        .execute(connection)
        .await?;
    diesel::insert_into(search_submitted_sitemaps::table)
        .values(&rows)
        // Two URLs may differ by what the store does not take.
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    Ok(())
}
