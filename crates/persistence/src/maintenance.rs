//! What has to be done from time to time: partitions, and what retention takes away.

use diesel::{
    ExpressionMethods, QueryDsl, QueryResult,
    dsl::{exists, not},
    sql_query,
    sql_types::{Integer, Text, Timestamptz},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_auth::{
    oauth::client::IDLE_FOR,
    sign_in::session::{self, LIFETIME},
};
use pharos_domain::store::StoreError;
use time::{Duration, OffsetDateTime};

use crate::{
    failure::Abort,
    metering::{effect::Effect, replays},
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

impl Database {
    /// Makes the partitions of the present and of what comes next, where they are missing. A worker that registers
    /// its region does so too. Without them rows go to default partitions.
    ///
    /// # Errors
    /// The database could not make all of them.
    pub async fn ensure_partitions(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut steps = Steps::of(self);
        for (table, grain, ahead) in PARTITIONED {
            let query = sql_query("SELECT ensure_partitions($1::regclass, $2, $3, $4)")
                .bind::<Text, _>(table)
                .bind::<Text, _>(grain)
                .bind::<Timestamptz, _>(now)
                .bind::<Integer, _>(ahead);
            let query = statement::<EnsurePartitions, _>(query);
            steps
                .take(table, async |connection| {
                    Ok(query.execute(connection).await.map(|_| ())?)
                })
                .await;
        }
        steps.end()
    }

    /// What every installation needs when it starts and then once an hour, by whichever node: partitions ahead; dropped
    /// are the credit log's days of more than 90 days ago, and what uptime monitoring found more than 12 months ago;
    /// forgotten are the answers that keys had for 24 hours, and of OAuth what has lapsed: decisions, codes, refresh
    /// tokens, grants without any, and clients that never got a grant within 30 days; so are sessions and links that no
    /// longer hold, and what was set aside and has not happened for 30 days. A step that fails stops no other.
    ///
    /// # Errors
    /// The database could not do all of it.
    pub async fn maintain(&self, now: OffsetDateTime) -> Result<(), StoreError> {
        let mut steps = Steps::of(self);
        steps.note("partitions ahead", self.ensure_partitions(now).await);
        for (table, kept) in KEPT {
            let query = sql_query("SELECT drop_partitions($1::regclass, day_before($2, $3))")
                .bind::<Text, _>(table)
                .bind::<Timestamptz, _>(now)
                .bind::<Text, _>(kept);
            let query = statement::<DropPartitions, _>(query);
            steps
                .take(table, async |connection| {
                    Ok(query.execute(connection).await.map(|_| ())?)
                })
                .await;
        }
        let query = sql_query("DELETE FROM uptime_spans WHERE ended_at <= day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(UPTIME_KEPT);
        let query = statement::<ForgetSpans, _>(query);
        steps
            .take("uptime_spans", async |connection| {
                Ok(query.execute(connection).await.map(|_| ())?)
            })
            .await;
        let query = sql_query("DELETE FROM uptime_incidents WHERE resolved_at <= day_before($1, $2)")
            .bind::<Timestamptz, _>(now)
            .bind::<Text, _>(UPTIME_KEPT);
        let query = statement::<ForgetIncidents, _>(query);
        steps
            .take("uptime_incidents", async |connection| {
                Ok(query.execute(connection).await.map(|_| ())?)
            })
            .await;
        steps
            .take("roll-ups", async |connection| {
                Ok(rollups::forget(connection, now).await?)
            })
            .await;
        steps
            .take("OAuth", async |connection| {
                Ok(forget_oauth(connection, now).await?)
            })
            .await;
        steps
            .take("sessions", async |connection| {
                Ok(forget_sign_ins(connection, now).await?)
            })
            .await;
        steps
            .take("set_aside", async |connection| {
                Ok(set_aside::forget(connection, now).await?)
            })
            .await;
        steps.note("answers of keys", replays::clean_up(self, now).await);
        steps.end()
    }
}

/// Steps of which one that fails stops no other: each has a connection of its own.
struct Steps<'a> {
    database: &'a Database,
    failed: Option<StoreError>,
}

impl<'a> Steps<'a> {
    fn of(database: &'a Database) -> Self {
        Self {
            database,
            failed: None,
        }
    }

    async fn take<F>(&mut self, name: &str, step: F)
    where
        for<'r> F: Effect<'r, (), StoreError>,
    {
        let taken = match self.database.connection().await {
            Ok(mut connection) => step(&mut connection).await.map_err(Abort::answer),
            Err(error) => Err(error),
        };
        self.note(name, taken);
    }

    fn note(&mut self, name: &str, taken: Result<(), StoreError>) {
        if let Err(error) = taken {
            tracing::warn!(step = name, %error, "a step of maintenance failed");
            self.failed.get_or_insert(error);
        }
    }

    /// The first failure.
    fn end(self) -> Result<(), StoreError> {
        self.failed.map_or(Ok(()), Err)
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
