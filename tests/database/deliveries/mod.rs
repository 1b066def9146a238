//! Deliveries on PostgreSQL: what the jobs that send them are handed, and what becomes of the rest of a channel.

mod crowded;
mod waits;

use std::sync::Arc;

use pharos_alerting::{
    alert::AlertEnd,
    delivery::{
        channel::{Channel, ChannelChange, ChannelSettings, ChannelStore, NewChannel},
        message::{DeliveryEvent, Message},
        signing_secret::SigningSecret,
        store::{AttemptEnd, DeliveryStore, Taken},
        target::{OpsgenieRegion, Target},
    },
    severity::Severity,
};
use pharos_domain::{ids::DeliveryId, module::Module, secret::Secret};
use time::{Duration, OffsetDateTime};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::harness::{Fixture, Home, NOW, actor};

const LEASE: Duration = Duration::minutes(2);

/// A workspace with a channel.
struct Sending {
    fixture: Fixture,
    home: Home,
    store: Arc<dyn DeliveryStore>,
    channel: Channel,
}

impl Sending {
    async fn to(target: Target) -> Self {
        let fixture = Fixture::new().await;
        let home = fixture.home("ada").await;
        let channels = fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
        let channel = NewChannel {
            workspace_id: home.workspace,
            domain_id: None,
            settings: ChannelSettings {
                name: "On call".to_owned(),
                target,
                min_severity: Severity::Info,
                modules: Vec::new(),
                quiet_hours: None,
            },
        };
        Self {
            channel: channels.create(&channel, &actor(), NOW).await.unwrap(),
            store: fixture.stores.ports.get().unwrap(),
            fixture,
            home,
        }
    }

    async fn to_slack() -> Self {
        let url = Secret::from("https://hooks.slack.example/services/x".to_owned());
        Self::to(Target::Slack { url }).await
    }

    async fn to_mail() -> Self {
        Self::to(Target::Email {
            to: "on-call@shop.example".to_owned(),
        })
        .await
    }

    /// A notification about this module, and its delivery.
    async fn told(&self, module: &str) -> DeliveryId {
        let statement = "INSERT INTO notifications (id, workspace_id, kind, severity, module, title, body, data, created_at)
            VALUES (uuid_v7(), $1, 'alert', 'warning', $2, 'It is down', 'It is down.', '{}', now())
            RETURNING id";
        let values: [&(dyn ToSql + Sync); 2] = [&self.home.workspace.0, &module];
        let row = self.fixture.sql.query_one(statement, &values).await.unwrap();
        self.delivery(row.get(0), "raised").await
    }

    /// An alert about an event, which is over as it is told: the notification that tells of it.
    async fn happened(&self) -> Uuid {
        let statement = "WITH told AS (
                INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, module, title, body, data, alert_id,
                    created_at, resolved_at)
                VALUES (uuid_v7(), $1, $2, 'alert', 'warning', 'uptime', 'Changed', 'Changed.', '{}', uuid_v7(), now(), now())
                RETURNING *
            ),
            fired AS (
                INSERT INTO alert_history (id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit,
                    operator, threshold, evaluation_window, value, severity, title, message, context, fired_at,
                    resolved_at, end_reason)
                SELECT alert_id, domain_id, workspace_id, id, 'uptime', 'ssl_certificate_changed', 'Certificates changed', 'times',
                    'gte', 1, 'latest', 1, severity, title, body, '{}', created_at, resolved_at, 'over'
                FROM told
            )
            SELECT id FROM told";
        let values: [&(dyn ToSql + Sync); 2] = [&self.home.workspace.0, &self.home.domain.0];
        let row = self.fixture.sql.query_one(statement, &values).await.unwrap();
        row.get(0)
    }

    async fn delivery(&self, notification: Uuid, event: &str) -> DeliveryId {
        let delivery = "SELECT id FROM alert_deliveries WHERE notification_id = $1 AND event = $2";
        let values: [&(dyn ToSql + Sync); 2] = [&notification, &event];
        let row = self.fixture.sql.query_one(delivery, &values).await.unwrap();
        DeliveryId(row.get(0))
    }

    async fn message(&self, delivery: DeliveryId) -> Message {
        match self.take(delivery).await {
            Taken::Send(_, messages, _) if messages.len() == 1 => messages.into_iter().next().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// Gives up what tells of the beginning, and drops what tells of the end, which comes meanwhile. Then an operator has the
    /// first sent again: the notification.
    async fn is_dead_and_retried(&self, began: DeliveryId) -> Uuid {
        assert_eq!(self.sent_with(began).await, [began]);
        let notification = "SELECT notification_id FROM alert_deliveries WHERE id = $1";
        let row = self.fixture.sql.query_one(notification, &[&began.0]).await;
        let notification: Uuid = row.unwrap().get(0);
        self.over(notification).await;
        let given_up = AttemptEnd::GivenUp {
            why: "the receiver answered 500".to_owned(),
        };
        self.end(began, &given_up).await;
        let end = self.delivery(notification, "resolved").await;
        assert!(matches!(self.take(end).await, Taken::Nothing));
        assert!(
            self.is(
                "SELECT state = 'dropped' FROM alert_deliveries WHERE id = $1",
                end
            )
            .await
        );
        notification
    }

    async fn over(&self, notification: Uuid) {
        let over = "UPDATE notifications SET resolved_at = created_at + interval '7 minutes' WHERE id = $1";
        self.fixture.sql.execute(over, &[&notification]).await.unwrap();
    }

    async fn take(&self, delivery: DeliveryId) -> Taken {
        self.store.take(delivery, LEASE).await.unwrap()
    }

    /// The deliveries that are sent together with this one, itself included.
    async fn sent_with(&self, delivery: DeliveryId) -> Vec<DeliveryId> {
        match self.take(delivery).await {
            Taken::Send(_, messages, _) => messages.into_iter().map(|message| message.id).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// For how long a delivery is put off.
    async fn put_off(&self, delivery: DeliveryId) -> Duration {
        match self.take(delivery).await {
            Taken::Later(pause) => pause,
            other => panic!("{other:?}"),
        }
    }

    async fn end(&self, delivery: DeliveryId, end: &AttemptEnd) {
        self.store.end(&self.channel, &[delivery], end).await.unwrap();
    }

    /// The attempt failed, and the receiver asked to be left alone for so long.
    async fn fails(&self, delivery: DeliveryId, asked: Option<Duration>) {
        let again = AttemptEnd::Again {
            why: "the receiver answered 503".to_owned(),
            asked,
        };
        self.end(delivery, &again).await;
    }

    /// The backend that the test talks to.
    async fn pid(&self) -> i32 {
        let row = self.fixture.sql.query_one("SELECT pg_backend_pid()", &[]).await;
        row.unwrap().get(0)
    }

    async fn is(&self, condition: &str, delivery: DeliveryId) -> bool {
        let row = self
            .fixture
            .sql
            .query_one(condition, &[&delivery.0])
            .await
            .unwrap();
        row.get(0)
    }
}

/// By severity, by module and by domain: what one of them does not let through is not delivered.
#[tokio::test]
async fn a_channel_gets_what_it_was_chosen_for_and_nothing_else() {
    let sending = Sending::to_slack().await;
    let Sending { fixture, home, .. } = &sending;
    let channels = fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
    let shop = Some(home.domain);
    for (name, domain_id, min_severity, modules) in [
        ("Shop", shop, Severity::Info, vec![]),
        ("Critical", None, Severity::Critical, vec![]),
        (
            "Modules",
            None,
            Severity::Info,
            vec![Module::Uptime, Module::Robots],
        ),
        ("All three", shop, Severity::Critical, vec![Module::Uptime]),
    ] {
        let channel = NewChannel {
            workspace_id: home.workspace,
            domain_id,
            settings: ChannelSettings {
                name: name.to_owned(),
                target: sending.channel.settings.target.clone(),
                min_severity,
                modules,
                quiet_hours: None,
            },
        };
        channels.create(&channel, &actor(), NOW).await.unwrap();
    }
    let other = "INSERT INTO domains (id, workspace_id, hostname, created_at)
        VALUES (uuid_v7(), $1, 'other.example', now())
        RETURNING id";
    let other: Uuid = fixture
        .sql
        .query_one(other, &[&home.workspace.0])
        .await
        .unwrap()
        .get(0);
    let shop = Some(home.domain.0);
    for (domain, severity, module, want) in [
        (
            shop,
            "critical",
            Some("uptime"),
            &["All three", "Critical", "Modules", "On call", "Shop"][..],
        ),
        (shop, "warning", Some("uptime"), &["Modules", "On call", "Shop"]),
        (shop, "critical", Some("gsc"), &["Critical", "On call", "Shop"]),
        (
            Some(other),
            "critical",
            Some("uptime"),
            &["Critical", "Modules", "On call"],
        ),
        (Some(other), "info", Some("robots"), &["Modules", "On call"]),
        // A notification about the workspace has no domain and no module.
        (None, "critical", None, &["Critical", "On call"]),
    ] {
        let told = "INSERT INTO notifications (id, workspace_id, domain_id, kind, severity, module, title, body, data, created_at)
            VALUES (uuid_v7(), $1, $2, 'alert', $3, $4, 'It is down', 'It is down.', '{}', now())
            RETURNING id";
        let values: [&(dyn ToSql + Sync); 4] = [&home.workspace.0, &domain, &severity, &module];
        let told: Uuid = fixture.sql.query_one(told, &values).await.unwrap().get(0);
        let by = "SELECT c.name FROM alert_deliveries AS d JOIN alert_channels AS c ON c.id = d.channel_id
            WHERE d.notification_id = $1";
        let rows = fixture.sql.query(by, &[&told]).await.unwrap();
        let mut names: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        names.sort_unstable();
        assert_eq!(names, want, "{domain:?} {severity} {module:?}");
    }
}

#[tokio::test]
async fn what_can_not_be_read_is_left_to_a_newer_node_and_kills_no_mail() {
    let sending = Sending::to_mail().await;
    let first = sending.told("uptime").await;
    let strange = sending.told("weather").await;
    let second = sending.told("uptime").await;
    assert_eq!(sending.put_off(strange).await, Duration::minutes(10));
    assert_eq!(sending.sent_with(first).await, [first, second]);
    // It was not taken along.
    let free = "SELECT state = 'queued' AND taken_until IS NULL FROM alert_deliveries WHERE id = $1";
    assert!(sending.is(free, strange).await);
    let aside = "SELECT count(*) = 1 FROM set_aside WHERE kind = 'delivery' AND subject = $1::uuid::text";
    assert!(sending.is(aside, strange).await);
}

/// The receiver asked to be left alone for an hour. Whoever switches the channel on again does not wait for that.
#[tokio::test]
async fn a_channel_that_is_switched_on_sends_at_once() {
    let sending = Sending::to_slack().await;
    let first = sending.told("uptime").await;
    assert_eq!(sending.sent_with(first).await, [first]);
    sending.fails(first, Some(Duration::HOUR)).await;
    let channels = sending.fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
    for change in [
        ChannelChange::SwitchOff("It is mended".to_owned()),
        ChannelChange::SwitchOn,
    ] {
        channels
            .change(sending.channel.id, &change, &actor(), NOW)
            .await
            .unwrap();
    }
    let next = sending.told("uptime").await;
    assert_eq!(sending.sent_with(next).await, [next]);
}

/// Whoever mended it has switched it on: that it fails for three days is told a second time.
#[tokio::test]
async fn a_channel_that_is_switched_on_and_fails_for_days_again_says_so_again() {
    let sending = Sending::to_slack().await;
    let channels = sending.fixture.stores.ports.get::<dyn ChannelStore>().unwrap();
    let delivery = sending.told("uptime").await;
    let told = async |open: bool| -> i64 {
        let count = "SELECT count(*) FROM notifications
            WHERE kind = 'module_disconnected' AND (resolved_at IS NULL OR NOT $1)";
        sending.fixture.value(count, &[&open]).await
    };
    for times in [1, 2] {
        let days = "UPDATE alert_channels SET failing_since = now() - interval '4 days'";
        sending.fixture.sql.batch_execute(days).await.unwrap();
        for _ in 0..2 {
            sending.fails(delivery, None).await;
            assert_eq!((told(false).await, told(true).await), (times, 1));
        }
        channels
            .change(sending.channel.id, &ChannelChange::SwitchOn, &actor(), NOW)
            .await
            .unwrap();
        assert_eq!((told(false).await, told(true).await), (times, 0));
    }
}

#[tokio::test]
async fn old_notifications_and_tests_are_forgotten_in_parts_with_their_deliveries() {
    let sending = Sending::to_slack().await;
    let kept = sending.told("uptime").await;
    let old = "INSERT INTO alert_deliveries (id, channel_id, event, state, created_at, ended_at)
        SELECT gen_random_uuid(), id, 'test', 'sent', now() - interval '100 days', now()
        FROM alert_channels, generate_series(1, 2500);
        INSERT INTO notifications (id, workspace_id, kind, severity, title, body, data, created_at)
        SELECT uuid_v7(), workspace_id, 'alert', 'warning', 'It is down', 'It is down.', '{}'::jsonb, now() - interval '13 months'
        FROM alert_channels, generate_series(1, 2500);
        CREATE TABLE parts (forgotten bigint);
        CREATE FUNCTION note_part() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO parts SELECT count(*) FROM gone;
            RETURN NULL;
        END $$;
        CREATE TRIGGER part AFTER DELETE ON notifications REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION note_part();
        CREATE TRIGGER part AFTER DELETE ON alert_deliveries REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION note_part()";
    sending.fixture.sql.batch_execute(old).await.unwrap();
    let now = OffsetDateTime::now_utc();
    sending.fixture.database.maintain(now).await.unwrap();
    let others = "SELECT count(*) = 0 FROM alert_deliveries WHERE id <> $1";
    assert!(sending.is(others, kept).await);
    let notifications: i64 = sending
        .fixture
        .value("SELECT count(*) FROM notifications", &[])
        .await;
    assert_eq!(notifications, 1);
    let most: i64 = sending
        .fixture
        .value("SELECT max(forgotten) FROM parts", &[])
        .await;
    assert_eq!(most, 2_000);
}

#[tokio::test]
async fn an_event_is_told_with_its_end() {
    let sending = Sending::to_slack().await;
    let notification = sending.happened().await;
    let told = sending
        .message(sending.delivery(notification, "raised").await)
        .await;
    assert_eq!(
        (told.event, told.resolved_at),
        (DeliveryEvent::Raised, Some(told.created_at))
    );
    let alert = told.alert.unwrap();
    assert_eq!(
        (alert.resolved_at, alert.end),
        (Some(alert.told.fired_at), Some(AlertEnd::Over))
    );
    let others = "SELECT count(*) = 0 FROM alert_deliveries WHERE id <> $1";
    assert!(sending.is(others, told.id).await, "one message tells it");
}

#[tokio::test]
async fn an_event_is_closed_where_it_would_stay_open() {
    let key = || Secret::from("0123456789abcdef0123456789abcdef".to_owned());
    let region = OpsgenieRegion::Eu;
    for target in [
        Target::Pagerduty { routing_key: key() },
        Target::Opsgenie {
            api_key: key(),
            region,
        },
    ] {
        let sending = Sending::to(target).await;
        let notification = sending.happened().await;
        let begins = sending.delivery(notification, "raised").await;
        let ends = sending.delivery(notification, "resolved").await;
        assert!(sending.put_off(ends).await <= Duration::seconds(15));
        assert_eq!(sending.message(begins).await.event, DeliveryEvent::Raised);
        sending.end(begins, &AttemptEnd::Sent).await;
        assert_eq!(sending.message(ends).await.event, DeliveryEvent::Resolved);
    }
}

#[tokio::test]
async fn a_dead_letter_that_is_sent_again_brings_its_end_along() {
    let sending = Sending::to_slack().await;
    let began = sending.told("uptime").await;
    let notification = sending.is_dead_and_retried(began).await;
    let told = sending.message(began).await;
    assert_eq!(
        (told.event, told.beginning, told.id),
        (
            DeliveryEvent::Resolved,
            Some(began),
            sending.delivery(notification, "resolved").await
        ),
        "people get one message of both"
    );

    let url = "https://shop.example/hook".to_owned();
    let sending = Sending::to(Target::Webhook {
        url: Secret::from(url),
        secret: SigningSecret::generate().unwrap(),
        previous: None,
    })
    .await;
    let began = sending.told("uptime").await;
    let notification = sending.is_dead_and_retried(began).await;
    assert_eq!(sending.message(began).await.event, DeliveryEvent::Raised);
    let end = sending.delivery(notification, "resolved").await;
    let job = "SELECT state = 'queued' FROM jobs WHERE id = $1";
    assert!(sending.is(job, end).await);
    assert!(sending.put_off(end).await <= Duration::minutes(2));
    sending.end(began, &AttemptEnd::Sent).await;
    assert_eq!(sending.message(end).await.event, DeliveryEvent::Resolved);
}

/// People would read of an end of what they never heard of.
#[tokio::test]
async fn no_mail_takes_an_end_along_whose_beginning_is_not_told() {
    let sending = Sending::to_mail().await;
    let began = sending.told("uptime").await;
    assert_eq!(sending.sent_with(began).await, [began]);
    let notification = "SELECT notification_id FROM alert_deliveries WHERE id = $1";
    let row = sending.fixture.sql.query_one(notification, &[&began.0]).await;
    let notification: Uuid = row.unwrap().get(0);
    sending.over(notification).await;
    let end = sending.delivery(notification, "resolved").await;
    let other = sending.told("robots").await;
    let due = "UPDATE alert_channels SET next_send_at = NULL";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(
        sending.sent_with(other).await,
        [other],
        "the beginning is being sent"
    );
    sending.end(other, &AttemptEnd::Sent).await;
    let given_up = AttemptEnd::GivenUp {
        why: "the mail server refused it".to_owned(),
    };
    sending.end(began, &given_up).await;
    let next = sending.told("robots").await;
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(
        sending.sent_with(next).await,
        [next],
        "the beginning was given up"
    );
    assert!(matches!(sending.take(end).await, Taken::Nothing));
}

/// The end was queued for nobody, since the beginning had been given up.
#[tokio::test]
async fn a_dead_letter_tells_of_an_end_that_came_after_it() {
    let sending = Sending::to_mail().await;
    let began = sending.told("uptime").await;
    assert_eq!(sending.sent_with(began).await, [began]);
    let given_up = AttemptEnd::GivenUp {
        why: "no mail server is configured".to_owned(),
    };
    sending.end(began, &given_up).await;
    let over = "UPDATE notifications SET resolved_at = created_at + interval '7 minutes'";
    sending.fixture.sql.batch_execute(over).await.unwrap();
    let others = "SELECT count(*) = 0 FROM alert_deliveries WHERE id <> $1";
    assert!(sending.is(others, began).await, "no end is queued");
    let due = "UPDATE alert_channels SET next_send_at = now()";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    let told = sending.message(began).await;
    assert_eq!(
        (told.event, told.beginning),
        (DeliveryEvent::Resolved, Some(began))
    );
}

#[tokio::test]
async fn a_channel_that_is_being_deleted_fails_nobody_else() {
    let sending = Sending::to_slack().await;
    let (other, deleting) = tokio_postgres::connect(sending.fixture.test.url(), tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(deleting);
    other
        .batch_execute("BEGIN; DELETE FROM alert_channels")
        .await
        .unwrap();
    let (pid, workspace) = (sending.pid().await, sending.home.workspace.0);
    let waits = async {
        let waiting = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $1";
        while !other
            .query_one(waiting, &[&pid])
            .await
            .unwrap()
            .get::<_, Option<bool>>(0)
            .unwrap_or_default()
        {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        other.batch_execute("COMMIT").await.unwrap();
    };
    let tells = async {
        let statement =
            "INSERT INTO notifications (id, workspace_id, kind, severity, title, body, data, created_at)
            VALUES (uuid_v7(), $1, 'alert', 'warning', 'It is down', 'It is down.', '{}', now())";
        sending.fixture.sql.execute(statement, &[&workspace]).await
    };
    let (told, ()) = tokio::join!(tells, waits);
    assert_eq!(told.unwrap(), 1);
}
