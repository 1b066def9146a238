//! The findings of one file, in the place of those that a fetch found before.

use diesel::{
    QueryResult,
    sql_types::{Array, BigInt, Jsonb, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_crawl::sitemap::{
    issue::{Findings, SitemapIssue},
    monitor::outcome::FileOutcome,
};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, json::written, sql};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

/// The file that findings are of, and when they were found.
pub(super) struct OfFile {
    pub(super) domain: DomainId,
    pub(super) file: Uuid,
    pub(super) now: OffsetDateTime,
}

pub(super) type Found = (SitemapIssue, i64, Value);

pub(super) fn unreachable(outcome: &FileOutcome) -> Vec<Found> {
    let why = match (outcome.status_code, outcome.error_class) {
        (Some(status), _) => format!("status {status}"),
        (None, Some(failure)) => failure.name().to_owned(),
        (None, None) => "it can't be read".to_owned(),
    };
    vec![(SitemapIssue::Unreachable, 1, Value::from(vec![why]))]
}

pub(super) fn of_content(findings: &Findings) -> Result<Vec<Found>, Abort<StoreError>> {
    let found = findings.0.iter().map(|(issue, finding)| {
        let examples = written(&finding.examples)?;
        Ok((*issue, i64::try_from(finding.count).unwrap_or(i64::MAX), examples))
    });
    found.collect::<Result<_, StoreError>>().map_err(Abort::Port)
}

/// The findings that a reading puts others in the place of.
pub(super) fn replaced() -> Vec<SitemapIssue> {
    let of_content = SitemapIssue::ALL
        .iter()
        .copied()
        .filter(|issue| issue.is_of_content());
    of_content.chain([SitemapIssue::Unreachable]).collect()
}

pub(super) async fn put(
    connection: &mut AsyncPgConnection,
    of: &OfFile,
    found: Vec<Found>,
    replaced: &[SitemapIssue],
) -> QueryResult<()> {
    let codes: Vec<&str> = found.iter().map(|(issue, ..)| issue.name()).collect();
    let counts: Vec<i64> = found.iter().map(|(_, count, _)| *count).collect();
    let examples: Vec<Value> = found.into_iter().map(|(.., examples)| examples).collect();
    let replaced: Vec<&str> = replaced.iter().map(|issue| issue.name()).collect();
    let query = sql!("put_issues.sql")
        .bind::<SqlUuid, _>(of.file)
        .bind::<SqlUuid, _>(of.domain.0)
        .bind::<Array<Text>, _>(codes)
        .bind::<Array<BigInt>, _>(counts)
        .bind::<Array<Jsonb>, _>(examples)
        .bind::<Array<Text>, _>(replaced)
        .bind::<Timestamptz, _>(of.now);
    query.execute(connection).await.map(|_| ())
}
