//! The sessions of a user, as they look after them.

use diesel::{ExpressionMethods, QueryDsl};
use diesel_async::RunQueryDsl;
use ipnet::IpNet;
use pharos_auth::{
    secret::SecretDigest,
    sign_in::{
        session::{IDLE_FOR, LIFETIME},
        store::{ListedSession, SessionOrigin},
    },
};
use pharos_domain::{identity::Source, ids::UserId, store::StoreError};
use pharos_persistence::{failure::failure, pool::Database};
use time::OffsetDateTime;

use crate::schema::sessions;

/// More sessions than these are not listed.
const MOST: i64 = 50;

/// The digest, when the session began and was last used, the address, the browser.
type Row = (
    Vec<u8>,
    OffsetDateTime,
    OffsetDateTime,
    Option<IpNet>,
    Option<String>,
);

/// The sessions that hold at `now`, the last used first.
pub(super) async fn list(
    database: &Database,
    user: UserId,
    now: OffsetDateTime,
) -> Result<Vec<ListedSession>, StoreError> {
    let reader = database.reader().await?;
    let rows: Vec<Row> = sessions::table
        .filter(sessions::user_id.eq(user.0))
        .filter(sessions::signed_in_at.gt(now - LIFETIME))
        .filter(sessions::last_used_at.gt(now - IDLE_FOR))
        .order((sessions::last_used_at.desc(), sessions::digest))
        .limit(MOST)
        .select((
            sessions::digest,
            sessions::signed_in_at,
            sessions::last_used_at,
            sessions::source,
            sessions::browser,
        ))
        .load(&mut &*reader)
        .await
        .map_err(failure)?;
    let listed = rows
        .into_iter()
        .filter_map(|(digest, signed_in_at, last_used_at, source, browser)| {
            // The table refuses digests of another length.
            let digest = SecretDigest(digest.try_into().ok()?);
            Some(ListedSession {
                digest,
                signed_in_at,
                last_used_at,
                origin: SessionOrigin {
                    source: Source(source.map(|range| range.addr())),
                    browser,
                },
            })
        });
    Ok(listed.collect())
}

/// Ends one session of a user. `false` where they have none of that digest.
pub(super) async fn end(
    database: &Database,
    session: &SecretDigest,
    user: UserId,
) -> Result<bool, StoreError> {
    let mut connection = database.connection().await?;
    diesel::delete(sessions::table.find(session.0.as_slice()))
        .filter(sessions::user_id.eq(user.0))
        .execute(&mut connection)
        .await
        .map(|ended| ended > 0)
        .map_err(failure)
}
