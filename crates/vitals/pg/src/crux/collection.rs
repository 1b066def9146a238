//! Collection of field data: what is due, and what came of asking.

use async_trait::async_trait;
use diesel::{
    BoolExpressionMethods, ExpressionMethods, IntoSql, QueryDsl, QueryResult, QueryableByName, dsl,
    result::Error,
    sql_types::{Array, BigInt, Bool, Date as SqlDate, Jsonb, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::{DomainId, RunId, WorkspaceId},
    settings::ChangeError,
    store::StoreError,
};
use pharos_due::work::DueClaim;
use pharos_persistence::{
    due::{self, DueTable},
    due_table,
    failure::{Abort, failure},
    jobs::backlog::Backlog,
    json::{Json, written},
    moment::not_ahead,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
};
use pharos_vitals::crux::{
    FormFactor,
    assessment::{AssessmentStatus, passing_since, verdict},
    record::{Record, Subject},
    store::{Collected, CollectionHealth, CruxCollection, DueTarget, Grain, Learned, Learnt, Stored},
    target::{NewTarget, TargetStatus},
};
use serde_json::Value;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{
    PgCruxStore, follow, known,
    row::{CollectedChange, DueRow, PeriodRow},
};
use crate::schema::{crux_lookups, crux_targets};

/// Origins and pages that are due.
pub const TARGETS: DueTable = due_table!(
    table: "crux_targets",
    key: "id",
    due: "next_collection_at",
    from: "crux_targets AS s JOIN domains AS d ON d.id = s.domain_id",
    lane: "$1 = ''",
    live: "d.deleted_at IS NULL",
    columns: "claimed.id, claimed.domain_id, d.hostname, claimed.url, claimed.failures,
        (
            SELECT max(f.period_end)
            FROM crux_figures AS f
            WHERE f.target_id = claimed.id AND f.form_factor = 'all' AND f.grain = 'week'
        ) AS newest_week",
    joins: "JOIN domains AS d ON d.id = claimed.domain_id"
);
/// Targets have one lane.
const LANE: &str = "";
/// More weeks than are kept.
const MOST_WEEKS: i64 = 100;

#[async_trait]
impl CruxCollection for PgCruxStore {
    async fn enrol(&self, now: OffsetDateTime, limit: usize) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("enrol.sql")
            .bind::<Timestamptz, _>(now)
            .bind::<BigInt, _>(i64::try_from(limit).unwrap_or(i64::MAX));
        query.execute(&mut connection).await.map(|_| ()).map_err(failure)
    }

    async fn bring_back(&self) -> Result<(), StoreError> {
        let mut connection = self.database.claiming().await?;
        let query = sql!("bring_back.sql");
        let strays = query.execute(&mut connection).await.map_err(failure)?;
        if strays > 0 {
            tracing::warn!(strays, "field data lay too far ahead; it is due now");
        }
        Ok(())
    }

    async fn claim(&self, claim: &DueClaim) -> Result<Vec<DueTarget>, StoreError> {
        let mut connection = self.database.claiming().await?;
        let statement = sql!(text TARGETS.claim);
        let rows: Vec<DueRow> = due::claim(&mut connection, statement, LANE, claim, &self.turns)
            .await
            .map_err(failure)?;
        let mut due = Vec::with_capacity(rows.len());
        for row in rows {
            let held = (row.id, row.claimed.leased_until);
            match DueTarget::try_from(row) {
                Ok(target) => due.push(target),
                Err(error) => {
                    let note = SetAside::unread(Kind::FieldData, &held.0, &error);
                    // The others are claimed by now, whatever becomes of this one.
                    if let Err(error) = put_off(&mut connection, held, note, claim.now).await {
                        tracing::warn!(target = %held.0, %error, "field data waits until its lease ends");
                    }
                }
            }
        }
        Ok(due)
    }

    async fn next_due(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, StoreError> {
        let mut connection = self.database.claiming().await?;
        due::next_due(&mut connection, sql!(text TARGETS.next_due), LANE, now)
            .await
            .map_err(failure)
    }

    async fn complete(&self, collected: &[Collected]) -> Result<(), StoreError> {
        if collected.is_empty() {
            return Ok(());
        }
        set_aside::write(&mut Asked(&self.database), collected)
            .await
            .map(|_| ())
    }

    async fn release(&self, claimed: &[&DueTarget]) -> Result<(), StoreError> {
        let claimed = claimed.iter().map(|due| (due.id.0, due.leased_until));
        let mut connection = self.database.claiming().await?;
        due::release(&mut connection, sql!(text TARGETS.release), LANE, claimed)
            .await
            .map_err(failure)
    }

    async fn adopt(
        &self,
        domain: DomainId,
        workspace: WorkspaceId,
        pages: &[NewTarget],
        now: OffsetDateTime,
    ) -> Result<(), ChangeError> {
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<ChangeError>, _>(async |connection| {
                let followed = crux_targets::table
                    .filter(crux_targets::domain_id.eq(domain.0))
                    .filter(crux_targets::url.is_not_null());
                if diesel::select(dsl::exists(followed))
                    .get_result(connection)
                    .await?
                {
                    return Ok(());
                }
                for page in pages {
                    follow(connection, domain, workspace, page, now).await?;
                }
                Ok(())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn health(&self) -> Result<CollectionHealth, StoreError> {
        let mut connection = self.database.connection().await?;
        let row: HealthRow = sql!("health.sql")
            .get_result(&mut connection)
            .await
            .map_err(failure)?;
        Ok(CollectionHealth {
            followed: row.followed.unsigned_abs(),
            failing: row.failing.unsigned_abs(),
            failing_since: row.failing_since.unsigned_abs(),
            failure: row.failure,
            fetched_at: row.fetched_at,
            overdue: row.overdue.unsigned_abs(),
        })
    }

    async fn known(
        &self,
        domain: DomainId,
        subject: &Subject,
        form_factor: FormFactor,
        since: Date,
    ) -> Result<Option<Record>, StoreError> {
        let mut connection = self.database.connection().await?;
        known::known(&mut connection, domain, subject, form_factor, since).await
    }

    async fn keep_lookup(
        &self,
        run: RunId,
        domain: DomainId,
        asked: (&Subject, FormFactor),
        record: Option<&Record>,
        now: OffsetDateTime,
    ) -> Result<(), StoreError> {
        let (subject, form_factor) = asked;
        let subject: Option<Json<Subject>> = Some(Json::of(subject.clone()));
        let record: Option<Json<Value>> = record.map(written).transpose()?.map(Json::of);
        let mut connection = self.database.connection().await?;
        let now = not_ahead(&mut connection, now).await.map_err(failure)?;
        // A job that is done twice leaves what the last one found.
        diesel::insert_into(crux_lookups::table)
            .values((
                crux_lookups::run_id.eq(run.0),
                crux_lookups::domain_id.eq(domain.0),
                crux_lookups::record.eq(&record),
                crux_lookups::made_at.eq(now),
                crux_lookups::subject.eq(&subject),
                crux_lookups::form_factor.eq(form_factor.as_str()),
            ))
            .on_conflict(crux_lookups::run_id)
            .do_update()
            .set((crux_lookups::record.eq(&record), crux_lookups::made_at.eq(now)))
            .execute(&mut connection)
            .await
            .map(|_| ())
            .map_err(failure)
    }
}

/// Counts the origins and pages that could be claimed.
pub(crate) async fn backlog(database: &Database) -> Result<Backlog, StoreError> {
    due::backlog(database, sql!(text TARGETS.backlog), LANE).await
}

#[derive(QueryableByName)]
struct HealthRow {
    #[diesel(sql_type = BigInt)]
    followed: i64,
    #[diesel(sql_type = BigInt)]
    failing: i64,
    #[diesel(sql_type = BigInt)]
    failing_since: i64,
    #[diesel(sql_type = Nullable<Text>)]
    failure: Option<String>,
    #[diesel(sql_type = Nullable<Timestamptz>)]
    fetched_at: Option<OffsetDateTime>,
    #[diesel(sql_type = BigInt)]
    overdue: i64,
}

/// Outcomes of asking, on their way into the tables.
struct Asked<'a>(&'a Database);

#[async_trait]
impl Batch<Collected> for Asked<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, collected: &[Collected]) -> Result<Vec<()>, StoreError> {
        let mut connection = self.0.claiming().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                let present = diesel::select(dsl::now.into_sql::<Timestamptz>())
                    .get_result(connection)
                    .await?;
                for collected in collected {
                    complete(connection, &collected.clone().not_ahead_of(present)).await?;
                }
                Ok(Vec::new())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(&mut self, collected: &Collected, why: StoreError) -> Result<Vec<()>, StoreError> {
        let held = (collected.id.0, collected.leased_until);
        let note = SetAside::unstored(Kind::FieldData, &held.0, &why, collected);
        let mut connection = self.0.claiming().await?;
        put_off(&mut connection, held, note, collected.asked_at)
            .await
            .map_err(failure)?;
        Ok(Vec::new())
    }
}

async fn complete(
    connection: &mut AsyncPgConnection,
    collected: &Collected,
) -> Result<(), Abort<StoreError>> {
    if matches!(collected.learned, Learned::Failure { .. }) {
        // A target that was not in the report when that last answered stays so, or its last figures would pass for present ones.
        diesel::update(crux_targets::table.find(collected.id.0))
            .filter(crux_targets::leased_until.eq(collected.leased_until))
            .filter(
                crux_targets::fetched_at
                    .is_null()
                    .or(crux_targets::status.ne(TargetStatus::NoData.as_str())),
            )
            .set(crux_targets::status.eq(collected.learned.status().as_str()))
            .execute(connection)
            .await?;
    }
    let held = diesel::update(crux_targets::table.find(collected.id.0))
        .filter(crux_targets::leased_until.eq(collected.leased_until))
        .set(CollectedChange::from(collected))
        .execute(connection)
        .await?;
    let Learned::Figures { periods, .. } = &collected.learned else {
        return Ok(());
    };
    // Another node has it by now.
    if held == 0 {
        return Ok(());
    }
    learn(connection, collected.id.0, periods).await?;
    let mobile = standing(connection, collected.id.0, FormFactor::Mobile).await?;
    let desktop = standing(connection, collected.id.0, FormFactor::Desktop).await?;
    let first = periods.iter().map(|learnt| learnt.period.end).min();
    let query = sql!("assess.sql")
        .bind::<SqlUuid, _>(collected.id.0)
        .bind::<Nullable<SqlDate>, _>(mobile.passing_since)
        .bind::<Nullable<SqlDate>, _>(desktop.passing_since)
        .bind::<Nullable<SqlDate>, _>(first)
        .bind::<Bool, _>(mobile.fails)
        .bind::<Bool, _>(desktop.fails)
        .bind::<Timestamptz, _>(collected.asked_at);
    query.execute(connection).await?;
    Ok(())
}

async fn learn(
    connection: &mut AsyncPgConnection,
    target: Uuid,
    periods: &[Learnt],
) -> Result<(), Abort<StoreError>> {
    let mut columns: (Vec<&str>, Vec<&str>, Vec<Date>, Vec<Value>) = Default::default();
    for learnt in periods {
        columns.0.push(learnt.form_factor.as_str());
        columns.1.push(learnt.grain.as_str());
        columns.2.push(learnt.period.end);
        columns.3.push(written(&learnt.figures).map_err(Abort::Port)?);
    }
    let (form_factors, grains, ends, figures) = columns;
    let query = sql!("learn.sql")
        .bind::<SqlUuid, _>(target)
        .bind::<Array<Text>, _>(form_factors)
        .bind::<Array<Text>, _>(grains)
        .bind::<Array<SqlDate>, _>(ends)
        .bind::<Array<Jsonb>, _>(figures);
    query.execute(connection).await?;
    Ok(())
}

/// How a target stands on a form factor.
struct Standing {
    /// Since when it passes Core Web Vitals: over its weeks, and the newest day.
    passing_since: Option<Date>,
    /// Whether it fails them, which is more than that too little is known.
    fails: bool,
}

async fn standing(
    connection: &mut AsyncPgConnection,
    target: Uuid,
    form_factor: FormFactor,
) -> Result<Standing, Abort<StoreError>> {
    let mut periods: Vec<Stored> = Vec::new();
    for (grain, most) in [(Grain::Week, MOST_WEEKS), (Grain::Day, 1)] {
        let query = sql!("periods.sql")
            .bind::<SqlUuid, _>(target)
            .bind::<Text, _>(form_factor.as_str())
            .bind::<Text, _>(grain.as_str())
            .bind::<BigInt, _>(most);
        let rows: Vec<PeriodRow> = query.load(connection).await?;
        for row in rows {
            periods.push(row.read().map_err(Abort::Port)?);
        }
    }
    periods.sort_by_key(|(period, _)| period.end);
    let newest = periods.last().map(|(_, figures)| verdict(figures).0);
    Ok(Standing {
        passing_since: passing_since(periods.iter().map(|(period, figures)| (period.end, figures))),
        fails: newest == Some(AssessmentStatus::Failed),
    })
}

/// Has a target wait for a day that can't be read, or whose figures can't be stored: nobody asks for it before, and the others
/// go on.
async fn put_off(
    connection: &mut AsyncPgConnection,
    (id, leased_until): (Uuid, OffsetDateTime),
    note: SetAside,
    now: OffsetDateTime,
) -> QueryResult<()> {
    connection
        .transaction::<_, Error, _>(async |connection| {
            let query = sql!("put_off.sql")
                .bind::<SqlUuid, _>(id)
                .bind::<Timestamptz, _>(leased_until)
                .bind::<Timestamptz, _>(now);
            query.execute(connection).await?;
            set_aside::note_all(connection, [note]).await
        })
        .await
}
