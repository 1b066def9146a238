//! Records that are known already, so that nobody needs to ask for them.

use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{Date as SqlDate, Jsonb, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::failure, json::Json, sql};
use pharos_vitals::crux::{
    FormFactor,
    record::{Record, Subject},
    store::LookedUp,
};
use time::Date;

use super::row::PeriodRow;

#[derive(QueryableByName)]
struct FollowedRow {
    #[diesel(embed)]
    period: PeriodRow,
    #[diesel(sql_type = Nullable<Text>)]
    url_normalized: Option<String>,
}

#[derive(QueryableByName)]
struct LookedUpRow {
    #[diesel(sql_type = Nullable<Jsonb>)]
    record: Option<Json<Record>>,
}

/// The newest record of a subject whose period ended on `since` or later.
pub(super) async fn known(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    subject: &Subject,
    form_factor: FormFactor,
    since: Date,
) -> Result<Option<Record>, StoreError> {
    let (Subject::Origin(address) | Subject::Url(address)) = subject;
    let query = sql!("known_followed.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Text, _>(subject.scope().as_str())
        .bind::<Text, _>(address)
        .bind::<Text, _>(form_factor.as_str())
        .bind::<SqlDate, _>(since);
    let followed: Option<FollowedRow> = query.get_result(connection).await.optional().map_err(failure)?;
    if let Some(row) = followed {
        let (period, figures) = row.period.read()?;
        return Ok(Some(Record {
            subject: subject.clone(),
            url_normalized: row.url_normalized,
            form_factor,
            period,
            figures,
        }));
    }
    Ok(match looked_up(connection, domain, subject, form_factor).await? {
        LookedUp::Found(record) if record.period.end >= since => Some(*record),
        LookedUp::Found(_) | LookedUp::Absent | LookedUp::Never => None,
    })
}

/// The outcome of the last lookup of a subject.
pub(super) async fn looked_up(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    subject: &Subject,
    form_factor: FormFactor,
) -> Result<LookedUp, StoreError> {
    let query = sql!("known_looked_up.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<Jsonb, _>(Json::of(subject.clone()))
        .bind::<Text, _>(form_factor.as_str());
    let row: Option<LookedUpRow> = query.get_result(connection).await.optional().map_err(failure)?;
    Ok(match row.map(|row| row.record) {
        None => LookedUp::Never,
        Some(None) => LookedUp::Absent,
        Some(Some(record)) => LookedUp::Found(Box::new(record.read("the result of a lookup")?)),
    })
}
