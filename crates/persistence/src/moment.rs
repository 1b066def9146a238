//! Moments as PostgreSQL keeps them: to the microsecond.

use diesel::{IntoSql, QueryResult, dsl, sql_types::Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::timestamp::in_utc;
use time::{Duration, OffsetDateTime};

/// The moment as it is kept; `None` where no answer could show it. PostgreSQL could keep all that answers can.
pub fn storable(moment: OffsetDateTime) -> Option<OffsetDateTime> {
    in_utc(moment).map(to_micros)
}

/// A moment by two clocks.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// By the node's clock, or the database's where the node's is ahead.
    pub now: OffsetDateTime,
    /// By the database's clock.
    pub present: OffsetDateTime,
}

impl Moment {
    /// The moment that is `now` on the node.
    pub fn new(now: OffsetDateTime, present: OffsetDateTime) -> Self {
        Self {
            now: to_micros(now.min(present)),
            present,
        }
    }
}

/// The moment without what lies below the microsecond.
pub fn to_micros(moment: OffsetDateTime) -> OffsetDateTime {
    let nanosecond = moment.nanosecond() / 1_000 * 1_000;
    moment.replace_nanosecond(nanosecond).unwrap_or(moment)
}

/// The database's time. Within a transaction that is when it began.
///
/// # Errors
/// The database failed.
pub async fn present(connection: &mut AsyncPgConnection) -> QueryResult<OffsetDateTime> {
    diesel::select(dsl::now.into_sql::<Timestamptz>())
        .get_result(connection)
        .await
}

/// By how much a clock may be ahead before the log says so.
const MUCH_AHEAD: Duration = Duration::MINUTE;

/// A node's time, or the database's where the node's clock is ahead of it. Within a transaction that is when it began.
///
/// # Errors
/// The database failed.
pub async fn not_ahead(
    connection: &mut AsyncPgConnection,
    now: OffsetDateTime,
) -> QueryResult<OffsetDateTime> {
    let present = present(connection).await?;
    if now - present > MUCH_AHEAD {
        let seconds = (now - present).whole_seconds();
        tracing::error!(
            seconds,
            "this node's clock is ahead of the database's, which counts; set it right"
        );
    }
    Ok(now.min(present))
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn cuts_off_and_never_rounds() {
        let moment = datetime!(2026-03-31 09:15:00.123456789 UTC);
        assert_eq!(to_micros(moment), datetime!(2026-03-31 09:15:00.123456 UTC));
        let edge = datetime!(2026-03-31 09:15:00.999999999 UTC);
        assert_eq!(to_micros(edge), datetime!(2026-03-31 09:15:00.999999 UTC));
    }
}
