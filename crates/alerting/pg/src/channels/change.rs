//! Changes of a channel.

use diesel::{ExpressionMethods, OptionalExtension, QueryDsl, SelectableHelper};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use pharos_alerting::delivery::channel::{Channel, ChannelChange, ChannelEdit, ChannelError, SecretChange};
use pharos_domain::ids::{ChannelId, DomainId, WorkspaceId};
use pharos_persistence::{failure::Abort, moment::to_micros, schema::domains, seal::RowKeys, sql};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::Uuid;

use super::{
    row::{ChannelRow, SettingsRow},
    secrets::{SealedRow, new_token},
};
use crate::schema::alert_channels;

/// The channel after the change, with the words of its row in the audit log.
pub(super) async fn apply(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    id: ChannelId,
    change: &ChannelChange,
    now: OffsetDateTime,
) -> Result<(ChannelRow, &'static str, Value), Abort<ChannelError>> {
    let channel = diesel::update(alert_channels::table.find(id.0));
    let updated = alert_channels::updated_at.eq(now);
    let (row, action, details) = match change {
        ChannelChange::SwitchOn => {
            let mended = sql!("mended.sql").bind::<diesel::sql_types::Uuid, _>(id.0);
            mended.execute(connection).await?;
            let set = (
                updated,
                alert_channels::off_reason.eq(None::<String>),
                alert_channels::failing_since.eq(None::<OffsetDateTime>),
                // It is told again should it fail for as long again.
                alert_channels::failure_told_at.eq(None::<OffsetDateTime>),
                // Whoever switches it on knows that its receiver works, however long that asked to be left alone.
                alert_channels::next_send_at.eq(None::<OffsetDateTime>),
            );
            let row = channel
                .set(set)
                .returning(ChannelRow::as_returning())
                .get_result(connection);
            (row.await, "channel.switch_on", Value::Null)
        }
        ChannelChange::SwitchOff(reason) => {
            let set = (updated, alert_channels::off_reason.eq(reason));
            let row = channel
                .set(set)
                .returning(ChannelRow::as_returning())
                .get_result(connection);
            (row.await, "channel.switch_off", json!({ "reason": reason }))
        }
        ChannelChange::Secret(change) => return secret_changed(connection, keys, id, *change, now).await,
        ChannelChange::Edit(edit) => return edited(connection, keys, id, edit, now).await,
    };
    let row = row
        .optional()?
        .ok_or(Abort::Port(ChannelError::NotFound("channel")))?;
    Ok((row, action, details))
}

/// The secret is read under the lock, so that of two who change it neither brings back what the other has ended.
async fn secret_changed(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    id: ChannelId,
    change: SecretChange,
    now: OffsetDateTime,
) -> Result<(ChannelRow, &'static str, Value), Abort<ChannelError>> {
    let before = locked(connection, keys, id).await?;
    let target = before.settings.secret_changed(change, now).map_err(Abort::Port)?;
    let sealed = SealedRow::new(keys, id, &target, &before.unsubscribe_token).map_err(Abort::port)?;
    let set = (
        sealed,
        alert_channels::updated_at.eq(now),
        alert_channels::next_send_at.eq(None::<OffsetDateTime>),
    );
    let row = diesel::update(alert_channels::table.find(id.0))
        .set(set)
        .returning(ChannelRow::as_returning())
        .get_result(connection)
        .await?;
    Ok((row, "channel.secret", json!({ "change": change })))
}

async fn edited(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    id: ChannelId,
    edit: &ChannelEdit,
    now: OffsetDateTime,
) -> Result<(ChannelRow, &'static str, Value), Abort<ChannelError>> {
    let ChannelEdit {
        seen,
        domain_id,
        settings,
    } = edit;
    let before = locked(connection, keys, id).await?;
    if before.updated_at != to_micros(*seen) {
        return Err(Abort::Port(ChannelError::Changed));
    }
    // A domain that was deleted since stays chosen, until people choose another.
    if before.domain_id != *domain_id {
        check_domain(connection, before.workspace_id, *domain_id).await?;
    }
    let leads_elsewhere = before.settings.target != settings.target;
    // The link in mails to the receiver before does not switch off another one.
    let token = if leads_elsewhere {
        new_token()
    } else {
        before.unsubscribe_token
    };
    let channel = diesel::update(alert_channels::table.find(id.0));
    let set = (
        SettingsRow::from(settings),
        SealedRow::new(keys, id, &settings.target, &token).map_err(Abort::port)?,
        alert_channels::domain_id.eq(domain_id.map(|domain| domain.0)),
        alert_channels::updated_at.eq(now),
    );
    let row = if leads_elsewhere {
        // Another receiver is not left alone because the one before failed.
        let set = (set, alert_channels::next_send_at.eq(None::<OffsetDateTime>));
        let row = channel.set(set).returning(ChannelRow::as_returning());
        row.get_result(connection).await?
    } else {
        let row = channel.set(set).returning(ChannelRow::as_returning());
        row.get_result(connection).await?
    };
    let details = json!({
        "domain_id": domain_id,
        "name": settings.name,
        "kind": settings.target.kind(),
        "min_severity": settings.min_severity,
        "modules": settings.modules,
        "quiet_hours": settings.quiet_hours,
    });
    Ok((row, "channel.edit", details))
}

/// The channel, which nobody else changes until the transaction ends.
async fn locked(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    id: ChannelId,
) -> Result<Channel, Abort<ChannelError>> {
    let row: Option<ChannelRow> = alert_channels::table
        .find(id.0)
        .for_no_key_update()
        .select(ChannelRow::as_select())
        .first(connection)
        .await
        .optional()?;
    let row = row.ok_or(Abort::Port(ChannelError::NotFound("channel")))?;
    Channel::try_from(row.with(keys)).map_err(Abort::port)
}

/// Whether a channel of the workspace may be about the domain.
pub(super) async fn check_domain(
    connection: &mut AsyncPgConnection,
    workspace: WorkspaceId,
    domain: Option<DomainId>,
) -> Result<(), Abort<ChannelError>> {
    let Some(domain) = domain else {
        return Ok(());
    };
    let found: Option<Uuid> = domains::table
        .find(domain.0)
        .filter(domains::workspace_id.eq(workspace.0))
        .filter(domains::deleted_at.is_null())
        .select(domains::id)
        .first(connection)
        .await
        .optional()?;
    found
        .map(|_| ())
        .ok_or(Abort::Port(ChannelError::NotFound("domain in the workspace")))
}
