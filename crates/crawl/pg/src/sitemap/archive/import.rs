//! Storing what a fetch of a file came to, with what changed: the pages are staged, and merged in a few statements, however
//! many they are.

use diesel::{
    ExpressionMethods, IntoSql, OptionalExtension, QueryDsl, QueryResult, QueryableByName, dsl,
    sql_types::{Array, BigInt, Bool, Double, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use pharos_crawl::sitemap::{
    entry::{SitemapKind, UrlEntry},
    issue::SitemapIssue,
    monitor::{
        outcome::{Content, FileOutcome, ReadFile},
        site::{AskedBy, CheckCounts, DEEPEST, FileStatus, MOST_FILES, WatchedFile, key},
    },
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{
    failure::Abort,
    json::{Json, written},
    moment::{Moment, to_micros},
    sql,
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use super::findings::{OfFile, of_content, put, replaced, unreachable};
use crate::schema::{sitemap_checks, sitemap_files, sitemap_sites};

/// The pages of the file that is imported. It is a table of the connection alone, and is empty again after the transaction.
const STAGE: &str = "CREATE TEMPORARY TABLE sitemap_staged (
    url_key uuid PRIMARY KEY,
    url text NOT NULL,
    lastmod timestamptz,
    change_frequency text,
    priority double precision,
    images integer NOT NULL,
    videos integer NOT NULL,
    is_news boolean NOT NULL,
    alternates jsonb
) ON COMMIT DELETE ROWS";
/// How many pages are staged by one statement.
const AT_ONCE: usize = 5_000;
/// How many bytes they have, unless one alone has more.
const BYTES_AT_ONCE: usize = 4 << 20;
/// How much a page in another language takes beside its text while it is written.
const OF_ALTERNATE: usize = 400;

/// A file as it is known, under a lock.
type Stored = (
    Option<OffsetDateTime>,
    Option<OffsetDateTime>,
    Option<OffsetDateTime>,
    i32,
    bool,
    bool,
);

/// The subject of a merge.
struct Merge<'a> {
    domain: DomainId,
    file: &'a WatchedFile,
    now: OffsetDateTime,
    /// When the file was last good; `None`: this is its first time.
    good_at: Option<OffsetDateTime>,
}

pub(super) async fn import(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    run: AskedBy,
    file: &WatchedFile,
    outcome: &FileOutcome,
) -> Result<CheckCounts, Abort<StoreError>> {
    let stored: Option<Stored> = sitemap_files::table
        .find(file.id)
        .for_update()
        .select((
            sitemap_files::good_at,
            sitemap_files::fetched_at,
            sitemap_files::removed_at,
            sitemap_files::failures,
            sitemap_files::is_default,
            sitemap_files::in_robots,
        ))
        .first(connection)
        .await
        .optional()?;
    // Somebody may have stopped it meanwhile.
    let Some((good_at, fetched_at, None, failures, is_default, in_robots)) = stored else {
        return Ok(CheckCounts::default());
    };
    if is_repeated(connection, run, file).await? {
        return Ok(CheckCounts::default());
    }
    let present: OffsetDateTime = diesel::select(dsl::now.into_sql::<Timestamptz>())
        .get_result(connection)
        .await?;
    let now = Moment::new(outcome.fetched_at, present).now;
    // A fetch that began before another and ended after it counts from when the other did.
    let now = fetched_at.map_or(now, |last| now.max(last.min(to_micros(present))));
    let merge = Merge {
        domain,
        file,
        now,
        good_at,
    };
    let mut counts = match &outcome.content {
        Content::Unknown => {
            let found = unreachable(outcome);
            put(connection, &merge.of(), found, &[SitemapIssue::Unreachable]).await?;
            CheckCounts::default()
        }
        Content::Same(_) => {
            put(connection, &merge.of(), Vec::new(), &[SitemapIssue::Unreachable]).await?;
            merge.again(connection).await?
        }
        Content::Broken(findings) => {
            put(connection, &merge.of(), of_content(findings)?, &replaced()).await?;
            CheckCounts::default()
        }
        Content::Read(read) => {
            let found = of_content(&read.summary.findings)?;
            put(connection, &merge.of(), found, &replaced()).await?;
            merge.anew(connection, read).await?
        }
    };
    counts.files = 1;
    counts.failed = u64::from(outcome.status.is_failure());
    let failures = if outcome.status.is_failure() {
        failures.saturating_add(1)
    } else {
        0
    };
    save(connection, &merge, outcome, failures, counts.is_changed).await?;
    // Nobody named the file at the usual path: where it is gone for good, there is nothing wrong with that.
    if is_default && !in_robots && outcome.status == FileStatus::Gone && failures >= 2 {
        diesel::update(sitemap_files::table.find(file.id))
            .set(sitemap_files::is_default.eq(false))
            .execute(connection)
            .await?;
    }
    note(connection, &merge, run, outcome, counts).await?;
    if counts.is_changed {
        changed(connection, domain, now).await?;
    }
    Ok(counts)
}

/// Notes that the pages of a site have changed: totals and conflicts that were computed before are out of date.
pub(super) async fn changed(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    now: OffsetDateTime,
) -> QueryResult<()> {
    diesel::update(sitemap_sites::table.find(domain.0))
        .set(sitemap_sites::last_changed_at.eq(now))
        .execute(connection)
        .await
        .map(|_| ())
}

/// Whether the run has fetched the file already: its job was done twice.
async fn is_repeated(
    connection: &mut AsyncPgConnection,
    run: AskedBy,
    file: &WatchedFile,
) -> QueryResult<bool> {
    let Some(run) = run else { return Ok(false) };
    diesel::select(dsl::exists(
        sitemap_checks::table
            .filter(sitemap_checks::run_id.eq(run.0))
            .filter(sitemap_checks::file_id.eq(file.id)),
    ))
    .get_result(connection)
    .await
}

#[derive(QueryableByName)]
struct NewRow {
    #[diesel(sql_type = BigInt)]
    fresh: i64,
    #[diesel(sql_type = BigInt)]
    added: i64,
}

#[derive(QueryableByName)]
struct KnownRow {
    #[diesel(sql_type = BigInt)]
    changed: i64,
    #[diesel(sql_type = BigInt)]
    added: i64,
    #[diesel(sql_type = BigInt)]
    lastmod_changed: i64,
}

#[derive(QueryableByName)]
struct GoneRow {
    #[diesel(sql_type = BigInt)]
    gone: i64,
    #[diesel(sql_type = BigInt)]
    removed: i64,
    #[diesel(sql_type = BigInt)]
    moved: i64,
}

/// Lets go of the pages of a file that are not staged: those that were missed before, or all. The staging table is there.
pub(super) async fn let_go(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    file: Uuid,
    now: OffsetDateTime,
    good_at: Option<OffsetDateTime>,
    all: bool,
) -> QueryResult<CheckCounts> {
    let query = sql!("gone_pages.sql")
        .bind::<SqlUuid, _>(file)
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Timestamptz, _>(now)
        .bind::<Bool, _>(all)
        .bind::<Timestamptz, _>(good_at.unwrap_or(now));
    let row: GoneRow = query.get_result(connection).await?;
    Ok(CheckCounts {
        removed: row.removed.unsigned_abs(),
        moved: row.moved.unsigned_abs(),
        is_changed: row.gone > 0,
        ..CheckCounts::default()
    })
}

/// Readies the staging table, empty.
pub(super) async fn ready_stage(connection: &mut AsyncPgConnection) -> QueryResult<()> {
    let query = sql!(text "SELECT to_regclass('pg_temp.sitemap_staged') IS NOT NULL AS is_there");
    let StageRow { is_there } = query.get_result(connection).await?;
    if is_there {
        return Ok(());
    }
    connection.batch_execute(STAGE).await
}

#[derive(QueryableByName)]
struct StageRow {
    #[diesel(sql_type = Bool)]
    is_there: bool,
}

impl Merge<'_> {
    fn of(&self) -> OfFile {
        OfFile {
            domain: self.domain,
            file: self.file.id,
            now: self.now,
        }
    }

    /// The file is what it was: what it missed then, it misses for the second time now.
    async fn again(&self, connection: &mut AsyncPgConnection) -> QueryResult<CheckCounts> {
        let query = sql!("still_missed_children.sql").bind::<SqlUuid, _>(self.file.id);
        query.execute(connection).await?;
        ready_stage(connection).await?;
        let_go(
            connection,
            self.domain,
            self.file.id,
            self.now,
            self.good_at,
            false,
        )
        .await
    }

    async fn anew(&self, connection: &mut AsyncPgConnection, read: &ReadFile) -> QueryResult<CheckCounts> {
        ready_stage(connection).await?;
        for pages in parts(&read.pages) {
            stage(connection, pages).await?;
        }
        let mut counts = self.merge(connection).await?;
        if !read.is_over_limits() {
            let gone = let_go(
                connection,
                self.domain,
                self.file.id,
                self.now,
                self.good_at,
                false,
            )
            .await?;
            counts = counts.and(gone);
            let query = sql!("missed_pages.sql")
                .bind::<SqlUuid, _>(self.file.id)
                .bind::<Timestamptz, _>(self.now)
                .bind::<Nullable<Timestamptz>, _>(self.good_at);
            counts.is_changed |= query.execute(connection).await? > 0;
        }
        counts.is_changed |= self.children(connection, read).await? || self.good_at.is_none();
        Ok(counts)
    }

    async fn merge(&self, connection: &mut AsyncPgConnection) -> QueryResult<CheckCounts> {
        let is_baseline = self.good_at.is_none();
        // Pages that were known first: those that are new would be among them otherwise.
        let query = sql!("known_pages.sql")
            .bind::<SqlUuid, _>(self.file.id)
            .bind::<SqlUuid, _>(self.domain.0)
            .bind::<Timestamptz, _>(self.now)
            .bind::<Bool, _>(is_baseline);
        let known: KnownRow = query.get_result(connection).await?;
        let query = sql!("new_pages.sql")
            .bind::<SqlUuid, _>(self.file.id)
            .bind::<SqlUuid, _>(self.domain.0)
            .bind::<Timestamptz, _>(self.now)
            .bind::<Bool, _>(is_baseline);
        let new: NewRow = query.get_result(connection).await?;
        Ok(CheckCounts {
            added: (known.added + new.added).unsigned_abs(),
            lastmod_changed: known.lastmod_changed.unsigned_abs(),
            is_changed: known.changed > 0 || new.fresh > 0,
            ..CheckCounts::default()
        })
    }

    /// The files that an index names.
    async fn children(&self, connection: &mut AsyncPgConnection, read: &ReadFile) -> QueryResult<bool> {
        let named = if read.summary.kind == SitemapKind::Index && self.file.depth < DEEPEST {
            read.children.as_slice()
        } else {
            &[]
        };
        let urls: Vec<&str> = named.iter().map(|child| child.url.as_str()).collect();
        let keys: Vec<Uuid> = urls.iter().map(|url| key(url)).collect();
        let dates: Vec<Option<OffsetDateTime>> = named.iter().map(|child| child.lastmod).collect();
        let depth = i32::try_from(self.file.depth)
            .unwrap_or(i32::MAX)
            .saturating_add(1);
        let query = sql!("known_children.sql")
            .bind::<SqlUuid, _>(self.domain.0)
            .bind::<SqlUuid, _>(self.file.id)
            .bind::<Array<Text>, _>(&urls)
            .bind::<Array<SqlUuid>, _>(&keys)
            .bind::<Array<Nullable<Timestamptz>>, _>(&dates)
            .bind::<Integer, _>(depth);
        let known = query.execute(connection).await?;
        let query = sql!("new_children.sql")
            .bind::<SqlUuid, _>(self.domain.0)
            .bind::<SqlUuid, _>(self.file.id)
            .bind::<Array<Text>, _>(&urls)
            .bind::<Array<SqlUuid>, _>(&keys)
            .bind::<Array<Nullable<Timestamptz>>, _>(&dates)
            .bind::<Integer, _>(depth)
            .bind::<Timestamptz, _>(self.now)
            .bind::<BigInt, _>(i64::from(MOST_FILES));
        let new = query.execute(connection).await?;
        let query = sql!("names.sql")
            .bind::<SqlUuid, _>(self.domain.0)
            .bind::<SqlUuid, _>(self.file.id)
            .bind::<Array<SqlUuid>, _>(&keys);
        query.execute(connection).await?;
        if !read.is_over_limits() {
            let query = sql!("missed_children.sql")
                .bind::<SqlUuid, _>(self.file.id)
                .bind::<Array<SqlUuid>, _>(&keys)
                .bind::<Timestamptz, _>(self.now);
            query.execute(connection).await?;
        }
        Ok(known + new > 0)
    }
}

/// Cuts pages into parts, each of which is staged by one statement.
fn parts(mut pages: &[UrlEntry]) -> impl Iterator<Item = &[UrlEntry]> {
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let has_room = |page: &&UrlEntry| {
            let is_first = bytes == 0;
            bytes += weight(page);
            is_first || bytes <= BYTES_AT_ONCE
        };
        let most = pages.iter().take(AT_ONCE).take_while(has_room).count();
        let (part, others) = pages.split_at(most);
        pages = others;
        (!part.is_empty()).then_some(part)
    })
}

fn weight(page: &UrlEntry) -> usize {
    let of_alternates = page.alternates.iter();
    let of_alternates = of_alternates.map(|page| page.href.len() + page.hreflang.len() + OF_ALTERNATE);
    page.url.len() + of_alternates.sum::<usize>()
}

async fn stage(connection: &mut AsyncPgConnection, pages: &[UrlEntry]) -> QueryResult<()> {
    let column = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
    let alternates = pages.iter().map(|page| {
        let some = (!page.alternates.is_empty()).then(|| written(&page.alternates));
        some.transpose()
            .map_err(|error| diesel::result::Error::SerializationError(error.into()))
    });
    let alternates: Vec<Option<Value>> = alternates.collect::<QueryResult<_>>()?;
    let query = sql!("stage.sql")
        .bind::<Array<SqlUuid>, _>(pages.iter().map(|page| key(&page.url)).collect::<Vec<_>>())
        .bind::<Array<Text>, _>(pages.iter().map(|page| page.url.as_str()).collect::<Vec<_>>())
        .bind::<Array<Nullable<Timestamptz>>, _>(
            pages
                .iter()
                .map(|page| page.lastmod.map(to_micros))
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Nullable<Text>>, _>(
            pages
                .iter()
                .map(|page| page.change_frequency.map(|frequency| frequency.name()))
                .collect::<Vec<_>>(),
        )
        .bind::<Array<Nullable<Double>>, _>(pages.iter().map(|page| page.priority).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(pages.iter().map(|page| column(page.images)).collect::<Vec<_>>())
        .bind::<Array<Integer>, _>(pages.iter().map(|page| column(page.videos)).collect::<Vec<_>>())
        .bind::<Array<Bool>, _>(pages.iter().map(|page| page.is_news).collect::<Vec<_>>())
        .bind::<Array<Nullable<Jsonb>>, _>(alternates);
    query.execute(connection).await.map(|_| ())
}

/// Notes how the file stands.
async fn save(
    connection: &mut AsyncPgConnection,
    merge: &Merge<'_>,
    outcome: &FileOutcome,
    failures: i32,
    is_changed: bool,
) -> QueryResult<()> {
    let file = sitemap_files::table.find(merge.file.id);
    diesel::update(file)
        .set((
            sitemap_files::status.eq(outcome.status.name()),
            sitemap_files::status_code.eq(outcome.status_code.map(i32::from)),
            sitemap_files::fetched_at.eq(merge.now),
            sitemap_files::response_ms.eq(outcome.response_ms),
            sitemap_files::failures.eq(failures),
        ))
        .execute(connection)
        .await?;
    match &outcome.content {
        Content::Unknown | Content::Broken(_) => Ok(()),
        Content::Same(validators) => diesel::update(file)
            .set((
                sitemap_files::good_at.eq(merge.now),
                // An answer that says that nothing changed need not repeat them.
                validators
                    .as_ref()
                    .map(|validators| sitemap_files::validators.eq(Json::of(validators.clone()))),
            ))
            .execute(connection)
            .await
            .map(|_| ()),
        Content::Read(read) => {
            let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
            let summary = &read.summary;
            diesel::update(file)
                .set((
                    sitemap_files::kind.eq(summary.kind.name()),
                    sitemap_files::entries.eq(count(summary.entries)),
                    sitemap_files::size_bytes.eq(count(read.size_bytes)),
                    sitemap_files::uncompressed_bytes.eq(count(summary.uncompressed_bytes)),
                    sitemap_files::is_gzip.eq(summary.is_gzip),
                    sitemap_files::newest_lastmod.eq(summary.newest_lastmod.map(to_micros)),
                    // The first time is no change.
                    (is_changed && merge.good_at.is_some()).then(|| sitemap_files::changed_at.eq(merge.now)),
                    sitemap_files::good_at.eq(merge.now),
                    sitemap_files::over_limits.eq(read.is_over_limits()),
                    sitemap_files::validators.eq(Json::of(read.validators.clone())),
                    sitemap_files::sha256.eq(&read.sha256),
                ))
                .execute(connection)
                .await
                .map(|_| ())
        }
    }
}

/// Records the fetch.
async fn note(
    connection: &mut AsyncPgConnection,
    merge: &Merge<'_>,
    run: AskedBy,
    outcome: &FileOutcome,
    counts: CheckCounts,
) -> QueryResult<()> {
    let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let is_known = matches!(outcome.content, Content::Same(_) | Content::Read(_));
    let entries = sitemap_files::table
        .find(merge.file.id)
        .select(sitemap_files::entries)
        .first::<Option<i64>>(connection)
        .await?;
    diesel::insert_into(sitemap_checks::table)
        .values((
            sitemap_checks::id.eq(Uuid::now_v7()),
            sitemap_checks::domain_id.eq(merge.domain.0),
            sitemap_checks::file_id.eq(merge.file.id),
            sitemap_checks::checked_at.eq(merge.now),
            sitemap_checks::run_id.eq(run.map(|run| run.0)),
            sitemap_checks::status_code.eq(outcome.status_code.map(i32::from)),
            sitemap_checks::entries.eq(entries.filter(|_| is_known)),
            sitemap_checks::urls_added.eq(is_known.then(|| count(counts.added))),
            sitemap_checks::urls_removed.eq(is_known.then(|| count(counts.removed))),
            sitemap_checks::response_ms.eq(outcome.response_ms),
            sitemap_checks::error_class.eq(outcome.error_class.map(|failure| failure.name())),
        ))
        .execute(connection)
        .await
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use pharos_crawl::sitemap::entry::Alternate;

    use super::*;

    fn page(alternates: usize) -> UrlEntry {
        let alternate = Alternate {
            hreflang: "de".to_owned(),
            href: format!("https://shop.example/{}", "a".repeat(1_000)),
        };
        UrlEntry {
            url: "https://shop.example/".to_owned(),
            lastmod: None,
            change_frequency: None,
            priority: None,
            images: 0,
            videos: 0,
            is_news: false,
            alternates: vec![alternate; alternates],
        }
    }

    #[test]
    fn a_part_has_an_end_by_number_and_by_bytes() {
        let lengths = |pages: &[UrlEntry]| parts(pages).map(<[UrlEntry]>::len).collect::<Vec<_>>();
        assert!(lengths(&[]).is_empty());
        assert_eq!(lengths(&vec![page(0); 12_000]), [5_000, 5_000, 2_000]);
        let of_heavy = lengths(&vec![page(30); 300]);
        assert_eq!(of_heavy.iter().sum::<usize>(), 300);
        assert!(
            of_heavy.iter().all(|part| (1..=98).contains(part)),
            "{of_heavy:?}"
        );
        assert_eq!(
            lengths(&vec![page(4_000); 2]),
            [1, 1],
            "what has no room goes by itself"
        );
    }
}
