//! Announcements.

use async_trait::async_trait;
use diesel::sql_types::{Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, RunQueryDsl};
use pharos_alerting::announcement::{Announcement, AnnouncementError, Announcer};
use pharos_domain::{audit::Actor, ids::WorkspaceId};
use pharos_persistence::{
    audit::{self, By},
    failure::Abort,
    moment::to_micros,
    pool::Database,
    sql,
};
use serde_json::json;
use time::OffsetDateTime;

/// Announcements in PostgreSQL.
#[derive(Clone, Debug)]
pub struct PgAnnouncer {
    database: Database,
}

impl PgAnnouncer {
    /// Announcements to the workspaces of `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }
}

#[async_trait]
impl Announcer for PgAnnouncer {
    async fn announce(
        &self,
        workspace: Option<WorkspaceId>,
        announcement: &Announcement,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<u64, AnnouncementError> {
        let now = to_micros(now);
        let Announcement {
            title,
            body,
            severity,
        } = announcement;
        let mut connection = self.database.connection().await?;
        connection
            .transaction::<_, Abort<AnnouncementError>, _>(async |connection| {
                let tell = sql!("announce.sql")
                    .bind::<Nullable<SqlUuid>, _>(workspace.map(|workspace| workspace.0))
                    .bind::<Text, _>(severity.as_str())
                    .bind::<Text, _>(title)
                    .bind::<Text, _>(body)
                    .bind::<Timestamptz, _>(now);
                let told = tell.execute(connection).await?;
                if told == 0 && workspace.is_some() {
                    return Err(Abort::Port(AnnouncementError::NoWorkspace));
                }
                let subject = workspace.map_or_else(|| "all workspaces".to_owned(), |id| id.to_string());
                let details = json!({
                    "title": title,
                    "body": body,
                    "severity": severity,
                    "workspaces": told,
                });
                audit::record(
                    connection,
                    By { actor, now },
                    "announcement.send",
                    subject,
                    details,
                )
                .await?;
                Ok(u64::try_from(told).unwrap_or(u64::MAX))
            })
            .await
            .map_err(Abort::answer)
    }
}
