//! Notifications, and who has read them.

mod row;

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryResult, QueryableByName,
    sql_types::{Array, BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_alerting::{
    notification::{
        MOST_COUNTED, Notification, NotificationFilter, NotificationPage, NotificationType, ReadAll,
    },
    severity::Severity,
    store::{NotificationStore, Reach},
};
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::{DomainAccess, WorkspaceAccess},
    ids::{DomainId, NotificationId, UserId},
    module::Module,
    page::{Page, PageRequest, Position},
    store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure, read_failure},
    metering::charged::charged,
    missing::{Undone, found},
    moment::{not_ahead, to_micros},
    names,
    pool::Database,
    set_aside::Kind,
    sql,
};
use time::{Duration, OffsetDateTime};

use self::row::NotificationRow;
use crate::reach::Asked;

/// How long after it was made a notification may come, at the latest: whoever makes one commits it long before that.
const LATEST: Duration = Duration::minutes(10);

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
        let of = match reach {
            Reach::Domain(domain) => domain.workspace().workspace().id.0,
            Reach::Workspaces([workspace]) => workspace.workspace().id.0,
            Reach::Workspaces(_) => reader.0,
        };
        // A filter that lets little through has all looked at that is unread, which may be much.
        let _share = self.database.long_read_share(of).await?;
        let connection = self.database.long_read().await?;
        let asked = Asking {
            asked: reach.into(),
            filter,
            reader,
        };
        let rows = asked.page(&connection, page).await.map_err(read_failure)?;
        let unread_total = names::count(asked.unread(&connection).await.map_err(read_failure)?)?;
        drop(connection);
        let page = Page::cut(rows, page, |row| Position {
            key: row.created_at,
            id: row.id,
        });
        let page = self
            .database
            .readable_page(Kind::Notification, page, |row| row.id)
            .await;
        Ok(NotificationPage { page, unread_total })
    }

    async fn unread_of_newest(
        &self,
        workspace: &WorkspaceAccess,
        reader: UserId,
        most: u32,
    ) -> Result<u64, StoreError> {
        let connection = self.database.reader().await?;
        let query = sql!("unread_of_newest.sql")
            .bind::<SqlUuid, _>(workspace.workspace().id.0)
            .bind::<SqlUuid, _>(reader.0)
            .bind::<Array<Text>, _>(kinds(None))
            .bind::<BigInt, _>(i64::from(most));
        let count: CountRow = query.get_result(&mut &*connection).await.map_err(failure)?;
        names::count(count.found)
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
            alone(connection, reader).await?;
            let query = sql!("mark.sql")
                .bind::<SqlUuid, _>(reader.0)
                .bind::<SqlUuid, _>(id.0)
                .bind::<Bool, _>(read)
                .bind::<Timestamptz, _>(to_micros(now));
            query.execute(connection).await?;
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
        let reader = domain.identity().user_id;
        charged(&self.database, domain.slip(), None, async move |connection| {
            alone(connection, reader).await?;
            let now = to_micros(not_ahead(connection, now).await?);
            // A moment to come counts as now: nobody has read what is not there yet.
            let before = choice.before.map_or(now, |before| before.min(now));
            let query = sql!("mark_all.sql")
                .bind::<SqlUuid, _>(domain.id().0)
                .bind::<SqlUuid, _>(reader.0)
                .bind::<Array<Text>, _>(kinds(choice.kind))
                .bind::<Timestamptz, _>(before)
                .bind::<Timestamptz, _>(now)
                .bind::<Timestamptz, _>(before.min(now - LATEST));
            let marked: CountRow = query.get_result(connection).await?;
            Ok(u64::try_from(marked.found).unwrap_or_default())
        })
        .await
    }

    async fn mark_of_workspace(
        &self,
        workspace: &Charged<WorkspaceAccess>,
        id: NotificationId,
        read: bool,
        now: OffsetDateTime,
    ) -> Result<bool, SettleError> {
        let (of, reader) = (workspace.workspace().id, workspace.identity().user_id);
        let done = charged(&self.database, workspace.slip(), None, async move |connection| {
            alone(connection, reader).await?;
            let query = sql!("mark_of_workspace.sql")
                .bind::<SqlUuid, _>(reader.0)
                .bind::<SqlUuid, _>(id.0)
                .bind::<SqlUuid, _>(of.0)
                .bind::<Bool, _>(read)
                .bind::<Timestamptz, _>(to_micros(now));
            match query.execute(connection).await? {
                0 => Err(Abort::Port(Undone::Missing)),
                _ => Ok(()),
            }
        })
        .await;
        found(done).map(|marked| marked.is_some())
    }

    async fn mark_all_of_workspace(
        &self,
        workspace: &Charged<WorkspaceAccess>,
        now: OffsetDateTime,
    ) -> Result<u64, SettleError> {
        let (of, reader) = (workspace.workspace().id, workspace.identity().user_id);
        charged(&self.database, workspace.slip(), None, async move |connection| {
            alone(connection, reader).await?;
            let query = sql!("mark_all_of_workspace.sql")
                .bind::<SqlUuid, _>(reader.0)
                .bind::<SqlUuid, _>(of.0)
                .bind::<Array<Text>, _>(kinds(None))
                .bind::<Timestamptz, _>(to_micros(now));
            Ok(u64::try_from(query.execute(connection).await?).unwrap_or_default())
        })
        .await
    }
}

/// A list, as its statements take it.
struct Asking<'a> {
    asked: Asked,
    filter: &'a NotificationFilter,
    reader: UserId,
}

impl Asking<'_> {
    async fn page(
        &self,
        mut connection: &AsyncPgConnection,
        page: &PageRequest,
    ) -> QueryResult<Vec<NotificationRow>> {
        let Self {
            asked: Asked { domain, workspaces },
            filter,
            reader,
        } = self;
        let (at, id) = page.after.map(|after| (after.key, after.id)).unzip();
        let severity = filter.severity.map(Severity::as_str);
        let module = filter.module.map(Module::as_str);
        let Some(unread) = filter.unread else {
            let query = sql!("list.sql")
                .bind::<Nullable<SqlUuid>, _>(domain)
                .bind::<Array<SqlUuid>, _>(workspaces)
                .bind::<Array<Text>, _>(kinds(filter.kind))
                .bind::<Nullable<Text>, _>(severity)
                .bind::<Nullable<Text>, _>(module)
                .bind::<SqlUuid, _>(reader.0)
                .bind::<Nullable<Timestamptz>, _>(at)
                .bind::<Nullable<SqlUuid>, _>(id)
                .bind::<BigInt, _>(page.rows());
            return query.load(&mut connection).await;
        };
        let query = sql!("by_state.sql")
            .bind::<Nullable<SqlUuid>, _>(domain)
            .bind::<Array<SqlUuid>, _>(workspaces)
            .bind::<Array<Text>, _>(kinds(filter.kind))
            .bind::<Nullable<Text>, _>(severity)
            .bind::<Nullable<Text>, _>(module)
            .bind::<SqlUuid, _>(reader.0)
            .bind::<Nullable<Timestamptz>, _>(at)
            .bind::<Nullable<SqlUuid>, _>(id)
            .bind::<Bool, _>(unread)
            .bind::<BigInt, _>(page.rows());
        query.load(&mut connection).await
    }

    /// How many are unread of those that the filter lets through, whatever it says of what was read, up to [`MOST_COUNTED`].
    async fn unread(&self, mut connection: &AsyncPgConnection) -> QueryResult<i64> {
        let Self {
            asked: Asked { domain, workspaces },
            filter,
            reader,
        } = self;
        let query = sql!("unread.sql")
            .bind::<Nullable<SqlUuid>, _>(domain)
            .bind::<Array<SqlUuid>, _>(workspaces)
            .bind::<Array<Text>, _>(kinds(filter.kind))
            .bind::<Nullable<Text>, _>(filter.severity.map(Severity::as_str))
            .bind::<Nullable<Text>, _>(filter.module.map(Module::as_str))
            .bind::<SqlUuid, _>(reader.0)
            .bind::<BigInt, _>(i64::from(MOST_COUNTED));
        let count: CountRow = query.get_result(&mut connection).await?;
        Ok(count.found)
    }
}

/// The kinds that are requested; `None`: all.
pub(crate) fn kinds(kind: Option<NotificationType>) -> Vec<&'static str> {
    let kinds = kind.as_ref().map_or(NotificationType::ALL, std::slice::from_ref);
    kinds.iter().map(|kind| kind.as_str()).collect()
}

/// Waits until no other request marks what this reader has read, so that each counts what it alone has marked.
async fn alone(connection: &mut AsyncPgConnection, reader: UserId) -> QueryResult<()> {
    let query = sql!(text "SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE").bind::<SqlUuid, _>(reader.0);
    query.execute(connection).await.map(|_| ())
}

async fn one(
    mut connection: &AsyncPgConnection,
    domain: DomainId,
    id: NotificationId,
    reader: UserId,
) -> QueryResult<Option<NotificationRow>> {
    let query = sql!("one.sql")
        .bind::<SqlUuid, _>(domain.0)
        .bind::<SqlUuid, _>(id.0)
        .bind::<SqlUuid, _>(reader.0);
    query.get_result(&mut connection).await.optional()
}
