//! Consents that people were asked for.

use async_trait::async_trait;
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::RunQueryDsl;
use pharos_domain::{ids::DomainId, store::StoreError};
use pharos_persistence::{failure::failure, moment::to_micros, pool::Database};
use pharos_search::gsc::consent::{AskedConsent, AskedConsents, Digest, GIVEN_WITHIN, Taken};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::schema::search_consents;

/// How long it is known that one was taken, or came too late.
const KEPT: Duration = Duration::DAY;

/// Consents in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgAskedConsents {
    database: Database,
}

impl PgAskedConsents {
    /// The consents of `database`.
    #[must_use]
    pub const fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl AskedConsents for PgAskedConsents {
    async fn ask(&self, asked: &AskedConsent, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.database.connection().await?;
        diesel::insert_into(search_consents::table)
            .values((
                search_consents::state.eq(asked.state.as_slice()),
                search_consents::session.eq(asked.session.as_slice()),
                search_consents::domain_id.eq(asked.domain.0),
                search_consents::asked_at.eq(to_micros(now)),
            ))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn take(&self, state: &Digest, session: &Digest, now: OffsetDateTime) -> Result<Taken, StoreError> {
        let mut connection = self.database.connection().await?;
        // One statement, so that of two browsers at once one alone has it.
        let taken: Option<(Uuid, OffsetDateTime)> = diesel::update(
            search_consents::table
                .find(state.as_slice())
                .filter(search_consents::session.eq(session.as_slice()))
                .filter(search_consents::taken_at.is_null()),
        )
        .set(search_consents::taken_at.eq(to_micros(now)))
        .returning((search_consents::domain_id, search_consents::asked_at))
        .get_result(&mut connection)
        .await
        .optional()
        .map_err(failure)?;
        if let Some((domain, asked_at)) = taken {
            let domain = DomainId(domain);
            return Ok(if now - asked_at > GIVEN_WITHIN {
                Taken::Late(domain)
            } else {
                Taken::Once(domain)
            });
        }
        let before: Option<Uuid> = search_consents::table
            .find(state.as_slice())
            .filter(search_consents::session.eq(session.as_slice()))
            .select(search_consents::domain_id)
            .first(&mut connection)
            .await
            .optional()
            .map_err(failure)?;
        Ok(before.map_or(Taken::Foreign, |domain| Taken::Before(DomainId(domain))))
    }
}

/// Forgets those that nobody brings back any more.
pub(crate) async fn forget_old(database: &Database, now: OffsetDateTime) -> Result<(), StoreError> {
    let mut connection = database.connection().await?;
    diesel::delete(search_consents::table.filter(search_consents::asked_at.lt(now - KEPT)))
        .execute(&mut connection)
        .await
        .map(|_| ())
        .map_err(failure)
}
