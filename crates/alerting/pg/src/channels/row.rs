//! The row of a channel.

use diesel::{
    pg::Pg,
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
};
use pharos_alerting::delivery::channel::{Channel, ChannelSettings, NewChannel};
use pharos_domain::{
    ids::{ChannelId, DomainId, WorkspaceId},
    store::StoreError,
};
use pharos_persistence::{json::Json, names, seal::RowKeys};
use serde_json::{Map, Value};
use time::OffsetDateTime;
use uuid::Uuid;

use super::secrets::{SealedRow, new_token, opened};
use crate::schema::alert_channels;

#[derive(Queryable, Selectable)]
#[diesel(table_name = alert_channels)]
#[diesel(check_for_backend(Pg))]
pub(crate) struct ChannelRow {
    pub(crate) id: Uuid,
    workspace_id: Uuid,
    domain_id: Option<Uuid>,
    name: String,
    target: Json<Map<String, Value>>,
    min_severity: String,
    modules: Option<Vec<String>>,
    quiet_hours: Option<String>,
    off_reason: Option<String>,
    failing_since: Option<OffsetDateTime>,
    unsubscribe_token: Option<Uuid>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    secrets: Option<Vec<u8>>,
}

impl ChannelRow {
    /// The row with the keys that open its secrets.
    pub(crate) fn with(self, keys: &RowKeys) -> SealedChannel<'_> {
        SealedChannel { row: self, keys }
    }
}

/// A row with the keys that open its secrets.
pub(crate) struct SealedChannel<'a> {
    row: ChannelRow,
    keys: &'a RowKeys,
}

impl SealedChannel<'_> {
    pub(super) fn id(&self) -> Uuid {
        self.row.id
    }
}

impl TryFrom<SealedChannel<'_>> for Channel {
    type Error = StoreError;

    fn try_from(sealed: SealedChannel<'_>) -> Result<Self, StoreError> {
        let SealedChannel { row, keys } = sealed;
        let id = ChannelId(row.id);
        let (target, unsubscribe_token) = opened(
            keys,
            id,
            row.target,
            row.secrets.as_deref(),
            row.unsubscribe_token,
        )?;
        let quiet_hours = row.quiet_hours.map(|hours| hours.parse()).transpose();
        Ok(Self {
            id,
            workspace_id: WorkspaceId(row.workspace_id),
            domain_id: row.domain_id.map(DomainId),
            settings: ChannelSettings {
                name: row.name,
                target,
                min_severity: row.min_severity.parse()?,
                modules: names::all(&row.modules.unwrap_or_default())?,
                quiet_hours: quiet_hours
                    .map_err(|fault| StoreError::Corrupt(format!("the quiet hours of a channel: {fault}")))?,
            },
            unsubscribe_token,
            off_reason: row.off_reason,
            failing_since: row.failing_since,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// The settings of a channel but its target, as they are written.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = alert_channels)]
// A setting that is no longer there is null.
#[diesel(treat_none_as_null = true)]
pub(super) struct SettingsRow {
    name: String,
    min_severity: &'static str,
    modules: Option<Vec<&'static str>>,
    quiet_hours: Option<String>,
}

impl From<&ChannelSettings> for SettingsRow {
    fn from(settings: &ChannelSettings) -> Self {
        let ChannelSettings {
            name,
            target: _,
            min_severity,
            modules,
            quiet_hours,
        } = settings;
        Self {
            name: name.clone(),
            min_severity: min_severity.as_str(),
            modules: (!modules.is_empty()).then(|| modules.iter().map(|module| module.as_str()).collect()),
            quiet_hours: quiet_hours.as_ref().map(ToString::to_string),
        }
    }
}

#[derive(Insertable)]
#[diesel(table_name = alert_channels)]
pub(super) struct NewChannelRow {
    id: Uuid,
    workspace_id: Uuid,
    domain_id: Option<Uuid>,
    #[diesel(embed)]
    settings: SettingsRow,
    #[diesel(embed)]
    sealed: SealedRow,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

impl NewChannelRow {
    pub(super) fn new(channel: &NewChannel, keys: &RowKeys, now: OffsetDateTime) -> Result<Self, StoreError> {
        let NewChannel {
            workspace_id,
            domain_id,
            settings,
        } = channel;
        let id = ChannelId::generate();
        Ok(Self {
            id: id.0,
            workspace_id: workspace_id.0,
            domain_id: domain_id.map(|domain| domain.0),
            settings: settings.into(),
            sealed: SealedRow::new(keys, id, &settings.target, &new_token())?,
            created_at: now,
            updated_at: now,
        })
    }
}
