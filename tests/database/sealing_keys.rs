//! The keys that seal secrets in rows, and their rotation. A node is what has ports of its own: those hold the keys for a minute.

use std::sync::Arc;

use pharos_alerting::{
    delivery::{
        channel::{Channel, ChannelSettings, ChannelStore, NewChannel},
        target::Target,
    },
    severity::Severity,
};
use pharos_domain::{
    ids::{ChannelId, SearchAccountId, WorkspaceId},
    sealing_keys::{SealingKeyDetails, SealingKeyState, SealingKeyStore},
    secret::Secret,
};
use pharos_persistence::seal::{Seal, SealedColumn};
use pharos_search::{
    google::account::Credentials,
    gsc::accounts::{AccountStore, NewAccount},
};
use pharos_tests::stores::Stores;
use serde_json::{Value, json};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::harness::{Fixture, NOW, actor, after};

/// When a key that was added at [`NOW`] begins to seal, in seconds.
const TAKES_OVER: i64 = 300;
/// When the keys before it may go.
const OVER: i64 = TAKES_OVER + 86_400;
/// The first byte of what the first key has sealed, and of what later ones have.
const BY_THE_FIRST: i32 = 1;
const BY_A_LATER: i32 = 2;

/// A node that has read no keys yet.
struct Node {
    channels: Arc<dyn ChannelStore>,
    accounts: Arc<dyn AccountStore>,
    keys: Arc<dyn SealingKeyStore>,
}

impl Node {
    fn of(fixture: &Fixture) -> Self {
        let stores = Stores::new(&fixture.database);
        Self {
            channels: stores.ports.get().unwrap(),
            accounts: stores.ports.get().unwrap(),
            keys: stores.ports.get().unwrap(),
        }
    }

    async fn channel(&self, workspace_id: WorkspaceId) -> Channel {
        let target = json!({ "kind": "slack", "url": "https://hooks.example/in_path" });
        let target: Target = serde_json::from_value(target).unwrap();
        let new = NewChannel {
            workspace_id,
            domain_id: None,
            settings: ChannelSettings {
                name: "On call".to_owned(),
                target,
                min_severity: Severity::Info,
                modules: Vec::new(),
                quiet_hours: None,
            },
        };
        self.channels.create(&new, &actor(), NOW).await.unwrap()
    }

    async fn account(&self, workspace: WorkspaceId) -> SearchAccountId {
        let new = NewAccount {
            workspace,
            label: "ada@shop.example".to_owned(),
            credentials: credentials(),
            created_by: None,
        };
        self.accounts.add(&new, &actor(), NOW).await.unwrap()
    }

    /// Whether it opens the secrets of the channel.
    async fn opens(&self, channel: &Channel) -> bool {
        let secrets =
            |channel: &Channel| (channel.settings.target.clone(), channel.unsubscribe_token.clone());
        match self.channels.find(channel.id).await {
            Ok(Some(found)) => secrets(&found) == secrets(channel),
            Ok(None) | Err(_) => false,
        }
    }

    /// The keys of channels: the place of each, and how many rows it has sealed.
    async fn listed(&self) -> Vec<(SealingKeyState, u64)> {
        let keys = self.keys.list().await.unwrap();
        let of_channels = keys.iter().filter(|key| key.table == "alert_channels");
        of_channels.map(|key| (key.state, key.rows)).collect()
    }
}

fn credentials() -> Credentials {
    Credentials::Oauth {
        refresh_token: Secret::from("the-refresh-token".to_owned()),
    }
}

/// The form of what is sealed of the channel: the first byte.
async fn form(fixture: &Fixture, channel: ChannelId) -> i32 {
    let form = "SELECT get_byte(secrets, 0) FROM alert_channels WHERE id = $1";
    fixture.value(form, &[&channel.0]).await
}

async fn count(fixture: &Fixture, of: &str) -> i64 {
    fixture.value(&format!("SELECT count(*) FROM {of}"), &[]).await
}

#[tokio::test]
async fn a_new_key_takes_over_once_every_node_knows_it_and_what_older_ones_sealed_is_sealed_anew() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let before = Node::of(&fixture);
    let first = before.channel(home.workspace).await;
    let account = before.account(home.workspace).await;
    assert_eq!(before.listed().await, [(SealingKeyState::Sealing, 1)]);

    let made = Node::of(&fixture).keys.rotate(&actor(), NOW).await.unwrap();
    let tables: Vec<&str> = made.iter().map(|key| key.table).collect();
    assert_eq!(tables.len(), 2, "{tables:?}");
    for table in ["alert_channels", "search_accounts"] {
        assert!(tables.contains(&table), "{tables:?}");
    }
    for SealingKeyDetails {
        seals_from, state, ..
    } in &made
    {
        assert_eq!(
            (*seals_from, *state),
            (Some(after(TAKES_OVER)), SealingKeyState::Next)
        );
    }

    // A node that has not read the new key, and one that has: both seal by the one before, so each opens what the other has sealed.
    let since = Node::of(&fixture);
    let second = since.channel(home.workspace).await;
    let third = before.channel(home.workspace).await;
    fixture.it_is(after(TAKES_OVER - 1)).await;
    let fourth = Node::of(&fixture).channel(home.workspace).await;
    for channel in [&first, &second, &third, &fourth] {
        assert_eq!(form(&fixture, channel.id).await, BY_THE_FIRST);
        assert!(before.opens(channel).await && since.opens(channel).await);
    }

    // It takes over; a node that has read it before opens what it seals without reading the keys again.
    fixture.it_is(after(TAKES_OVER)).await;
    let later = Node::of(&fixture);
    let fifth = later.channel(home.workspace).await;
    assert_eq!(form(&fixture, fifth.id).await, BY_A_LATER);
    assert!(since.opens(&fifth).await);
    assert_eq!(
        later.listed().await,
        [(SealingKeyState::Older, 4), (SealingKeyState::Sealing, 1)]
    );

    let (one, other) = tokio::join!(fixture.database.maintain(NOW), fixture.database.maintain(NOW));
    assert!(one.is_ok() || other.is_ok(), "{one:?} {other:?}");
    for channel in [&first, &second, &third, &fourth, &fifth] {
        assert_eq!(form(&fixture, channel.id).await, BY_A_LATER);
        assert!(since.opens(channel).await && later.opens(channel).await);
    }
    let found = later.accounts.find(account).await.unwrap().unwrap();
    assert_eq!(found.credentials, credentials());
    assert_eq!(
        later.listed().await,
        [(SealingKeyState::Older, 0), (SealingKeyState::Sealing, 5)]
    );
    let sealed = "SELECT string_agg(encode(secrets, 'hex'), ' ' ORDER BY id) FROM alert_channels";
    let is: String = fixture.value(sealed, &[]).await;
    fixture.database.maintain(NOW).await.unwrap();
    let still: String = fixture.value(sealed, &[]).await;
    assert_eq!(still, is, "what the newest key has sealed stays as it is");

    // The key before goes by itself, a day after that, and no node makes it again.
    fixture.it_is(after(OVER - 1)).await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(later.listed().await.len(), 2);
    fixture.it_is(after(OVER)).await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(later.listed().await, [(SealingKeyState::Sealing, 5)]);
    let dropped = Node::of(&fixture);
    assert!(dropped.opens(&first).await);
    assert_eq!(
        dropped.accounts.find(account).await.unwrap().unwrap().credentials,
        credentials()
    );
    let sixth = dropped.channel(home.workspace).await;
    assert_eq!(form(&fixture, sixth.id).await, BY_A_LATER);
    let firsts = "shared_secrets WHERE name IN ('alert_channels', 'search_accounts')";
    assert_eq!(count(&fixture, firsts).await, 0);
    for (action, who) in [("sealing_key.rotate", "cli:ada"), ("sealing_key.drop", "system")] {
        let rows = format!("audit_log WHERE action = '{action}' AND actor = '{who}'");
        assert_eq!(count(&fixture, &rows).await, 2, "{action}");
    }
}

/// Rows that no key opens are many and come first: the others are sealed anew all the same, and the key that has sealed them stays.
#[tokio::test]
async fn rows_that_cannot_be_opened_keep_their_key_and_no_other_from_being_sealed_anew() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let node = Node::of(&fixture);
    let broken = "INSERT INTO alert_channels (
            id, workspace_id, name, target, min_severity, created_at, updated_at, secrets, unsubscribe_digest, unsubscribe_token
        )
        SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid, 'Broken', '{\"kind\": \"slack\"}'::jsonb,
            'info', now(), now(), '\\x01ff'::bytea, sha256(n::text::bytea), NULL
        FROM generate_series(1, 501) AS n";
    fixture.sql.execute(broken, &[&home.workspace.0]).await.unwrap();
    // The workspace has more than it may have channels.
    let other = fixture.home("bob").await;
    let channel = node.channel(other.workspace).await;
    node.keys.rotate(&actor(), NOW).await.unwrap();
    fixture.it_is(after(OVER)).await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(form(&fixture, channel.id).await, BY_A_LATER);
    assert_eq!(
        node.listed().await,
        [(SealingKeyState::Older, 501), (SealingKeyState::Sealing, 1)]
    );

    let delete = "DELETE FROM alert_channels WHERE name = 'Broken'";
    fixture.sql.execute(delete, &[]).await.unwrap();
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(node.listed().await, [(SealingKeyState::Sealing, 1)]);
}

/// A node that ends between two parts leaves what it has sealed anew, and the next goes on.
#[tokio::test]
async fn a_part_that_fails_takes_nothing_of_the_others_back() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let node = Node::of(&fixture);
    let column = SealedColumn {
        table: "alert_channels",
        column: "secrets",
    };
    let keys = Seal::of(column).keys(&fixture.database).await.unwrap();
    let ids: Vec<Uuid> = (1..=501).map(Uuid::from_u128).collect();
    let sealed: Vec<Vec<u8>> = ids
        .iter()
        .map(|id| keys.close(*id, &json!({ "id": id })).unwrap())
        .collect();
    let insert = "INSERT INTO alert_channels (
            id, workspace_id, name, target, min_severity, created_at, updated_at, secrets, unsubscribe_digest, unsubscribe_token
        )
        SELECT s.id, $1::uuid, 'Many', '{\"kind\": \"slack\"}'::jsonb, 'info', now(), now(), s.secrets, sha256(s.secrets), NULL
        FROM unnest($2::uuid[], $3::bytea[]) AS s (id, secrets)";
    let binds: [&(dyn ToSql + Sync); 3] = [&home.workspace.0, &ids, &sealed];
    fixture.sql.execute(insert, &binds).await.unwrap();
    node.keys.rotate(&actor(), NOW).await.unwrap();
    fixture.it_is(after(TAKES_OVER)).await;

    let refuse = format!(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no more'; END $$;
         CREATE TRIGGER refuse BEFORE UPDATE ON alert_channels FOR EACH ROW WHEN (NEW.id = '{}') EXECUTE FUNCTION refuse()",
        ids[500]
    );
    fixture.sql.batch_execute(&refuse).await.unwrap();
    fixture.database.maintain(NOW).await.unwrap_err();
    let failing = fixture.database.failing_upkeep().await.unwrap();
    let steps: Vec<&str> = failing.iter().map(|failing| failing.step.as_str()).collect();
    assert_eq!(steps, ["secrets of older keys"]);
    assert_eq!(
        node.listed().await,
        [(SealingKeyState::Older, 1), (SealingKeyState::Sealing, 500)]
    );

    let allow = "DROP TRIGGER refuse ON alert_channels; DROP FUNCTION refuse()";
    fixture.sql.batch_execute(allow).await.unwrap();
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(
        node.listed().await,
        [(SealingKeyState::Older, 0), (SealingKeyState::Sealing, 501)]
    );
    let keys = Seal::of(column).keys(&fixture.database).await.unwrap();
    let rows = fixture
        .sql
        .query("SELECT id, secrets FROM alert_channels", &[])
        .await
        .unwrap();
    for row in rows {
        let (id, secrets): (Uuid, Vec<u8>) = (row.get(0), row.get(1));
        let opened: Value = keys.open(id, &secrets).unwrap();
        assert_eq!(opened, json!({ "id": id }));
    }
}

/// Upkeep neither waits for somebody who is changing a row, nor writes over what they have written.
#[tokio::test]
async fn a_row_that_is_being_changed_is_left_to_the_next_hour() {
    let fixture = Fixture::with_a_clock().await;
    let home = fixture.home("ada").await;
    let node = Node::of(&fixture);
    let held = node.channel(home.workspace).await;
    let free = node.channel(home.workspace).await;
    node.keys.rotate(&actor(), NOW).await.unwrap();
    fixture.it_is(after(TAKES_OVER)).await;

    let lock = format!(
        "BEGIN; SELECT FROM alert_channels WHERE id = '{}' FOR NO KEY UPDATE",
        held.id
    );
    fixture.sql.batch_execute(&lock).await.unwrap();
    fixture.database.maintain(NOW).await.unwrap();
    fixture.sql.batch_execute("COMMIT").await.unwrap();
    assert_eq!(form(&fixture, held.id).await, BY_THE_FIRST);
    assert_eq!(form(&fixture, free.id).await, BY_A_LATER);
    assert!(node.opens(&held).await);

    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(form(&fixture, held.id).await, BY_A_LATER);
    assert!(Node::of(&fixture).opens(&held).await);
}
