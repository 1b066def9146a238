//! The registrations of domains.

mod row;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, sql_query,
    sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{identity::DomainAccess, store::StoreError};
use pharos_uptime::registration::{
    name::registrable,
    store::{AskedRegistration, DueRegistration, MonitoredRegistration, RegistrationStore},
};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

pub(super) use self::row::read_answer;
use self::row::{AskedChange, DueRow, MonitoredRow, UnenrolledRow};
use crate::{
    failure::{Abort, failure},
    names,
    pool::Database,
    schema::domain_registrations,
    statement::statement,
};

/// Registrations in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRegistrationStore {
    database: Database,
}

impl PgRegistrationStore {
    /// The registrations of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

struct View;
struct Unenrolled;
struct Enrol;
struct Claim;

#[async_trait]
impl RegistrationStore for PgRegistrationStore {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<MonitoredRegistration>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql_query(include_str!("view.sql")).bind::<SqlUuid, _>(domain.id().0);
        let row: Option<MonitoredRow> = statement::<View, _>(query)
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(MonitoredRegistration::try_from).transpose()
    }

    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| enrol(connection, now, limit).await)
            .await
            .map_err(Abort::answer)
    }

    async fn claim(
        &self,
        now: OffsetDateTime,
        lease: Duration,
        limit: usize,
    ) -> Result<Vec<DueRegistration>, StoreError> {
        let mut connection = self.database.connection().await?;
        let query = sql_query(include_str!("claim.sql"))
            .bind::<Timestamptz, _>(now)
            .bind::<Timestamptz, _>(now + lease)
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows: Vec<DueRow> = statement::<Claim, _>(query)
            .load(&mut connection)
            .await
            .map_err(failure)?;
        rows.into_iter().map(DueRegistration::try_from).collect()
    }

    async fn complete(&self, asked: &AskedRegistration) -> Result<(), StoreError> {
        let change = AskedChange::try_from(asked).map_err(|error| StoreError::Failed(Box::new(error)))?;
        let mut connection = self.database.connection().await?;
        diesel::update(domain_registrations::table.find(asked.name.as_str()))
            .filter(domain_registrations::leased_until.eq(asked.leased_until))
            .set(change)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }
}

async fn enrol(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
    limit: usize,
) -> Result<(), Abort<StoreError>> {
    let query =
        sql_query(include_str!("unenrolled.sql")).bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX));
    let rows: Vec<UnenrolledRow> = statement::<Unenrolled, _>(query).load(connection).await?;
    if rows.is_empty() {
        return Ok(());
    }
    let mut registrations = Vec::with_capacity(rows.len());
    let mut domains: Vec<Uuid> = Vec::with_capacity(rows.len());
    for UnenrolledRow { domain_id, hostname } in rows {
        // A domain that this version can't read must not keep the others waiting.
        match names::hostname(&hostname) {
            Ok(hostname) => {
                domains.push(domain_id);
                registrations.push(registrable(&hostname).to_string());
            }
            Err(error) => tracing::error!(%domain_id, %error, "the name of a domain can't be read"),
        }
    }
    let query = sql_query(include_str!("enrol.sql"))
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(registrations)
        .bind::<Timestamptz, _>(now);
    statement::<Enrol, _>(query).execute(connection).await?;
    Ok(())
}
