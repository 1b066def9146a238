//! The time of the database, which all nodes go by.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration as StdDuration,
};

use diesel::{QueryableByName, sql_types::Timestamptz};
use diesel_async::RunQueryDsl;
use pharos_domain::{clock::Clock, store::StoreError};
use time::{Duration, OffsetDateTime};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::{failure::failure, pool::Database, sql};

/// How often the database is asked.
const EVERY: StdDuration = StdDuration::from_secs(15);
/// By how much the machine's own clock may differ before the log says so.
const MUCH: Duration = Duration::MINUTE;

/// The database's time, as it was asked for last and has gone on since.
///
/// A node whose own clock is hours off does what is due when it is due, and stamps what happens with the time that all others
/// go by. Where the database can't be asked, the time goes on as it did.
#[derive(Debug)]
pub struct DatabaseClock {
    database: Database,
    anchor: Mutex<Anchor>,
}

/// A moment by the database's clock, and when it was.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    moment: OffsetDateTime,
    at: Instant,
}

impl DatabaseClock {
    /// A clock that has the time of `database`. [`DatabaseClock::run`] keeps it right.
    ///
    /// # Errors
    /// The database can't be asked.
    pub async fn of(database: Database) -> Result<Self, StoreError> {
        let anchor = ask(&database).await?;
        Ok(Self {
            database,
            anchor: Mutex::new(anchor),
        })
    }

    /// Asks the database again and again, until `stop`.
    pub async fn run(&self, stop: CancellationToken) {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            if let Err(error) = self.ask_again().await {
                tracing::debug!(%error, "the database can't be asked for the time at the moment");
                continue;
            }
            let seconds = (OffsetDateTime::now_utc() - self.now()).whole_seconds();
            if seconds.abs() > MUCH.whole_seconds() {
                tracing::warn!(
                    seconds,
                    "this machine's clock differs from the database's, which counts; set it right"
                );
            }
        }
    }

    /// Takes the time that the database has now.
    ///
    /// # Errors
    /// The database can't be asked.
    pub async fn ask_again(&self) -> Result<(), StoreError> {
        let anchor = ask(&self.database).await?;
        *self.anchor.lock().unwrap_or_else(PoisonError::into_inner) = anchor;
        Ok(())
    }
}

impl Clock for DatabaseClock {
    fn now(&self) -> OffsetDateTime {
        let Anchor { moment, at } = *self.anchor.lock().unwrap_or_else(PoisonError::into_inner);
        // Only a clock near the end of time has no later moment.
        moment.checked_add(since(at)).unwrap_or(moment)
    }
}

#[derive(QueryableByName)]
struct ClockRow {
    #[diesel(sql_type = Timestamptz)]
    moment: OffsetDateTime,
}

async fn ask(database: &Database) -> Result<Anchor, StoreError> {
    let mut connection = database.claiming().await?;
    let asked = Instant::now();
    let row: ClockRow = sql!(text "SELECT now() AS moment")
        .get_result(&mut connection)
        .await
        .map_err(failure)?;
    // The database read its clock between the question and the answer; the middle is off by half of the way at most.
    let at = asked + asked.elapsed() / 2;
    Ok(Anchor {
        moment: row.moment,
        at,
    })
}

fn since(at: Instant) -> Duration {
    Duration::try_from(at.elapsed()).unwrap_or(Duration::ZERO)
}
