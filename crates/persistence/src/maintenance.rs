//! What has to be done from time to time: partitions, and what retention takes away.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    dsl::{exists, not},
    sql_query,
    sql_types::{Integer, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use futures_util::{FutureExt, future::BoxFuture};
use pharos_auth::{
    oauth::client::IDLE_FOR,
    sign_in::session::{self, LIFETIME},
};
use pharos_domain::store::StoreError;
use pharos_supervisor::caught;
use time::{Duration, OffsetDateTime};

use crate::{
    failure::failure,
    metering::replays,
    pool::Database,
    schema::{
        oauth_clients, oauth_codes, oauth_decisions, oauth_grants, oauth_refresh_tokens, sessions,
        sign_in_links,
    },
    set_aside,
    statement::statement,
    uptime::{KEPT as UPTIME_KEPT, rollups},
};

/// The tables in partitions: what is partitioned how, and how many partitions are made ahead.
const PARTITIONED: [(&str, &str, i32); 2] = [("uptime_checks", "month", 2), ("credit_log", "day", 3)];

/// How long rows of the tables in partitions are kept, as PostgreSQL says it.
const KEPT: [(&str, &str); 2] = [("uptime_checks", UPTIME_KEPT), ("credit_log", "90 days")];

struct EnsurePartitions;
struct DropPartitions;
struct ForgetSpans;
struct ForgetIncidents;

/// A step of [`Database::maintain`], and what it is called in the log.
type Step<'a> = (&'static str, BoxFuture<'a, Result<(), StoreError>>);

impl Database {
    /// Makes the partitions of the present and of what comes next, where they are missing. A worker that registers
    /// its region does so too. Without them rows go to default partitions.
    ///
    /// # Errors
    /// The database could not make all of them.
    pub async fn ensure_partitions(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        for partitioned in PARTITIONED {
            self.ensure_partitions_of(partitioned, now).await?;
        }
        Ok(())
    }

    async fn ensure_partitions_of(
        &self,
        (table, grain, ahead): (&str, &str, i32),
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let query = sql_query("SELECT ensure_partitions($1::regclass, $2, $3, $4)")
            .bind::<Text, _>(table)
            .bind::<Text, _>(grain)
            .bind::<Timestamptz, _>(now)
            .bind::<Integer, _>(ahead);
        statement::<EnsurePartitions, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    /// What every installation needs when it starts and then once an hour, by whichever node: partitions ahead; dropped
    /// are the credit log's days of more than 90 days ago, and what uptime monitoring found more than 12 months ago;
    /// forgotten are the answers that keys had for 24 hours, and of OAuth what has lapsed: decisions, codes, refresh
    /// tokens, grants without any, and clients that never got a grant within 30 days; so are sessions and links that no
    /// longer hold, and what was set aside and has not happened for 30 days.
    ///
    /// A step that fails keeps no other from being done.
    ///
    /// # Errors
    /// The database could not do all of it: the last failure.
    ///
    /// # Panics
    /// A step panicked.
    pub async fn maintain(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut steps: Vec<Step<'_>> = Vec::new();
        for partitioned in PARTITIONED {
            let step = self.ensure_partitions_of(partitioned, now);
            steps.push(("partitions ahead", step.boxed()));
        }
        for kept in KEPT {
            steps.push((
                "partitions that are over",
                self.drop_partitions(kept, now).boxed(),
            ));
        }
        steps.extend([
            ("spans", self.forget_spans(now).boxed()),
            ("incidents", self.forget_incidents(now).boxed()),
            ("roll-ups", self.forget_rollups(now).boxed()),
            ("OAuth", self.forget_oauth(now).boxed()),
            ("sign-ins", self.forget_sign_ins(now).boxed()),
            ("what was set aside", self.forget_set_aside(now).boxed()),
            ("answers of keys", replays::clean_up(self, now).boxed()),
        ]);
        let (mut done, mut panicked) = (Ok(()), None);
        for (step, work) in steps {
            match caught(work).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%error, step, "a step of upkeep can't be done at the moment");
                    done = Err(error);
                }
                Err(panic) => {
                    tracing::error!(%panic, step, "a step of upkeep panicked");
                    panicked = Some(panic);
                }
            }
        }
        match panicked {
            Some(panic) => panic.resume(),
            None => done,
        }
    }

    async fn drop_partitions(
        &self,
        (table, kept): (&str, &str),
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let query = sql_query("SELECT drop_partitions($1::regclass, day_before($2, $3))")
            .bind::<Text, _>(table)
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(kept);
        statement::<DropPartitions, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn forget_spans(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let query = sql_query("DELETE FROM uptime_spans WHERE ended_at <= day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(UPTIME_KEPT);
        statement::<ForgetSpans, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn forget_incidents(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        let query = sql_query("DELETE FROM uptime_incidents WHERE resolved_at <= day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(UPTIME_KEPT);
        statement::<ForgetIncidents, _>(query)
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }

    async fn forget_rollups(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        rollups::forget(&mut connection, now).await.map_err(failure)
    }

    async fn forget_oauth(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        forget_oauth(&mut connection, now).await.map_err(failure)
    }

    async fn forget_sign_ins(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        forget_sign_ins(&mut connection, now).await.map_err(failure)
    }

    async fn forget_set_aside(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        set_aside::forget(&mut connection, now).await.map_err(failure)
    }
}

/// What nobody can come back with any more. A code is kept for a day, since one that comes back revokes its grant.
async fn forget_oauth(connection: &mut AsyncPgConnection, now: OffsetDateTime) -> QueryResult<()> {
    diesel::delete(oauth_decisions::table.filter(oauth_decisions::lapses_at.le(now)))
        .execute(connection)
        .await?;
    diesel::delete(oauth_codes::table.filter(oauth_codes::expires_at.le(now - Duration::DAY)))
        .execute(connection)
        .await?;
    diesel::delete(oauth_refresh_tokens::table.filter(oauth_refresh_tokens::expires_at.le(now)))
        .execute(connection)
        .await?;
    // The last refresh token outlives every access token.
    let of_grant = oauth_refresh_tokens::table.filter(oauth_refresh_tokens::grant_id.eq(oauth_grants::id));
    diesel::delete(oauth_grants::table.filter(not(exists(of_grant))))
        .execute(connection)
        .await?;
    let of_client = |client| oauth_grants::table.filter(oauth_grants::client_id.eq(client));
    let in_hand = |client| oauth_codes::table.filter(oauth_codes::client_id.eq(client));
    diesel::delete(
        oauth_clients::table
            .filter(oauth_clients::created_at.le(now - IDLE_FOR))
            .filter(oauth_clients::granted_at.is_null())
            // Nodes of an older version don't note when a client got its first grant.
            .filter(not(exists(of_client(oauth_clients::id))))
            .filter(not(exists(in_hand(oauth_clients::id)))),
    )
    .execute(connection)
    .await
    .map(|_| ())
}

/// Sessions that no longer hold, and links that nobody used.
async fn forget_sign_ins(connection: &mut AsyncPgConnection, now: OffsetDateTime) -> QueryResult<()> {
    let ended = sessions::table
        .filter(sessions::signed_in_at.le(now - LIFETIME))
        .or_filter(sessions::last_used_at.le(now - session::IDLE_FOR));
    diesel::delete(ended).execute(connection).await?;
    diesel::delete(sign_in_links::table.filter(sign_in_links::expires_at.le(now)))
        .execute(connection)
        .await
        .map(|_| ())
}
