//! The registrations of domains.

mod row;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, IntoSql, OptionalExtension, QueryDsl, dsl,
    result::Error,
    sql_types::{Array, BigInt, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{identity::DomainAccess, store::StoreError};
use pharos_due::work::DueClaim;
use pharos_uptime::registration::{
    name::registrable,
    store::{AskedRegistration, DueRegistration, MonitoredRegistration, RegistrationStore},
};
use time::OffsetDateTime;
use uuid::Uuid;

pub(super) use self::row::read_answer;
use pharos_persistence::{
    due::{self, DueTable, Turns},
    due_table,
    failure::{Abort, failure},
    jobs::backlog::Backlog,
    names,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
};

use self::row::{AskedChange, DueRow, MonitoredRow, UnenrolledRow};
use crate::schema::domain_registrations;

/// Registrations that are due: of names with a monitor.
pub const REGISTRATIONS: DueTable = due_table!(
    table: "domain_registrations",
    key: "name",
    due: "next_check_at",
    from: "domain_registrations AS s",
    lane: "true",
    live: "EXISTS (
            SELECT
            FROM uptime_monitors AS m
            JOIN domains AS d ON d.id = m.domain_id
            WHERE m.registrable_domain = s.name AND m.enabled AND d.deleted_at IS NULL
        )",
    columns: "claimed.name, claimed.answer, claimed.changes, claimed.failures",
    joins: ""
);
/// Registrations have one lane.
const LANE: &str = "";

/// Counts the registrations that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text REGISTRATIONS.backlog), LANE).await
}

/// Registrations in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgRegistrationStore {
    database: Database,
    turns: Turns,
}

impl PgRegistrationStore {
    /// The registrations of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
        }
    }
}

#[async_trait]
impl RegistrationStore for PgRegistrationStore {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<MonitoredRegistration>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("view.sql").bind::<SqlUuid, _>(domain.id().0);
        let row: Option<MonitoredRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(MonitoredRegistration::try_from).transpose()
    }

    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| enrol(connection, now, limit).await)
            .await
            .map_err(Abort::answer)
    }

    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let strays = sql!("bring_back.sql")
            .execute(&mut connection)
            .await
            .map_err(failure)?;
        if strays > 0 {
            tracing::warn!(strays, "registrations lay too far ahead; they are due now");
        }
        Ok(())
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueRegistration>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let rows: Vec<DueRow> = due::claim(
            &mut connection,
            sql!(text REGISTRATIONS.claim),
            LANE,
            claim,
            &self.turns,
        )
        .await
        .map_err(failure)?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let held = (row.name.clone(), row.claimed.leased_until);
            match DueRegistration::try_from(row) {
                Ok(registration) => due.push(registration),
                Err(error) => {
                    let note = SetAside::unread(Kind::Registration, &held.0, &error);
                    // The others are claimed by now, whatever becomes of this one.
                    if let Err(error) = put_off(&mut connection, &held, note, claim.now).await {
                        tracing::warn!(name = held.0, %error, "a registration waits until its lease ends");
                    }
                }
            }
        }
        Ok(due)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text REGISTRATIONS.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn complete(&self, asked: &[AskedRegistration]) -> Result<(), StoreError> {
        if asked.is_empty() {
            return Ok(());
        }
        set_aside::write(&mut Asked(&self.database), asked)
            .await
            .map(|_| ())
    }

    async fn release(&self, claimed: &[&DueRegistration]) -> Result<(), StoreError> {
        let (names, leases): (Vec<&str>, Vec<OffsetDateTime>) = claimed
            .iter()
            .map(|due| (due.name.as_str(), due.leased_until))
            .unzip();
        let mut connection = self.database.claiming().await?;
        let query = sql!(text REGISTRATIONS.release)
            .bind::<Text, _>(LANE)
            .bind::<Array<Text>, _>(names)
            .bind::<Array<Timestamptz>, _>(leases);
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }
}

/// Outcomes of asking registries, on their way into the table.
struct Asked<'a>(&'a Database);

#[async_trait]
impl Batch<AskedRegistration> for Asked<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, asked: &[AskedRegistration]) -> Result<Vec<()>, StoreError> {
        let mut connection = self.0.claiming().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let present = diesel::select(dsl::now.into_sql::<Timestamptz>())
                    .get_result(connection)
                    .await?;
                for asked in asked {
                    let asked = &asked.clone().not_ahead_of(present);
                    let change = AskedChange::try_from(asked).map_err(Abort::Port)?;
                    diesel::update(domain_registrations::table.find(asked.name.as_str()))
                        .filter(domain_registrations::leased_until.eq(asked.leased_until))
                        .set(change)
                        .execute(connection)
                        .await?;
                }
                Ok(Vec::new())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(&mut self, asked: &AskedRegistration, why: StoreError) -> Result<Vec<()>, StoreError> {
        let held = (asked.name.to_string(), asked.leased_until);
        let note = SetAside::unstored(Kind::Registration, &held.0, &why, asked);
        let mut connection = self.0.claiming().await?;
        put_off(&mut connection, &held, note, asked.asked_at)
            .await
            .map_err(failure)?;
        Ok(Vec::new())
    }
}

/// Has a registration wait for a day that can't be read, or whose answer can't be stored: nobody asks for it before, and
/// the others go on.
async fn put_off(
    connection: &mut AsyncPgConnection,
    (name, leased_until): &(String, OffsetDateTime),
    note: SetAside,
    now: OffsetDateTime,
) -> diesel::QueryResult<()> {
    connection
        .transaction::<_, Error, _>(async |connection| {
            let query = sql!("put_off.sql")
                .bind::<Text, _>(name)
                .bind::<Timestamptz, _>(leased_until)
                .bind::<Timestamptz, _>(now);
            query.execute(connection).await?;
            set_aside::note_all(connection, [note]).await
        })
        .await
}

async fn enrol(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
    limit: usize,
) -> Result<(), Abort<StoreError>> {
    let query = sql!("unenrolled.sql").bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX));
    let rows: Vec<UnenrolledRow> = query.load(connection).await?;
    if rows.is_empty() {
        return Ok(());
    }
    let mut registrations = Vec::with_capacity(rows.len());
    let mut domains: Vec<Uuid> = Vec::with_capacity(rows.len());
    let mut unread = Vec::new();
    for UnenrolledRow { domain_id, hostname } in rows {
        // A domain that this version can't read must not keep the others waiting.
        match names::hostname(&hostname) {
            Ok(hostname) => {
                domains.push(domain_id);
                registrations.push(registrable(&hostname).to_string());
            }
            Err(error) => unread.push(SetAside::unread(Kind::Hostname, &domain_id, &error)),
        }
    }
    set_aside::note_all(connection, unread).await?;
    let query = sql!("enrol.sql")
        .bind::<Array<SqlUuid>, _>(domains)
        .bind::<Array<Text>, _>(registrations)
        .bind::<Timestamptz, _>(now);
    query.execute(connection).await?;
    Ok(())
}
