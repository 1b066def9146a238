//! Field data: what is followed, and what is known of it.

mod alert_metrics;
mod collection;
mod known;
mod row;
mod turns;

use std::collections::BTreeMap;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl,
    sql_types::{BigInt, Date as SqlDate, Nullable, Text, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{CruxUrlId, DomainId, RunId, WorkspaceId},
    quota::QuotaResource,
    settings::{ChangeError, SettingFault},
    store::StoreError,
};
use pharos_persistence::{
    due::Turns,
    failure::{Abort, failure},
    hold,
    json::Json,
    metering::charged::charged,
    missing::{Undone, found},
    moment::not_ahead,
    pool::Database,
    quota,
    set_aside::Kind,
    sql,
};
use pharos_vitals::crux::{
    FormFactor,
    figures::Figures,
    record::{Record, Subject},
    store::{CruxStore, Followed, Grain, LookedUp, Stored},
    target::{MOST_URLS, NewTarget},
};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

pub use self::collection::TARGETS;
pub(crate) use self::collection::backlog;
use self::row::{FollowedRow, FormFactorRow, PeriodRow, TargetRows, by_target};
use crate::schema::{crux_lookups, crux_targets};

/// Field data in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgCruxStore {
    database: Database,
    turns: Turns,
}

impl PgCruxStore {
    /// The field data of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self {
            database,
            turns: Turns::default(),
        }
    }

    async fn followed(&self, domain: DomainId, which: &Which<'_>) -> Result<Vec<TargetRows>, StoreError> {
        let (name, id, url) = match which {
            Which::Origin => ("origin", None, None),
            Which::Pages => ("pages", None, None),
            Which::Id(id) => ("id", Some(id.0), None),
            Which::Url(url) => ("url", None, Some(*url)),
        };
        let query = sql!("followed.sql")
            .bind::<SqlUuid, _>(domain.0)
            .bind::<Text, _>(name)
            .bind::<Nullable<SqlUuid>, _>(id)
            .bind::<Nullable<Text>, _>(url);
        let reader = self.database.reader().await?;
        let rows: Vec<FollowedRow> = query.load(&mut &*reader).await.map_err(failure)?;
        Ok(by_target(rows))
    }

    async fn one(&self, domain: DomainId, which: &Which<'_>) -> Result<Option<Followed>, StoreError> {
        let found = self.followed(domain, which).await?.pop();
        found.map(Followed::try_from).transpose()
    }
}

/// The followed targets of a domain that are requested.
enum Which<'a> {
    Origin,
    Pages,
    Id(CruxUrlId),
    Url(&'a str),
}

#[async_trait]
impl CruxStore for PgCruxStore {
    async fn origin(&self, domain: &DomainAccess) -> Result<Option<Followed>, StoreError> {
        self.one(domain.id(), &Which::Origin).await
    }

    async fn pages(&self, domain: &DomainAccess) -> Result<Vec<Followed>, StoreError> {
        let pages = self.followed(domain.id(), &Which::Pages).await?;
        Ok(self
            .database
            .readable(Kind::FieldData, pages, TargetRows::id)
            .await)
    }

    async fn page(&self, domain: &DomainAccess, id: CruxUrlId) -> Result<Option<Followed>, StoreError> {
        self.one(domain.id(), &Which::Id(id)).await
    }

    async fn page_of(&self, domain: &DomainAccess, url: &str) -> Result<Option<Followed>, StoreError> {
        self.one(domain.id(), &Which::Url(url)).await
    }

    async fn follow(
        &self,
        domain: &Charged<DomainAccess>,
        page: &NewTarget,
        now: OffsetDateTime,
    ) -> Result<Followed, ChangeError> {
        let workspace = domain.workspace().workspace().id;
        let id = charged(&self.database, domain.slip(), None, async move |connection| {
            follow(connection, domain.id(), workspace, page, now).await
        })
        .await?;
        let made = self.one(domain.id(), &Which::Id(id)).await?;
        made.ok_or_else(|| StoreError::Failed("a page that was followed is gone".into()).into())
    }

    async fn unfollow(
        &self,
        domain: &Charged<DomainAccess>,
        id: CruxUrlId,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError> {
        let workspace = domain.workspace().workspace().id;
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            let gone = diesel::delete(crux_targets::table.find(id.0))
                .filter(crux_targets::domain_id.eq(domain.id().0))
                .filter(crux_targets::url.is_not_null())
                .execute(connection)
                .await?;
            if gone == 0 {
                return Err(Abort::Port(Undone::Missing));
            }
            quota::give_back(connection, workspace, QuotaResource::TrackedUrlsCrux, 1, now).await?;
            Ok(())
        })
        .await;
        Ok(found::<_, SettleError>(done)?.is_some())
    }

    async fn periods(
        &self,
        followed: &Followed,
        form_factor: FormFactor,
        grain: Grain,
        most: u16,
    ) -> Result<Vec<Stored>, StoreError> {
        let target = followed.target.id;
        let reader = self.database.reader().await?;
        let query = sql!("periods.sql")
            .bind::<SqlUuid, _>(target.0)
            .bind::<Text, _>(form_factor.as_str())
            .bind::<Text, _>(grain.as_str())
            .bind::<BigInt, _>(i64::from(most));
        let rows: Vec<PeriodRow> = query.load(&mut &*reader).await.map_err(failure)?;
        Ok(readable(target, rows.into_iter().map(PeriodRow::read)))
    }

    async fn ended_on(
        &self,
        followed: &Followed,
        end: Date,
    ) -> Result<BTreeMap<FormFactor, Figures>, StoreError> {
        let target = followed.target.id;
        let reader = self.database.reader().await?;
        let query = sql!("ended_on.sql")
            .bind::<SqlUuid, _>(target.0)
            .bind::<SqlDate, _>(end);
        let rows: Vec<FormFactorRow> = query.load(&mut &*reader).await.map_err(failure)?;
        Ok(readable(target, rows.into_iter().map(FormFactorRow::read)))
    }

    async fn looked_up(&self, domain: &DomainAccess, run: RunId) -> Result<Option<Record>, StoreError> {
        let reader = self.database.reader().await?;
        let found: Option<Option<Json<Record>>> = crux_lookups::table
            .find(run.0)
            .filter(crux_lookups::domain_id.eq(domain.id().0))
            .select(crux_lookups::record)
            .first(&mut &*reader)
            .await
            .optional()
            .map_err(failure)?;
        found
            .flatten()
            .map(|record| record.read("the result of a lookup"))
            .transpose()
    }

    async fn last_looked_up(
        &self,
        domain: &DomainAccess,
        subject: &Subject,
        form_factor: FormFactor,
    ) -> Result<LookedUp, StoreError> {
        let mut connection = self.database.connection().await?;
        known::looked_up(&mut connection, domain.id(), subject, form_factor).await
    }
}

/// The figures of a target that this version can read: a newer node may have stored others.
fn readable<T, C: FromIterator<T>>(
    target: CruxUrlId,
    figures: impl Iterator<Item = Result<T, StoreError>>,
) -> C {
    let unread = |error: &StoreError| tracing::error!(%target, %error, "figures of a target can't be read");
    figures
        .filter_map(|figures| figures.inspect_err(unread).ok())
        .collect()
}

/// The domain is locked, so that no two requests both follow the last page that it may have.
async fn follow(
    connection: &mut AsyncPgConnection,
    domain: DomainId,
    workspace: WorkspaceId,
    page: &NewTarget,
    now: OffsetDateTime,
) -> Result<CruxUrlId, Abort<ChangeError>> {
    hold::domain(connection, domain).await?;
    let now = not_ahead(connection, now).await?;
    let same: Option<Uuid> = crux_targets::table
        .filter(crux_targets::domain_id.eq(domain.0))
        .filter(crux_targets::url.eq(&page.url))
        .select(crux_targets::id)
        .first(connection)
        .await
        .optional()?;
    if let Some(id) = same {
        return Ok(CruxUrlId(id));
    }
    let count: i64 = crux_targets::table
        .filter(crux_targets::domain_id.eq(domain.0))
        .filter(crux_targets::url.is_not_null())
        .count()
        .get_result(connection)
        .await?;
    if count >= MOST_URLS {
        let detail =
            format!("the domain follows {MOST_URLS} pages, as many as it may; follow one less first");
        return Err(Abort::Port(ChangeError::Faults(vec![SettingFault::new(
            "", detail,
        )])));
    }
    if let Err(full) = quota::take(connection, workspace, QuotaResource::TrackedUrlsCrux, 1, now).await? {
        return Err(Abort::Port(ChangeError::Quota(full)));
    }
    let id = CruxUrlId::generate();
    diesel::insert_into(crux_targets::table)
        .values((
            crux_targets::id.eq(id.0),
            crux_targets::domain_id.eq(domain.0),
            crux_targets::workspace_id.eq(workspace.0),
            crux_targets::url.eq(&page.url),
            crux_targets::label.eq(&page.label),
            crux_targets::status.eq("no_data"),
            crux_targets::next_collection_at.eq(now),
            crux_targets::created_at.eq(now),
        ))
        .execute(connection)
        .await?;
    Ok(id)
}
