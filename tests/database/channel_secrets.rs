//! The secrets of channels at rest: sealed, and those of older versions too once upkeep was there.

use std::sync::Arc;

use pharos_alerting::{
    delivery::{
        channel::{
            Channel, ChannelChange, ChannelEdit, ChannelSettings, ChannelStore, NewChannel, SecretChange,
        },
        kind::{ChannelKind, FieldInput, TargetField},
        store::{DeliveryStore, Taken},
        target::Target,
    },
    severity::Severity,
};
use pharos_domain::{
    ids::{ChannelId, WorkspaceId},
    unsubscribe::Unsubscribe,
};
use time::Duration;
use uuid::Uuid;

use crate::harness::{Fixture, NOW, actor, after};

/// The word in each secret that a person types into the fields of a channel.
const HIDDEN: &str = "hidden";

fn filled(field: &TargetField) -> String {
    match field.input {
        FieldInput::Address => "on-call@shop.example".to_owned(),
        FieldInput::Url => format!("https://hooks.example/{HIDDEN}_in_path"),
        // It has 32 letters.
        FieldInput::Key if field.name == "routing_key" => HIDDEN.repeat(6)[..32].to_owned(),
        FieldInput::Key => format!("123:{HIDDEN}_{}", field.name),
        FieldInput::Text => "@shop".to_owned(),
        FieldInput::Choice(choices) => choices[0].to_owned(),
    }
}

fn new(workspace_id: WorkspaceId, target: Target) -> NewChannel {
    NewChannel {
        workspace_id,
        domain_id: None,
        settings: ChannelSettings {
            name: target.kind().to_string(),
            target,
            min_severity: Severity::Info,
            modules: Vec::new(),
            quiet_hours: None,
        },
    }
}

/// The rows of all channels as text, the sealed bytes as such and as hex.
async fn dumped(fixture: &Fixture) -> String {
    let rows = "SELECT coalesce(string_agg(c::text || encode(coalesce(c.secrets, ''), 'escape'), ' '), '')
        FROM alert_channels AS c";
    fixture.value(rows, &[]).await
}

/// Nothing that the channel keeps secret stands in a row.
async fn is_sealed(fixture: &Fixture, channel: &Channel) {
    let rows = dumped(fixture).await;
    let mut secrets = vec![HIDDEN.to_owned(), channel.unsubscribe_token.reveal().to_owned()];
    if let Target::Webhook { secret, previous, .. } = &channel.settings.target {
        secrets.push(secret.reveal().to_owned());
        secrets.extend(
            previous
                .iter()
                .map(|previous| previous.secret.reveal().to_owned()),
        );
    }
    for secret in secrets {
        assert!(!rows.contains(&secret), "{secret} in {rows}");
        assert!(
            !format!("{channel:?}").contains(&secret),
            "{secret} in {channel:?}"
        );
    }
}

#[tokio::test]
async fn no_secret_of_a_channel_is_stored_in_the_clear_and_it_delivers() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let channels = fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
    let deliveries = fixture.stores.ports.get::<dyn DeliveryStore>().unwrap();
    for kind in ChannelKind::ALL {
        let target = Target::filled(*kind, filled).unwrap();
        let made = channels
            .create(&new(home.workspace, target.clone()), &actor(), NOW)
            .await
            .unwrap();
        is_sealed(&fixture, &made).await;
        let found = channels.find(made.id).await.unwrap().unwrap();
        assert_eq!(found.settings.target, target, "{kind}");
        let test = channels.test(made.id, &actor(), NOW).await.unwrap();
        match deliveries.take(test, Duration::MINUTE).await.unwrap() {
            Taken::Send(channel, messages, _) => {
                assert_eq!((&channel.settings.target, messages.len()), (&target, 1), "{kind}");
                assert_eq!(channel.unsubscribe_token, made.unsubscribe_token, "{kind}");
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
    let all = channels.list(&[home.workspace]).await.unwrap();
    assert_eq!(all.len(), ChannelKind::ALL.len());
}

#[tokio::test]
async fn a_change_leaves_no_secret_in_the_clear() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let channels = fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
    let target = Target::filled(ChannelKind::Webhook, filled).unwrap();
    let made = channels
        .create(&new(home.workspace, target), &actor(), NOW)
        .await
        .unwrap();
    let change = async |change| {
        channels
            .change(made.id, &change, &actor(), after(1))
            .await
            .unwrap()
    };
    let rotated = change(ChannelChange::Secret(SecretChange::Replace)).await;
    assert_eq!(rotated.unsubscribe_token, made.unsubscribe_token);
    is_sealed(&fixture, &rotated).await;
    let settings = ChannelSettings {
        name: "Renamed".to_owned(),
        ..rotated.settings.clone()
    };
    let edit = |settings, seen| {
        ChannelChange::Edit(ChannelEdit {
            seen,
            domain_id: None,
            settings,
        })
    };
    let renamed = change(edit(settings, rotated.updated_at)).await;
    assert_eq!(renamed.settings.target, rotated.settings.target);
    assert_eq!(renamed.unsubscribe_token, made.unsubscribe_token);
    is_sealed(&fixture, &renamed).await;
    let settings = ChannelSettings {
        target: Target::filled(ChannelKind::Slack, filled).unwrap(),
        ..renamed.settings
    };
    let moved = change(edit(settings, renamed.updated_at)).await;
    assert_ne!(moved.unsubscribe_token, made.unsubscribe_token);
    is_sealed(&fixture, &moved).await;
}

/// A channel as versions before wrote it.
async fn in_the_clear(fixture: &Fixture, workspace: WorkspaceId, target: &str) -> ChannelId {
    let insert =
        "INSERT INTO alert_channels (id, workspace_id, name, target, min_severity, created_at, updated_at)
        VALUES (uuid_v7(), $1, 'On call', $2::text::jsonb, 'info', now(), now())
        RETURNING id";
    ChannelId(fixture.value(insert, &[&workspace.0, &target]).await)
}

#[tokio::test]
async fn the_secrets_of_older_versions_are_sealed_and_their_links_stay_valid() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let channels = fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
    let unsubscribe: Arc<dyn Unsubscribe> = fixture.stores.ports.get().unwrap();
    let slack = format!(r#"{{"kind": "slack", "url": "https://hooks.example/{HIDDEN}"}}"#);
    let slack = in_the_clear(&fixture, home.workspace, &slack).await;
    let email = r#"{"kind": "email", "to": "on-call@shop.example"}"#;
    let email = in_the_clear(&fixture, home.workspace, email).await;
    let of_a_newer_version = format!(r#"{{"kind": "pigeon", "loft": "{HIDDEN}"}}"#);
    in_the_clear(&fixture, home.workspace, &of_a_newer_version).await;
    // It keeps no other from being sealed.
    in_the_clear(&fixture, home.workspace, "[]").await;

    let found = async |id| channels.find(id).await.unwrap().unwrap();
    let before = [found(slack).await, found(email).await];
    let token: Uuid = before[1].unsubscribe_token.reveal().parse().unwrap();
    assert!(unsubscribe.find(token).await.unwrap().unwrap().is_on);
    assert!(dumped(&fixture).await.contains(HIDDEN));

    let (one, other) = tokio::join!(fixture.database.maintain(NOW), fixture.database.maintain(NOW));
    assert!(one.is_ok() || other.is_ok(), "{one:?} {other:?}");
    for before in &before {
        is_sealed(&fixture, before).await;
        let after = found(before.id).await;
        assert_eq!(after.settings.target, before.settings.target);
        assert_eq!(after.unsubscribe_token, before.unsubscribe_token);
        assert_eq!(
            after.updated_at, before.updated_at,
            "nobody's form is out of date"
        );
    }
    let left = "SELECT count(*) FROM alert_channels WHERE secrets IS NULL";
    assert_eq!(
        fixture.value::<i64>(left, &[]).await,
        1,
        "the one that is no target"
    );
    let noted = "SELECT count(*) FROM set_aside WHERE kind = 'channel'";
    assert_eq!(fixture.value::<i64>(noted, &[]).await, 1);

    let sealed = dumped(&fixture).await;
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(dumped(&fixture).await, sealed, "what is sealed stays as it is");
    assert!(!unsubscribe.end(token, NOW).await.unwrap().unwrap().is_on);
    assert!(found(email).await.off_reason.is_some());
}

/// Whoever moves a sealed value to another channel finds it broken there, and a channel of which nothing can be opened keeps no
/// other from being listed.
#[tokio::test]
async fn a_channel_alone_has_its_secrets() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let channels = fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
    let mut made = Vec::new();
    for _ in 0..2 {
        let target = Target::filled(ChannelKind::Slack, filled).unwrap();
        let new = new(home.workspace, target);
        made.push(channels.create(&new, &actor(), NOW).await.unwrap().id);
    }
    let moved = "UPDATE alert_channels SET secrets = (SELECT secrets FROM alert_channels WHERE id = $2) WHERE id = $1";
    fixture
        .sql
        .execute(moved, &[&made[0].0, &made[1].0])
        .await
        .unwrap();
    let broken = channels.find(made[0]).await.unwrap_err().to_string();
    assert!(broken.contains("can't be opened"), "{broken}");
    let listed = channels.list(&[home.workspace]).await.unwrap();
    assert_eq!(
        listed.iter().map(|channel| channel.id).collect::<Vec<_>>(),
        [made[1]]
    );
}
