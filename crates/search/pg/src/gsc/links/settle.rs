//! Storing how imports ended, and telling people when no data come in any more.

use async_trait::async_trait;
use diesel::{
    OptionalExtension, QueryDsl,
    result::Error,
    sql_types::{Bool, Date as SqlDate, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_domain::{
    ids::WorkspaceId, module::Module, notice::NewNotice, notification_type::NotificationType,
    severity::Severity, store::StoreError,
};
use pharos_persistence::{
    failure::{Abort, failure},
    moment::not_ahead,
    notices,
    pool::Database,
    set_aside::{self, Batch, Kind, SetAside},
    sql,
    text::{beginning, without_nul},
};
use pharos_search::gsc::{link::Synced, property::PropertyStatus};
use serde_json::json;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::schema::search_properties;

/// The longest reason of a failure that is kept, in bytes.
const LONGEST_FAILURE: usize = 1_000;

/// Ends of imports, on their way into the tables.
pub(super) struct Ended<'a>(pub(super) &'a Database);

#[async_trait]
impl Batch<Synced> for Ended<'_> {
    type Said = ();
    type Error = StoreError;

    async fn write(&mut self, synced: &[Synced]) -> Result<Vec<()>, StoreError> {
        let mut connection = self.0.claiming().await?;
        connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                for synced in synced {
                    settle(connection, synced).await?;
                }
                Ok(Vec::new())
            })
            .await
            .map_err(Abort::answer)
    }

    async fn set_aside(&mut self, synced: &Synced, why: StoreError) -> Result<Vec<()>, StoreError> {
        let domain = synced.domain.0;
        let note = SetAside::unstored(Kind::SearchImport, &domain, &why, synced);
        let mut connection = self.0.claiming().await?;
        connection
            .transaction::<_, Error, _>(async |connection| {
                let query = sql!("put_off.sql")
                    .bind::<SqlUuid, _>(domain)
                    .bind::<Nullable<Timestamptz>, _>(synced.next.map(|next| next.leased_until));
                query.execute(connection).await?;
                set_aside::note_all(connection, [note]).await
            })
            .await
            .map_err(failure)?;
        Ok(Vec::new())
    }
}

/// A link as it is known, under a lock.
type Known = (
    Option<OffsetDateTime>,
    String,
    Uuid,
    String,
    OffsetDateTime,
    Option<Date>,
);

async fn settle(connection: &mut AsyncPgConnection, synced: &Synced) -> Result<(), Abort<StoreError>> {
    let known: Option<Known> = search_properties::table
        .find(synced.domain.0)
        .for_update()
        .select((
            search_properties::leased_until,
            search_properties::status,
            search_properties::workspace_id,
            search_properties::site_url,
            search_properties::linked_at,
            search_properties::data_through,
        ))
        .first(connection)
        .await
        .optional()?;
    let Some((leased_until, before, workspace, site_url, linked_at, through_before)) = known else {
        return Ok(());
    };
    // It was linked to another property meanwhile, or anew.
    if (&site_url, linked_at) != (&synced.site_url, synced.linked_at) {
        return Ok(());
    }
    // Another node has it by now.
    if synced
        .next
        .is_some_and(|next| leased_until != Some(next.leased_until))
    {
        return Ok(());
    }
    let at = not_ahead(connection, synced.at).await?;
    let marks = synced.marks.unwrap_or_default();
    let failure = synced.failure.clone().map(without_nul);
    let failure = failure.map(|failure| beginning(failure, LONGEST_FAILURE));
    let query = sql!("settle.sql")
        .bind::<SqlUuid, _>(synced.domain.0)
        .bind::<Text, _>(synced.status.as_str())
        .bind::<Nullable<Text>, _>(synced.outcome.map(|outcome| outcome.as_str()))
        .bind::<Timestamptz, _>(at)
        .bind::<Bool, _>(synced.marks.is_some())
        .bind::<Nullable<SqlDate>, _>(marks.data_through)
        .bind::<Nullable<SqlDate>, _>(marks.provisional_through)
        .bind::<Nullable<SqlDate>, _>(marks.first_incomplete_date)
        .bind::<Nullable<Timestamptz>, _>(marks.first_incomplete_hour)
        .bind::<Nullable<Text>, _>(failure)
        .bind::<Nullable<Timestamptz>, _>(synced.next.map(|next| next.at))
        .bind::<Nullable<Timestamptz>, _>(synced.next.map(|next| next.newest_at))
        .bind::<Nullable<Integer>, _>(
            synced
                .next
                .map(|next| i32::try_from(next.failures).unwrap_or(i32::MAX)),
        );
    query.execute(connection).await?;
    if through_before.is_none() && marks.data_through.is_some() {
        // URLs that were gathered so far include no page of the search, so they are gathered anew.
        let query = sql!(text "UPDATE indexing_sites
            SET gathered_at = NULL, next_round_at = least(next_round_at, now())
            WHERE domain_id = $1")
        .bind::<SqlUuid, _>(synced.domain.0);
        query.execute(connection).await?;
    }
    let is_lost = matches!(
        synced.status,
        PropertyStatus::ReauthorizationRequired | PropertyStatus::PermissionLost
    );
    if is_lost && before != synced.status.as_str() {
        notices::tell(connection, &lost(synced, WorkspaceId(workspace), &site_url, at)).await?;
    }
    Ok(())
}

/// The notice that no data come in any more.
fn lost(synced: &Synced, workspace: WorkspaceId, site_url: &str, at: OffsetDateTime) -> NewNotice {
    let (title, what) = match synced.status {
        PropertyStatus::PermissionLost => (
            "Search Console: the account may not read the property any more",
            "Have an owner of the property give the account access again, or link another account.",
        ),
        _ => (
            "Search Console has to be linked again",
            "The consent of the linked account was revoked or has expired, or its key was deleted. Link it again.",
        ),
    };
    NewNotice {
        workspace,
        domain: Some(synced.domain),
        kind: NotificationType::ModuleDisconnected,
        severity: Severity::Warning,
        module: Some(Module::Gsc),
        title: title.to_owned(),
        body: format!("No search data of {site_url} come in. {what}"),
        data: json!({ "site_url": site_url, "status": synced.status }),
        resource_path: Some(format!("/domains/{}/gsc/property", synced.domain)),
        at,
    }
}
