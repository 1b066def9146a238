//! The balance of a workspace, and the allowance of one of its members.

use diesel::{
    OptionalExtension, QueryableByName,
    sql_types::{BigInt, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    credits::{Allowance, Balance, Payer},
    ids::WorkspaceId,
    store::StoreError,
};
use time::OffsetDateTime;

use crate::{failure::failure, names, pool::Database, sql};

#[derive(QueryableByName)]
struct BalanceRow {
    #[diesel(sql_type = BigInt)]
    granted: i64,
    #[diesel(sql_type = BigInt)]
    used: i64,
    #[diesel(sql_type = Timestamptz)]
    cycle_start: OffsetDateTime,
    #[diesel(sql_type = Timestamptz)]
    cycle_end: OffsetDateTime,
    #[diesel(sql_type = Nullable<BigInt>)]
    credit_cap: Option<i64>,
    #[diesel(sql_type = BigInt)]
    member_used: i64,
}

impl BalanceRow {
    fn balance(self, workspace_id: WorkspaceId) -> Result<Balance, StoreError> {
        let member = match self.credit_cap {
            Some(cap) => Some(Allowance {
                granted: names::count(cap)?,
                used: names::count(self.member_used)?,
            }),
            None => None,
        };
        Ok(Balance {
            workspace_id,
            granted: names::count(self.granted)?,
            used: names::count(self.used)?,
            cycle_start: self.cycle_start,
            cycle_end: self.cycle_end,
            member,
        })
    }
}

/// The balance of the cycle that `now` lies in.
pub(super) async fn balance(
    database: &Database,
    payer: Payer,
    now: OffsetDateTime,
) -> Result<Option<Balance>, StoreError> {
    let reader = database.reader().await?;
    let query = sql!("balance.sql")
        .bind::<SqlUuid, _>(payer.workspace.0)
        .bind::<SqlUuid, _>(payer.user.0)
        .bind::<Timestamptz, _>(now);
    query
        .get_result::<BalanceRow>(&mut &*reader)
        .await
        .optional()
        .map_err(failure)?
        .map(|row| row.balance(payer.workspace))
        .transpose()
}
