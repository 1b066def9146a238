//! Who else can know the password of a user, as the audit trail tells.

use diesel::{
    QueryableByName,
    sql_types::{Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::RunQueryDsl;
use pharos_domain::{audit::Actor, ids::UserId, store::StoreError};
use pharos_persistence::{failure::failure, pool::Database, sql};
use time::OffsetDateTime;

#[derive(QueryableByName)]
struct MakerRow {
    #[diesel(sql_type = Text)]
    actor: String,
}

/// The other users who made the link that the password of `user` was set by, and the one that is good at `now`.
pub(super) async fn list(
    database: &Database,
    user: UserId,
    now: OffsetDateTime,
) -> Result<Vec<UserId>, StoreError> {
    let mut connection = database.connection().await?;
    let query = sql!("link_makers.sql")
        .bind::<SqlUuid, _>(user.0)
        .bind::<Timestamptz, _>(now);
    let rows: Vec<MakerRow> = query.load(&mut connection).await.map_err(failure)?;
    let makers = rows.iter().filter_map(|row| Actor::user_of(&row.actor));
    Ok(makers.filter(|maker| *maker != user).collect())
}
