//! Notifications, and who has read them.

mod row;

use async_trait::async_trait;
use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl, QueryableByName,
    sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    notification::{Notification, NotificationFilter, NotificationPage, ReadAll},
    store::{NotificationStore, Reach},
};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{DomainId, NotificationId, UserId},
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    metering::charged::charged,
    moment::to_micros,
    names,
    pool::Database,
    sql,
};
use time::OffsetDateTime;

use self::row::NotificationRow;
use crate::{
    missing::{Undone, found},
    reach::Asked,
    schema::notification_reads,
};

/// Notifications in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgNotificationStore {
    database: Database,
}

impl PgNotificationStore {
    /// The notifications of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    found: i64,
}

#[async_trait]
impl NotificationStore for PgNotificationStore {
    async fn list(
        &self,
        reach: Reach<'_>,
        filter: &NotificationFilter,
        reader: UserId,
        page: &PageRequest,
    ) -> Result<NotificationPage, StoreError> {
        let Asked { domain, workspaces } = reach.into();
        let (at, id) = page.after.map(|after| (after.key, after.id)).unzip();
        let kind = filter.kind.map(|kind| kind.as_str());
        let severity = filter.severity.map(|severity| severity.as_str());
        let module = filter.module.map(|module| module.as_str());
        let query = sql!("list.sql")
            .bind::<Nullable<SqlUuid>, _>(domain)
            .bind::<Array<SqlUuid>, _>(&workspaces)
            .bind::<Nullable<Text>, _>(kind)
            .bind::<Nullable<Text>, _>(severity)
            .bind::<Nullable<Text>, _>(module)
            .bind::<Nullable<Bool>, _>(filter.unread)
            .bind::<SqlUuid, _>(reader.0)
            .bind::<Nullable<Timestamptz>, _>(at)
            .bind::<Nullable<SqlUuid>, _>(id)
            .bind::<BigInt, _>(page.rows());
        let unread = sql!("unread.sql")
            .bind::<Nullable<SqlUuid>, _>(domain)
            .bind::<Array<SqlUuid>, _>(&workspaces)
            .bind::<Nullable<Text>, _>(kind)
            .bind::<Nullable<Text>, _>(severity)
            .bind::<Nullable<Text>, _>(module)
            .bind::<SqlUuid, _>(reader.0);
        let connection = self.database.reader().await?;
        let rows: Vec<NotificationRow> = query.load(&mut &*connection).await.map_err(failure)?;
        let unread_total = if filter.unread == Some(false) {
            0
        } else {
            let count: CountRow = unread.get_result(&mut &*connection).await.map_err(failure)?;
            names::count(count.found)?
        };
        let notifications = rows
            .into_iter()
            .map(Notification::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        let page = Page::cut(notifications, page, |notification| Position {
            key: notification.created_at,
            id: notification.id.0,
        });
        Ok(NotificationPage { page, unread_total })
    }

    async fn find(
        &self,
        domain: &DomainAccess,
        id: NotificationId,
    ) -> Result<Option<Notification>, StoreError> {
        let reader = domain.identity().user_id;
        let connection = self.database.reader().await?;
        let row = one(&connection, domain.id(), id, reader).await.map_err(failure)?;
        row.map(Notification::try_from).transpose()
    }

    async fn mark(
        &self,
        domain: &Charged<DomainAccess>,
        id: NotificationId,
        read: bool,
        now: OffsetDateTime,
    ) -> Result<Option<Notification>, SettleError> {
        let reader = domain.identity().user_id;
        let done = charged(&self.database, domain.slip(), None, async move |connection| {
            if one(connection, domain.id(), id, reader).await?.is_none() {
                return Err(Abort::Port(Undone::Missing));
            }
            if read {
                diesel::insert_into(notification_reads::table)
                    .values((
                        notification_reads::user_id.eq(reader.0),
                        notification_reads::notification_id.eq(id.0),
                        notification_reads::read_at.eq(to_micros(now)),
                    ))
                    .on_conflict_do_nothing()
                    .execute(connection)
                    .await?;
            } else {
                diesel::delete(notification_reads::table.find((reader.0, id.0)))
                    .execute(connection)
                    .await?;
            }
            let row = one(connection, domain.id(), id, reader).await?;
            let row = row.ok_or(Abort::Port(Undone::Missing))?;
            Notification::try_from(row).map_err(|error| Abort::Port(Undone::Other(SettleError::from(error))))
        })
        .await;
        found(done)
    }

    async fn mark_all(
        &self,
        domain: &Charged<DomainAccess>,
        choice: &ReadAll,
        now: OffsetDateTime,
    ) -> Result<u64, SettleError> {
        let now = to_micros(now);
        // A moment to come counts as now: nobody has read what is not there yet.
        let before = choice.before.map_or(now, |before| before.min(now));
        charged(&self.database, domain.slip(), None, async move |connection| {
            let query = sql!("mark_all.sql")
                .bind::<SqlUuid, _>(domain.id().0)
                .bind::<SqlUuid, _>(domain.identity().user_id.0)
                .bind::<Nullable<Text>, _>(choice.kind.map(|kind| kind.as_str()))
                .bind::<Timestamptz, _>(before)
                .bind::<Timestamptz, _>(now);
            let marked = query.execute(connection).await?;
            Ok(u64::try_from(marked).unwrap_or(u64::MAX))
        })
        .await
    }
}

async fn one(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    id: NotificationId,
    reader: UserId,
) -> diesel::QueryResult<Option<NotificationRow>> {
    let query = sql!("one.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(id.0)
        .bind::<SqlUuid, _>(reader.0);
    query.get_result(&mut connection).await.optional()
}
