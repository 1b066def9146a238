//! Second factors, recovery codes, and sign-ins that wait.

mod change;
mod confirm;
mod enter;
mod prove;

use async_trait::async_trait;
use diesel::{ExpressionMethods, OptionalExtension, QueryDsl};
use diesel_async::RunQueryDsl;
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        factor_store::{Confirmation, FactorStore, Proof, StoredFactor},
        store::SessionOrigin,
    },
};
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use pharos_persistence::{audit::By, failure::failure, names, pool::Database};
use time::OffsetDateTime;

use crate::schema::{recovery_codes, second_factors};

/// The secret, when it was made and by which session, when it was confirmed, and how many recovery codes are left.
type FactorColumns = (
    Vec<u8>,
    OffsetDateTime,
    Option<Vec<u8>>,
    Option<OffsetDateTime>,
    Option<i64>,
);

/// Second factors in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgFactorStore {
    database: Database,
}

impl PgFactorStore {
    /// Those of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl FactorStore for PgFactorStore {
    async fn factor(&self, user: UserId) -> Result<Option<StoredFactor>, StoreError> {
        let reader = self.database.reader().await?;
        let codes = recovery_codes::table
            .filter(recovery_codes::user_id.eq(second_factors::user_id))
            .count()
            .single_value();
        let found: Option<FactorColumns> = second_factors::table
            .find(user.0)
            .select((
                second_factors::secret,
                second_factors::made_at,
                second_factors::begun_by,
                second_factors::confirmed_at,
                codes,
            ))
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        found
            .map(|(sealed, made_at, begun_by, confirmed_at, codes)| {
                let begun_by: Option<[u8; 32]> = begun_by.and_then(|digest| digest.try_into().ok());
                Ok(StoredFactor {
                    sealed,
                    made_at,
                    begun_by: begun_by.map(SecretDigest),
                    confirmed_at,
                    codes_left: names::count(codes.unwrap_or_default())?,
                })
            })
            .transpose()
    }

    async fn begin(
        &self,
        user: UserId,
        session: &SecretDigest,
        sealed: &[u8],
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        confirm::begin(&self.database, user, session, sealed, now).await
    }

    async fn confirm(
        &self,
        confirmation: &Confirmation<'_>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        confirm::confirm(&self.database, confirmation, By { actor, now }).await
    }

    async fn replace_codes(
        &self,
        user: UserId,
        proof: &Proof,
        codes: &[SecretDigest],
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        change::replace_codes(&self.database, user, proof, codes, By { actor, now }).await
    }

    async fn turn_off(
        &self,
        user: UserId,
        proof: &Proof,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        change::turn_off(&self.database, user, proof, By { actor, now }).await
    }

    async fn reset(&self, user: UserId, actor: &Actor, now: OffsetDateTime) -> Result<bool, StoreError> {
        change::reset(&self.database, user, By { actor, now }).await
    }

    async fn attempt(
        &self,
        pending: &SecretDigest,
        now: OffsetDateTime,
    ) -> Result<Option<UserId>, StoreError> {
        enter::attempt(&self.database, pending, now).await
    }

    async fn enter(
        &self,
        pending: &SecretDigest,
        proof: &Proof,
        session: &SecretDigest,
        origin: &SessionOrigin,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<bool, StoreError> {
        let by = By { actor, now };
        enter::enter(&self.database, pending, proof, (session, origin), by).await
    }
}
