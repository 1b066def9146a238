//! The row of a channel.

use diesel::{
    pg::Pg,
    prelude::{AsChangeset, Insertable, Queryable, Selectable},
};
use pharos_alerting::delivery::{
    channel::{Channel, ChannelSettings, NewChannel},
    target::Target,
};
use pharos_domain::{
    ids::{ChannelId, DomainId, WorkspaceId},
    secret::Secret,
    store::StoreError,
};
use pharos_persistence::{json::Json, names};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::alert_channels;

#[derive(Queryable, Selectable)]
#[diesel(table_name = alert_channels)]
#[diesel(check_for_backend(Pg))]
pub(crate) struct ChannelRow {
    pub(crate) id: Uuid,
    workspace_id: Uuid,
    domain_id: Option<Uuid>,
    name: String,
    target: Json<Target>,
    min_severity: String,
    modules: Option<Vec<String>>,
    quiet_hours: Option<String>,
    off_reason: Option<String>,
    failing_since: Option<OffsetDateTime>,
    unsubscribe_token: Uuid,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

impl TryFrom<ChannelRow> for Channel {
    type Error = StoreError;

    fn try_from(row: ChannelRow) -> Result<Self, StoreError> {
        let quiet_hours = row.quiet_hours.map(|hours| hours.parse()).transpose();
        Ok(Self {
            id: ChannelId(row.id),
            workspace_id: WorkspaceId(row.workspace_id),
            domain_id: row.domain_id.map(DomainId),
            settings: ChannelSettings {
                name: row.name,
                target: row.target.read("the target of a channel")?,
                min_severity: row.min_severity.parse()?,
                modules: names::all(&row.modules.unwrap_or_default())?,
                quiet_hours: quiet_hours
                    .map_err(|fault| StoreError::Corrupt(format!("the quiet hours of a channel: {fault}")))?,
            },
            unsubscribe_token: Secret::from(row.unsubscribe_token.to_string()),
            off_reason: row.off_reason,
            failing_since: row.failing_since,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

/// The settings of a channel, as they are written.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = alert_channels)]
// A setting that is no longer there is null.
#[diesel(treat_none_as_null = true)]
pub(super) struct SettingsRow {
    name: String,
    target: Json<Target>,
    min_severity: &'static str,
    modules: Option<Vec<&'static str>>,
    quiet_hours: Option<String>,
}

impl From<&ChannelSettings> for SettingsRow {
    fn from(settings: &ChannelSettings) -> Self {
        let ChannelSettings {
            name,
            target,
            min_severity,
            modules,
            quiet_hours,
        } = settings;
        Self {
            name: name.clone(),
            target: Json::of(target.clone()),
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
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

impl NewChannelRow {
    pub(super) fn new(channel: &NewChannel, now: OffsetDateTime) -> Self {
        let NewChannel {
            workspace_id,
            domain_id,
            settings,
        } = channel;
        Self {
            id: ChannelId::generate().0,
            workspace_id: workspace_id.0,
            domain_id: domain_id.map(|domain| domain.0),
            settings: settings.into(),
            created_at: now,
            updated_at: now,
        }
    }
}
