//! The secrets of channels at rest: sealed, and apart from what is no secret of a target.

use std::sync::Arc;

use diesel::{
    ExpressionMethods, OptionalExtension, QueryDsl,
    prelude::{AsChangeset, Insertable},
};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use pharos_alerting::delivery::{kind::ChannelKind, target::Target};
use pharos_domain::{ids::ChannelId, secret::Secret, store::StoreError};
use pharos_persistence::{
    failure::{Abort, failure},
    json::Json,
    pool::Database,
    seal::{RowKeys, Seal, SealedColumn},
    set_aside::{Kind, SetAside, note_all},
};
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::schema::alert_channels;

/// The secrets of channels.
pub(crate) const SEALED: SealedColumn = SealedColumn {
    table: "alert_channels",
    column: "secrets",
};
/// The name of the column's content, for the error of one that can't be read.
const TARGET: &str = "the target of a channel";

/// The seal of channels.
pub(crate) fn seal() -> Arc<Seal> {
    Arc::new(Seal::of(SEALED))
}

/// A token for the link in mails, which nobody can guess.
pub(super) fn new_token() -> Secret {
    Secret::from(Uuid::new_v4().to_string())
}

/// The digest by which the channel of a token is found.
pub(super) fn token_digest(token: &str) -> Vec<u8> {
    digest(&SHA256, token.as_bytes()).as_ref().to_vec()
}

/// The part of a channel that is sealed.
#[derive(Serialize, Deserialize)]
struct Sealed {
    unsubscribe_token: Secret,
    /// The members of its target that are secret.
    target: Map<String, Value>,
}

/// The columns of a target and of the token, as they are written.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = alert_channels)]
// The token is sealed with the rest: its own column is null, and gets no default.
#[diesel(treat_none_as_null = true, treat_none_as_default_value = false)]
pub(super) struct SealedRow {
    target: Json<Map<String, Value>>,
    secrets: Vec<u8>,
    unsubscribe_digest: Vec<u8>,
    unsubscribe_token: Option<Uuid>,
}

impl SealedRow {
    pub(super) fn new(
        keys: &RowKeys,
        channel: ChannelId,
        target: &Target,
        unsubscribe_token: &Secret,
    ) -> Result<Self, StoreError> {
        let target = serde_json::to_value(target).map_err(|error| StoreError::Failed(Box::new(error)))?;
        let Value::Object(target) = target else {
            return Err(StoreError::Failed("a target is no object".into()));
        };
        Self::of(keys, channel, target, unsubscribe_token)
    }

    fn of(
        keys: &RowKeys,
        channel: ChannelId,
        target: Map<String, Value>,
        unsubscribe_token: &Secret,
    ) -> Result<Self, StoreError> {
        let (shown, secret) = split(target);
        let sealed = Sealed {
            unsubscribe_token: unsubscribe_token.clone(),
            target: secret,
        };
        Ok(Self {
            target: Json::of(shown),
            secrets: keys.close(channel.0, &sealed)?,
            unsubscribe_digest: token_digest(unsubscribe_token.reveal()),
            unsubscribe_token: None,
        })
    }
}

/// The members of a target that are no secret, and the others. Whatever its kind does not name as no secret is one, and so is
/// all of a kind that this version does not know.
fn split(target: Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    let kind = target.get("kind").and_then(Value::as_str);
    let kind: Option<ChannelKind> = kind.and_then(|kind| kind.parse().ok());
    let fields = kind.map(|kind| kind.spec().fields).unwrap_or_default();
    let is_shown = |name: &str| {
        let is_open_field = fields
            .iter()
            .any(|field| field.name == name && !field.is_secret());
        name == "kind" || is_open_field
    };
    target.into_iter().partition(|(name, _)| is_shown(name))
}

/// The target and the token of a row.
pub(super) fn opened(
    keys: &RowKeys,
    channel: ChannelId,
    target: Json<Map<String, Value>>,
    secrets: Option<&[u8]>,
    clear_token: Option<Uuid>,
) -> Result<(Target, Secret), StoreError> {
    let mut target = target.read(TARGET)?;
    let token = match secrets {
        Some(secrets) => {
            let sealed: Sealed = keys.open(channel.0, secrets)?;
            target.extend(sealed.target);
            sealed.unsubscribe_token
        }
        // An older version wrote it.
        None => in_the_clear(clear_token)?,
    };
    let target = serde_json::from_value(Value::Object(target))
        .map_err(|error| StoreError::Corrupt(format!("{TARGET}: {error}")))?;
    Ok((target, token))
}

fn in_the_clear(token: Option<Uuid>) -> Result<Secret, StoreError> {
    let token = token.map(|token| Secret::from(token.to_string()));
    token.ok_or_else(|| StoreError::Corrupt("a channel has no unsubscribe token".to_owned()))
}

/// Seals the secrets that older versions wrote in the clear. Where two nodes do so, one finds nothing left.
pub(crate) async fn seal_all(database: &Database) -> Result<(), StoreError> {
    let seal = seal();
    let keys = seal.keys(database).await?;
    let mut connection = database.connection().await?;
    let clear: Vec<Uuid> = alert_channels::table
        .filter(alert_channels::secrets.is_null())
        .select(alert_channels::id)
        .load(&mut connection)
        .await
        .map_err(failure)?;
    let mut unread = Vec::new();
    for id in clear {
        let sealed = connection
            .transaction::<_, Abort<StoreError>, _>(async |connection| {
                seal_one(connection, &keys, ChannelId(id)).await
            })
            .await
            .map_err(Abort::answer);
        match sealed {
            Err(why @ StoreError::Corrupt(_)) => unread.push(SetAside::unread(Kind::Channel, &id, &why)),
            sealed => sealed?,
        }
    }
    note_all(&mut connection, unread).await.map_err(failure)
}

/// The target and the token of a row that is not sealed.
type ClearRow = (Json<Map<String, Value>>, Option<Uuid>);

async fn seal_one(
    connection: &mut AsyncPgConnection,
    keys: &RowKeys,
    channel: ChannelId,
) -> Result<(), Abort<StoreError>> {
    let row: Option<ClearRow> = alert_channels::table
        .find(channel.0)
        .filter(alert_channels::secrets.is_null())
        .for_no_key_update()
        .select((alert_channels::target, alert_channels::unsubscribe_token))
        .first(connection)
        .await
        .optional()?;
    // Another node has sealed it, or it was deleted.
    let Some((target, token)) = row else {
        return Ok(());
    };
    let target = target.read(TARGET).map_err(Abort::Port)?;
    let token = in_the_clear(token).map_err(Abort::Port)?;
    let sealed = SealedRow::of(keys, channel, target, &token).map_err(Abort::Port)?;
    diesel::update(alert_channels::table.find(channel.0))
        .set(sealed)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_named_as_no_secret_stays_in_the_clear() {
        let splits = |target: Value, shown: &[&str], secret: &[&str]| {
            let parts = split(target.as_object().unwrap().clone());
            let names = |part: &Map<String, Value>| part.keys().cloned().collect::<BTreeSet<String>>();
            let expected = |names: &[&str]| {
                names
                    .iter()
                    .map(|name| (*name).to_owned())
                    .collect::<BTreeSet<String>>()
            };
            assert_eq!(
                (names(&parts.0), names(&parts.1)),
                (expected(shown), expected(secret)),
                "{target}"
            );
        };
        let email = json!({ "kind": "email", "to": "on-call@shop.example" });
        splits(email, &["kind", "to"], &[]);
        let webhook =
            json!({ "kind": "webhook", "url": "https://a.example/", "secret": "x", "previous": {} });
        splits(webhook, &["kind"], &["url", "secret", "previous"]);
        let telegram = json!({ "kind": "telegram", "bot_token": "1:x", "chat_id": "@shop" });
        splits(telegram, &["kind", "chat_id"], &["bot_token"]);
        let opsgenie = json!({ "kind": "opsgenie", "api_key": "x", "region": "eu" });
        splits(opsgenie, &["kind", "region"], &["api_key"]);
        let of_a_newer_version = json!({ "kind": "pigeon", "loft": "x" });
        splits(of_a_newer_version, &["kind"], &["loft"]);
    }
}
