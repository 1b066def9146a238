//! Storing what inspections found: the newest of each URL, its history, and what changed.
//!
//! A batch of a domain takes as many statements whether it has one URL or hundreds.

use std::collections::HashMap;

use diesel::{
    QueryableByName,
    sql_types::{Array, Bool, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, json::Json, sql};
use pharos_search::indexing::{
    canonical,
    change::{Change, Compared},
    inspection::{Inspection, RichResults},
    rotation::judge,
    states::Severity,
    store::schedule::{Attempt, InspectionFailure},
};
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

use super::{row::listed, urls::monitored};

/// A URL as it is before an inspection.
#[derive(QueryableByName)]
struct BeforeRow {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    url: String,
    #[diesel(sql_type = Bool)]
    is_valuable: bool,
    #[diesel(sql_type = Bool)]
    is_monitored: bool,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    inspected_at: Option<OffsetDateTime>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    inspection: Option<Json<Inspection>>,
}

/// A URL's newest inspection, as the statement takes it.
#[derive(Serialize)]
struct Newest<'a> {
    id: Uuid,
    #[serde(with = "time::serde::rfc3339")]
    inspected_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    next_inspection_at: Option<OffsetDateTime>,
    verdict: &'static str,
    coverage_state: Option<&'a str>,
    coverage_reason: Option<&'static str>,
    robots_txt_state: &'static str,
    indexing_state: &'static str,
    page_fetch_state: &'static str,
    crawled_as: &'static str,
    #[serde(with = "time::serde::rfc3339::option")]
    last_crawl_at: Option<OffsetDateTime>,
    google_canonical: Option<&'a str>,
    user_canonical: Option<&'a str>,
    canonical_kind: Option<&'static str>,
    has_rich_errors: bool,
    has_changed: bool,
    inspection: &'a Inspection,
}

/// A failure of a URL, as the statement takes it.
#[derive(Serialize)]
struct Failed {
    id: Uuid,
    code: &'static str,
    /// When it is tried again; null: as it was to be inspected anyway.
    #[serde(with = "time::serde::rfc3339::option")]
    next_inspection_at: Option<OffsetDateTime>,
    counts: bool,
}

/// A change, as the statement takes it.
#[derive(Serialize)]
struct Changed {
    id: Uuid,
    url_id: Uuid,
    #[serde(with = "time::serde::rfc3339")]
    changed_at: OffsetDateTime,
    field: &'static str,
    before: Option<String>,
    after: Option<String>,
    direction: &'static str,
}

/// The rich results of a type on a URL, as the statement takes them.
#[derive(Serialize)]
struct RichType<'a> {
    url_id: Uuid,
    kind: &'a str,
    items: usize,
    severity: Option<&'static str>,
}

/// An issue of a type on a URL, as the statement takes it.
#[derive(Serialize)]
struct RichIssue<'a> {
    url_id: Uuid,
    kind: &'a str,
    severity: &'static str,
    message: &'a str,
}

/// Stores attempts on URLs of a domain. Those that are not known any more, and inspections that are not newer than the one that
/// is stored, are passed over. The moment of the newest inspection is returned; `None`: nothing was found.
pub(super) async fn settle(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    attempts: &[Attempt],
) -> Result<Option<OffsetDateTime>, Abort<StoreError>> {
    if attempts.is_empty() {
        return Ok(None);
    }
    let urls: Vec<&str> = attempts.iter().map(|attempt| attempt.url.as_str()).collect();
    let query =
        sql!(text "SELECT u.id, u.url, u.is_valuable, u.next_inspection_at IS NOT NULL AS is_monitored,
            u.inspected_at, u.inspection
        FROM indexing_urls AS u
        WHERE u.domain_id = $1 AND u.url = ANY ($2)
        ORDER BY u.url
        FOR NO KEY UPDATE")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Array<Text>, _>(&urls);
    let rows: Vec<BeforeRow> = query.load(connection).await?;
    let count = monitored(connection, domain).await?.unsigned_abs();
    let mut known: HashMap<String, BeforeRow> = rows.into_iter().map(|row| (row.url.clone(), row)).collect();
    let mut found = Vec::new();
    let mut failed = Vec::new();
    let mut changed: Vec<Changed> = Vec::new();
    let mut rich: Vec<(Uuid, &[RichResults])> = Vec::new();
    for attempt in attempts {
        let Some(before) = known.remove(&attempt.url) else {
            continue;
        };
        let inspection = match &attempt.outcome {
            Ok(inspection) => inspection.as_ref(),
            Err(failure) => {
                failed.push(failed_of(&before, attempt.at, *failure));
                continue;
            }
        };
        if before.inspected_at.is_some_and(|before| attempt.at <= before) {
            continue;
        }
        // One that this version can't read is as if there was none: nothing is told of what changed.
        let last = before.inspection.and_then(|last| last.read("an inspection").ok());
        let compared = last.as_ref().map(Compared::from);
        let judged = judge(compared.as_ref(), inspection, before.is_valuable, count);
        let has_changed = !judged.changes.is_empty();
        changed.extend(
            judged
                .changes
                .into_iter()
                .map(|change| change_of(before.id, attempt.at, change)),
        );
        let rich_before = last.map(|last| last.rich_results).unwrap_or_default();
        if rich_before != inspection.rich_results {
            rich.push((before.id, &inspection.rich_results));
        }
        let next = before.is_monitored.then(|| attempt.at + judged.pause);
        found.push(newest_of(
            before.id,
            &attempt.url,
            attempt.at,
            next,
            has_changed,
            inspection,
        ));
    }
    let query = sql!("failed.sql").bind::<Jsonb, _>(listed(&failed).map_err(Abort::Port)?);
    query.execute(connection).await?;
    let Some(newest) = found.iter().map(|found| found.inspected_at).max() else {
        return Ok(None);
    };
    let query = sql!("newest.sql").bind::<Jsonb, _>(listed(&found).map_err(Abort::Port)?);
    query.execute(connection).await?;
    let query = sql!("results.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Jsonb, _>(listed(&found).map_err(Abort::Port)?);
    query.execute(connection).await?;
    let query = sql!("insert_changes.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Jsonb, _>(listed(&changed).map_err(Abort::Port)?);
    query.execute(connection).await?;
    replace_rich(connection, domain, &rich).await?;
    Ok(Some(newest))
}

fn failed_of(before: &BeforeRow, at: OffsetDateTime, failure: InspectionFailure) -> Failed {
    let InspectionFailure {
        code,
        is_of_the_url,
        pause,
    } = failure;
    Failed {
        id: before.id,
        code: code.as_str(),
        next_inspection_at: pause.filter(|_| before.is_monitored).map(|pause| at + pause),
        counts: is_of_the_url,
    }
}

fn change_of(url_id: Uuid, changed_at: OffsetDateTime, change: Change) -> Changed {
    let Change {
        field,
        before,
        after,
        direction,
    } = change;
    Changed {
        id: Uuid::now_v7(),
        url_id,
        changed_at,
        field: field.as_str(),
        before,
        after,
        direction: direction.as_str(),
    }
}

fn newest_of<'a>(
    id: Uuid,
    url: &str,
    inspected_at: OffsetDateTime,
    next_inspection_at: Option<OffsetDateTime>,
    has_changed: bool,
    inspection: &'a Inspection,
) -> Newest<'a> {
    let (declared, chosen) = (
        inspection.user_canonical.as_deref(),
        inspection.google_canonical.as_deref(),
    );
    Newest {
        id,
        inspected_at,
        next_inspection_at,
        verdict: inspection.verdict.as_str(),
        coverage_state: inspection.coverage_state.as_deref(),
        coverage_reason: inspection.coverage_reason.map(|reason| reason.as_str()),
        robots_txt_state: inspection.robots_txt_state.as_str(),
        indexing_state: inspection.indexing_state.as_str(),
        page_fetch_state: inspection.page_fetch_state.as_str(),
        crawled_as: inspection.crawled_as.as_str(),
        last_crawl_at: inspection.last_crawl_at,
        google_canonical: chosen,
        user_canonical: declared,
        canonical_kind: canonical::kind(url, declared, chosen).map(|kind| kind.as_str()),
        has_rich_errors: inspection.has_rich_errors(),
        has_changed,
        inspection,
    }
}

/// Replaces the rich results of URLs on which they have changed.
async fn replace_rich(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    rich: &[(Uuid, &[RichResults])],
) -> Result<(), Abort<StoreError>> {
    if rich.is_empty() {
        return Ok(());
    }
    let urls: Vec<Uuid> = rich.iter().map(|(url, _)| *url).collect();
    let mut types = Vec::new();
    let mut issues = Vec::new();
    for (url_id, all) in rich {
        for results in *all {
            types.push(RichType {
                url_id: *url_id,
                kind: &results.kind,
                items: results.items.len(),
                severity: results.severity().map(Severity::as_str),
            });
            let told = results.items.iter().flat_map(|item| &item.issues);
            issues.extend(told.map(|issue| RichIssue {
                url_id: *url_id,
                kind: &results.kind,
                severity: issue.severity.as_str(),
                message: &issue.message,
            }));
        }
    }
    let query =
        sql!(text "DELETE FROM indexing_rich_types WHERE url_id = ANY ($1)").bind::<Array<SqlUuid>, _>(&urls);
    query.execute(connection).await?;
    let query = sql!(text "DELETE FROM indexing_rich_issues WHERE url_id = ANY ($1)")
        .bind::<Array<SqlUuid>, _>(&urls);
    query.execute(connection).await?;
    let query = sql!("insert_rich_types.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Jsonb, _>(listed(&types).map_err(Abort::Port)?);
    query.execute(connection).await?;
    let query = sql!("insert_rich_issues.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Jsonb, _>(listed(&issues).map_err(Abort::Port)?);
    query.execute(connection).await?;
    Ok(())
}
