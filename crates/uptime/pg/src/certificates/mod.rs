//! The certificates that checks saw.

mod record;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName, SelectableHelper, dsl,
    pg::Pg,
    prelude::{Queryable, Selectable},
    sql_types::{Jsonb, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{identity::DomainAccess, ids::DomainId, store::StoreError};
use pharos_uptime::{
    certificate::{
        Sighting,
        store::{CertificateKnowledge, CertificateStore, HISTORY, LastSighting, SeenCertificate},
    },
    monitor::settings::MonitorSettings,
};
use time::OffsetDateTime;

pub(super) use self::record::record;
use pharos_persistence::{failure::failure, json::Json, names, pool::Database, sql};

use crate::{schema::uptime_certificate_history, stored::read_settings};

/// Certificates in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgCertificateStore {
    database: Database,
}

impl PgCertificateStore {
    /// The certificates of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct KnowledgeRow {
    #[diesel(sql_type = Jsonb)]
    settings: Json<MonitorSettings>,
    #[diesel(sql_type = Nullable<Jsonb>)]
    sighting: Option<Json<Sighting>>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    checked_at: Option<OffsetDateTime>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = uptime_certificate_history)]
#[diesel(check_for_backend(diesel::pg::Pg))]
struct SeenRow {
    fingerprint: String,
    first_seen_at: OffsetDateTime,
    last_seen_at: OffsetDateTime,
    replaced_at: Option<OffsetDateTime>,
    issuer_common_name: Option<String>,
    valid_from: OffsetDateTime,
    valid_until: OffsetDateTime,
    names_count: i32,
}

impl TryFrom<KnowledgeRow> for CertificateKnowledge {
    type Error = StoreError;

    fn try_from(row: KnowledgeRow) -> Result<Self, StoreError> {
        let sighting = row
            .sighting
            .map(|stored| stored.read("the sighting of a certificate"))
            .transpose()?;
        Ok(Self {
            warn_days: read_settings(row.settings)?.ssl_warn_days,
            last: sighting
                .zip(row.checked_at)
                .map(|(sighting, checked_at)| LastSighting { sighting, checked_at }),
        })
    }
}

impl TryFrom<SeenRow> for SeenCertificate {
    type Error = StoreError;

    fn try_from(row: SeenRow) -> Result<Self, StoreError> {
        Ok(Self {
            fingerprint_sha256: row.fingerprint,
            first_seen_at: row.first_seen_at,
            last_seen_at: row.last_seen_at,
            replaced_at: row.replaced_at,
            issuer_common_name: row.issuer_common_name,
            valid_from: row.valid_from,
            valid_until: row.valid_until,
            subject_alt_names_count: names::count(row.names_count)?,
        })
    }
}

type History<'a> =
    dsl::IntoBoxed<'a, dsl::Select<uptime_certificate_history::table, dsl::AsSelect<SeenRow, Pg>>, Pg>;

/// The rows of a domain, found by the primary key; they are few, so they are sorted each time.
fn history<'a>(domain: DomainId) -> History<'a> {
    uptime_certificate_history::table
        .select(SeenRow::as_select())
        .into_boxed::<Pg>()
        .filter(uptime_certificate_history::domain_id.eq(domain.0))
        .order((
            uptime_certificate_history::first_seen_at.desc(),
            uptime_certificate_history::fingerprint.asc(),
        ))
        .limit(i64::try_from(HISTORY).unwrap_or(i64::MAX))
}

/// How PostgreSQL would read the history. For tests.
///
/// # Errors
/// The store failed.
#[cfg(feature = "testing")]
pub async fn explained(database: &Database, domain: DomainId) -> Result<String, StoreError> {
    let mut connection = database.connection().await?;
    let plan: Vec<String> = pharos_persistence::statement::Explain(history(domain))
        .load(&mut connection)
        .await
        .map_err(failure)?;
    Ok(plan.join("\n"))
}

#[async_trait]
impl CertificateStore for PgCertificateStore {
    async fn view(&self, domain: &DomainAccess) -> Result<Option<CertificateKnowledge>, StoreError> {
        let reader = self.database.reader().await?;
        let query = sql!("view.sql").bind::<SqlUuid, _>(domain.id().0);
        let row: Option<KnowledgeRow> = query
            .get_result(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        row.map(CertificateKnowledge::try_from).transpose()
    }

    async fn list(&self, domain: &DomainAccess) -> Result<Vec<SeenCertificate>, StoreError> {
        let reader = self.database.reader().await?;
        let rows: Vec<SeenRow> = history(domain.id()).load(&mut &*reader).await.map_err(failure)?;
        rows.into_iter().map(SeenCertificate::try_from).collect()
    }
}
