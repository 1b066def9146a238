//! What is left to a workspace, and to one of its members.

use diesel::{
    OptionalExtension, QueryableByName, sql_query,
    sql_types::{BigInt, Nullable, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{
    credits::{Allowance, Balance, Payer},
    ids::WorkspaceId,
    store::StoreError,
};
use time::OffsetDateTime;

use crate::{failure::failure, names, pool::Database, statement::statement};

struct ReadBalance;

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
        let Self {
            granted,
            used,
            cycle_start,
            cycle_end,
            credit_cap,
            member_used,
        } = self;
        let member = match credit_cap {
            Some(cap) => Some(Allowance {
                granted: names::count(cap)?,
                used: names::count(member_used)?,
            }),
            None => None,
        };
        Ok(Balance {
            workspace_id,
            granted: names::count(granted)?,
            used: names::count(used)?,
            cycle_start,
            cycle_end,
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
    let query = sql_query(include_str!("balance.sql"))
        .bind::<SqlUuid, _>(payer.workspace.0)
        .bind::<SqlUuid, _>(payer.user.0)
        .bind::<Timestamptz, _>(now);
    statement::<ReadBalance, _>(query)
        .get_result::<BalanceRow>(&mut &*reader)
        .await
        .optional()
        .map_err(failure)?
        .map(|row| row.balance(payer.workspace))
        .transpose()
}
