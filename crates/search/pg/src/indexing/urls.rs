//! The URLs that callers see and change.

use std::collections::HashMap;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Array, BigInt, Bool, Date as SqlDate, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, IndexingUrlId, WorkspaceId},
    page::{Page, PageRequest, Position},
    page_facts::SearchValue,
    quota::QuotaResource,
    settings::{ChangeError, SettingFault},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure, read_failure},
    hold,
    metering::charged::charged,
    missing::{Undone, found},
    moment::not_ahead,
    names::count,
    quota,
    set_aside::Kind,
    sql,
};
use pharos_search::indexing::{
    quota::InspectorQuota,
    store::urls::{Added, IndexingUrls, KnownUrl, MOST_HISTORY, PastState, Site, UrlFilter},
    target::{MOST_URLS, Source},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    PgIndexing,
    row::{KnownUrlRow, PastRow, id},
};
use crate::schema::{indexing_removed, indexing_urls, search_properties};

#[derive(QueryableByName)]
struct ValueRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = BigInt)]
    clicks: i64,
    #[diesel(sql_type = BigInt)]
    impressions: i64,
}

#[derive(QueryableByName)]
struct GoneRow {
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Bool)]
    is_monitored: bool,
}

impl PgIndexing {
    /// The clicks and impressions that the search brought to each of these pages; `None`: not all of the days are imported.
    pub(super) async fn values_of(
        &self,
        domain: DomainId,
        urls: &[&str],
    ) -> Result<Option<HashMap<String, SearchValue>>, StoreError> {
        let Some(through) = self.searched_through(domain).await? else {
            return Ok(None);
        };
        let reader = self.database.reader().await?;
        let query = sql!("values.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Array<Text>, _>(urls)
            .bind::<SqlDate, _>(through);
        let rows: Vec<ValueRow> = query.load(&mut &*reader).await.map_err(failure)?;
        let mut values: HashMap<String, SearchValue> = urls
            .iter()
            .map(|url| ((*url).to_owned(), SearchValue::default()))
            .collect();
        for row in rows {
            let value = SearchValue {
                clicks: count(row.clicks)?,
                impressions: count(row.impressions)?,
            };
            values.insert(row.url, value);
        }
        Ok(Some(values))
    }

    /// Gives URLs what the search sent to them: nothing, where it does not name them.
    pub(super) async fn valued(&self, domain: DomainId, urls: &mut [KnownUrl]) -> Result<(), StoreError> {
        let names: Vec<&str> = urls.iter().map(|url| url.url.as_str()).collect();
        let Some(values) = self.values_of(domain, &names).await? else {
            return Ok(());
        };
        for url in urls {
            url.value = values.get(&url.url).copied();
        }
        Ok(())
    }

    /// The past states of URLs, the newest first.
    pub(super) async fn history_of(
        &self,
        ids: &[Uuid],
    ) -> Result<HashMap<IndexingUrlId, Vec<PastState>>, StoreError> {
        // A run may name one twice.
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        let query = sql!("history.sql")
            .bind::<Array<SqlUuid>, _>(ids)
            .bind::<BigInt, _>(i64::from(MOST_HISTORY));
        let reader = self.database.reader().await?;
        let rows: Vec<PastRow> = query.load(&mut &*reader).await.map_err(failure)?;
        let mut history: HashMap<IndexingUrlId, Vec<PastState>> = HashMap::new();
        for row in rows {
            let url = IndexingUrlId(row.url_id);
            history.entry(url).or_default().push(row.into());
        }
        Ok(history)
    }

    async fn named(&self, domain: DomainId, urls: &[String]) -> Result<Vec<KnownUrl>, StoreError> {
        let query = sql!("named.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Array<Text>, _>(urls);
        let reader = self.database.reader().await?;
        let rows: Vec<KnownUrlRow> = query.load(&mut &*reader).await.map_err(failure)?;
        drop(reader);
        let mut found = self.database.readable(Kind::Inspection, rows, |row| row.id).await;
        self.valued(domain, &mut found).await?;
        Ok(found)
    }
}

#[async_trait]
impl IndexingUrls for PgIndexing {
    async fn site(&self, domain: &DomainAccess) -> Result<Option<Site>, StoreError> {
        let reader = self.database.reader().await?;
        let site_url: Option<String> = search_properties::table
            .find(id(domain))
            .select(search_properties::site_url)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        if site_url.is_some() {
            return Ok(Some(Site { site_url }));
        }
        let known: Option<Uuid> = indexing_urls::table
            .filter(indexing_urls::domain_id.eq(id(domain)))
            .select(indexing_urls::id)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        Ok(known.map(|_| Site { site_url: None }))
    }

    async fn list(
        &self,
        domain: &DomainAccess,
        filter: &UrlFilter<'_>,
        page: &PageRequest<String>,
    ) -> Result<Page<KnownUrl>, StoreError> {
        let after = page.after.as_ref().map_or("", |after| after.key.as_str());
        let query = sql!("list.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<Text, _>(after)
            .bind::<Nullable<Text>, _>(filter.verdict.map(|verdict| verdict.as_str()))
            .bind::<Nullable<Text>, _>(filter.coverage_reason.map(|reason| reason.as_str()))
            .bind::<Nullable<Text>, _>(filter.page_fetch_state.map(|state| state.as_str()))
            .bind::<Nullable<Text>, _>(filter.search)
            .bind::<BigInt, _>(page.rows());
        let is_narrowed = *filter != UrlFilter::default();
        let rows: Vec<KnownUrlRow> = if is_narrowed {
            // URLs that fit several filters, or contain a text, may be rare: then all URLs of one filter are looked at.
            let _share = self
                .database
                .long_read_share(domain.workspace().workspace().id.0)
                .await?;
            let mut connection = self.database.long_read().await?;
            query.load(&mut connection).await.map_err(read_failure)?
        } else {
            let reader = self.database.reader().await?;
            query.load(&mut &*reader).await.map_err(failure)?
        };
        let cut = Page::cut(rows, page, |row| Position {
            key: row.url.clone(),
            id: row.id,
        });
        let mut page = self
            .database
            .readable_page(Kind::Inspection, cut, |row| row.id)
            .await;
        self.valued(domain.id(), &mut page.items).await?;
        Ok(page)
    }

    async fn find(
        &self,
        domain: &DomainAccess,
        url: IndexingUrlId,
    ) -> Result<Option<(KnownUrl, Vec<PastState>)>, StoreError> {
        let query = sql!("find.sql")
            .bind::<SqlUuid, _>(id(domain))
            .bind::<SqlUuid, _>(url.0);
        let reader = self.database.reader().await?;
        let row: Option<KnownUrlRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        let Some(row) = row else { return Ok(None) };
        let mut found = [KnownUrl::try_from(row)?];
        self.valued(domain.id(), &mut found).await?;
        let history = self.history_of(&[url.0]).await?.remove(&url);
        let [found] = found;
        Ok(Some((found, history.unwrap_or_default())))
    }

    async fn add(
        &self,
        domain: &Charged<DomainAccess>,
        urls: &[String],
        now: OffsetDateTime,
    ) -> Result<Added, ChangeError> {
        let workspace = domain.workspace().workspace().id;
        let mut each: Vec<String> = Vec::with_capacity(urls.len());
        let mut seen = std::collections::HashSet::new();
        each.extend(urls.iter().filter(|url| seen.insert(url.as_str())).cloned());
        let added = charged(&self.database, domain.slip(), None, async |connection| {
            add(connection, domain.id(), workspace, &each, now).await
        })
        .await?;
        let total = u32::try_from(each.len()).unwrap_or(u32::MAX);
        Ok(Added {
            urls: self.named(domain.id(), &each).await?,
            added,
            already_present: total - added,
        })
    }

    async fn remove(
        &self,
        domain: &Charged<DomainAccess>,
        url: IndexingUrlId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError> {
        let workspace = domain.workspace().workspace().id;
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            remove(connection, domain.id(), workspace, url, now).await
        })
        .await;
        Ok(found::<_, SettleError>(done)?.is_some())
    }

    async fn quota(
        &self,
        domain: &DomainAccess,
        site_url: &str,
        now: OffsetDateTime,
    ) -> Result<InspectorQuota, StoreError> {
        let reader = self.database.reader().await?;
        let workspace = domain.workspace().workspace().id;
        super::quota::read(&mut &*reader, workspace, site_url, now)
            .await
            .map_err(Abort::answer)
    }
}

/// How many URLs of a domain are monitored.
pub(super) async fn monitored(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
) -> diesel::QueryResult<i64> {
    indexing_urls::table
        .filter(indexing_urls::domain_id.eq(domain.0))
        .filter(indexing_urls::next_inspection_at.is_not_null())
        .count()
        .get_result(connection)
        .await
}

/// Those of the URLs that are not monitored.
pub(super) async fn unmonitored(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    urls: &[String],
) -> diesel::QueryResult<Vec<String>> {
    let present: Vec<String> = indexing_urls::table
        .filter(indexing_urls::domain_id.eq(domain.0))
        .filter(indexing_urls::url.eq_any(urls))
        .filter(indexing_urls::next_inspection_at.is_not_null())
        .select(indexing_urls::url)
        .load(connection)
        .await?;
    let present: std::collections::HashSet<String> = present.into_iter().collect();
    Ok(urls
        .iter()
        .filter(|url| !present.contains(*url))
        .cloned()
        .collect())
}

/// Monitors URLs of a source, each of which is monitored from now on.
pub(super) async fn monitor(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    source: Source,
    urls: &[String],
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    let ids: Vec<Uuid> = urls.iter().map(|_| IndexingUrlId::generate().0).collect();
    let query = sql!("add.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<SqlUuid>, _>(ids)
        .bind::<Array<Text>, _>(urls)
        .bind::<Text, _>(source.as_str())
        .bind::<Timestamptz, _>(now);
    query.execute(connection).await.map(|_| ())
}

async fn add(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    urls: &[String],
    now: OffsetDateTime,
) -> Result<u32, Abort<ChangeError>> {
    // No two requests both add the last URL that it may have.
    hold::domain(connection, domain).await?;
    let now = not_ahead(connection, now).await?;
    adopt(connection, domain, urls).await?;
    let new = unmonitored(connection, domain, urls).await?;
    let wanted = u32::try_from(new.len()).unwrap_or(u32::MAX);
    if wanted == 0 {
        return Ok(0);
    }
    let room = i64::from(MOST_URLS) - monitored(connection, domain).await?;
    if i64::from(wanted) > room {
        let detail = format!(
            "the domain may monitor {MOST_URLS} URLs and has room for {} more; remove some first",
            room.max(0)
        );
        return Err(Abort::Port(ChangeError::Faults(vec![SettingFault::new(
            "/urls", detail,
        )])));
    }
    let taken = quota::take(
        connection,
        workspace,
        QuotaResource::MonitoredUrlsIndexing,
        wanted,
        now,
    )
    .await?;
    if let Err(full) = taken {
        return Err(Abort::Port(ChangeError::Quota(full)));
    }
    monitor(connection, domain, Source::Manual, &new, now).await?;
    diesel::delete(indexing_removed::table)
        .filter(indexing_removed::domain_id.eq(domain.0))
        .filter(indexing_removed::url.eq_any(&new))
        .execute(connection)
        .await?;
    let query = sql!("hurry.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(workspace.0)
        .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    Ok(wanted)
}

/// Has those of the URLs that were gathered be somebody's own: they are monitored whether anything lists them or not. They count in
/// the quota already.
async fn adopt(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    urls: &[String],
) -> diesel::QueryResult<()> {
    let query = sql!("adopt.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(urls)
        .bind::<Text, _>(Source::Manual.as_str());
    query.execute(connection).await.map(|_| ())
}

async fn remove(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    url: IndexingUrlId,
    now: OffsetDateTime,
) -> Result<(), Abort<Undone<SettleError>>> {
    let query = sql!(text "DELETE FROM indexing_urls WHERE id = $1 AND domain_id = $2
        RETURNING url, next_inspection_at IS NOT NULL AS is_monitored")
    .bind::<SqlUuid, _>(url.0)
    .bind::<SqlUuid, _>(domain.0);
    let gone: Option<GoneRow> = query.get_result(connection).await.optional()?;
    let Some(gone) = gone else {
        return Err(Abort::Port(Undone::Missing));
    };
    for statement in [
        sql!(text "DELETE FROM indexing_results WHERE url_id = $1")
            .bind::<SqlUuid, _>(url.0)
            .execute(connection)
            .await,
        sql!(text "DELETE FROM indexing_changes WHERE url_id = $1")
            .bind::<SqlUuid, _>(url.0)
            .execute(connection)
            .await,
    ] {
        statement?;
    }
    if gone.is_monitored {
        quota::give_back(
            connection,
            workspace,
            QuotaResource::MonitoredUrlsIndexing,
            1,
            now,
        )
        .await?;
    }
    let now = not_ahead(connection, now).await?;
    diesel::insert_into(indexing_removed::table)
        .values((
            indexing_removed::domain_id.eq(domain.0),
            indexing_removed::url.eq(gone.url),
            indexing_removed::removed_at.eq(now),
        ))
        .on_conflict_do_nothing()
        .execute(connection)
        .await?;
    Ok(())
}
