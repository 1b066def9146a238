//! Storing what a batch of checks saw of certificates, a statement a table.

use std::collections::{BTreeSet, HashMap};

use diesel::{
    ExpressionMethods, QueryDsl,
    sql_types::{Array, BigInt, Binary, Integer, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::Abort, json::written, moment::to_micros, sql};
use pharos_uptime::{
    certificate::{
        changes::{Changes, Known, Last, Present, Seen},
        store::HISTORY,
    },
    finished::FinishedCheck,
    state::SKEW,
};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::uptime_certificates;

/// Stores what the checks of a batch saw, in the order of their time. Who calls it holds the monitors of the batch, so
/// that two batches of one domain take turns.
pub(crate) async fn record(
    connection: &mut AsyncPgConnection,
    finished: &[FinishedCheck],
    present: OffsetDateTime,
) -> Result<(), Abort<StoreError>> {
    let domains: BTreeSet<Uuid> = finished
        .iter()
        .filter(|done| done.sighting.is_some())
        .map(|done| done.check.domain_id.0)
        .collect();
    if domains.is_empty() {
        return Ok(());
    }
    let known = load(connection, domains, present).await?;
    let sightings = finished.iter().filter_map(FinishedCheck::sighted);
    let Changes { last, seen, present } = Changes::of(known, sightings).map_err(Abort::Port)?;
    save_last(connection, last).await?;
    save_seen(connection, seen).await?;
    replace(connection, present).await?;
    Ok(())
}

async fn load(
    connection: &mut AsyncPgConnection,
    domains: BTreeSet<Uuid>,
    present: OffsetDateTime,
) -> diesel::QueryResult<HashMap<DomainId, Known>> {
    let rows: Vec<(Uuid, Vec<u8>, OffsetDateTime)> = uptime_certificates::table
        .filter(uptime_certificates::domain_id.eq_any(Vec::from_iter(domains)))
        // A sighting that is ahead is of a clock that was wrong: it must not keep out what is seen now.
        .filter(uptime_certificates::checked_at.le(present + SKEW))
        .select((
            uptime_certificates::domain_id,
            uptime_certificates::digest,
            uptime_certificates::checked_at,
        ))
        .load(connection)
        .await?;
    let known = rows
        .into_iter()
        .map(|(domain, digest, checked_at)| (DomainId(domain), Known { digest, checked_at }));
    Ok(known.collect())
}

async fn save_last(
    connection: &mut AsyncPgConnection,
    last: impl IntoIterator<Item = (DomainId, Last)>,
) -> Result<(), Abort<StoreError>> {
    let (mut domains, mut digests) = (Vec::new(), Vec::new());
    let (mut times, mut sightings) = (Vec::new(), Vec::<Value>::new());
    for (domain, last) in last {
        domains.push(domain.0);
        digests.push(last.known.digest);
        times.push(last.known.checked_at);
        sightings.push(written(&*last.sighting).map_err(Abort::Port)?);
    }
    if domains.is_empty() {
        return Ok(());
    }
    let query = sql!("save_last.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Binary>, _>(digests)
        .bind::<Array<Timestamptz>, _>(times)
        .bind::<Array<Jsonb>, _>(sightings);
    query.execute(connection).await?;
    Ok(())
}

async fn save_seen(
    connection: &mut AsyncPgConnection,
    seen: impl IntoIterator<Item = ((DomainId, String), Seen)>,
) -> diesel::QueryResult<()> {
    let (mut domains, mut fingerprints, mut issuers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let (mut from, mut until, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for ((domain, fingerprint), seen) in seen {
        let Some(certificate) = seen.sighting.certificate() else {
            continue;
        };
        domains.push(domain.0);
        fingerprints.push(fingerprint);
        first.push(seen.first);
        last.push(seen.last);
        issuers.push(certificate.issuer_common_name.clone());
        from.push(to_micros(certificate.valid_from));
        until.push(to_micros(certificate.valid_until));
        names.push(i32::try_from(certificate.subject_alt_names_count).unwrap_or(i32::MAX));
    }
    if domains.is_empty() {
        return Ok(());
    }
    let query = sql!("save_seen.sql")
        .bind::<Array<SqlUuid>, _>(&domains)
        .bind::<Array<Text>, _>(fingerprints)
        .bind::<Array<Timestamptz>, _>(first)
        .bind::<Array<Timestamptz>, _>(last)
        .bind::<Array<Nullable<Text>>, _>(issuers)
        .bind::<Array<Timestamptz>, _>(from)
        .bind::<Array<Timestamptz>, _>(until)
        .bind::<Array<Integer>, _>(names);
    query.execute(connection).await?;
    let query = sql!("forget.sql")
        .bind::<Array<SqlUuid>, _>(&domains)
        .bind::<BigInt, _>(i64::try_from(HISTORY).unwrap_or(i64::MAX));
    query.execute(connection).await?;
    Ok(())
}

async fn replace(
    connection: &mut AsyncPgConnection,
    present: impl IntoIterator<Item = (DomainId, Present)>,
) -> diesel::QueryResult<()> {
    let (mut domains, mut fingerprints, mut since) = (Vec::new(), Vec::new(), Vec::new());
    for (domain, present) in present {
        domains.push(domain.0);
        fingerprints.push(present.fingerprint);
        since.push(present.since);
    }
    if domains.is_empty() {
        return Ok(());
    }
    let query = sql!("replace.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(fingerprints)
        .bind::<Array<Timestamptz>, _>(since);
    query.execute(connection).await?;
    Ok(())
}
