//! Deliveries on PostgreSQL: what the jobs that send them are handed, and what becomes of the rest of a channel.

use std::sync::Arc;

use pharos_alerting::{
    delivery::{
        channel::{Channel, ChannelSettings, ChannelStore, NewChannel},
        store::{AttemptEnd, DeliveryStore, Taken},
        target::Target,
    },
    severity::Severity,
};
use pharos_domain::{ids::DeliveryId, secret::Secret};
use time::Duration;
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
        let statement = "WITH told AS (
                INSERT INTO notifications (id, workspace_id, kind, severity, module, title, body, data, created_at)
                VALUES (uuid_v7(), $1, 'alert', 'warning', $2, 'It is down', 'It is down.', '{}', now())
                RETURNING id
            )
            SELECT id FROM told";
        let row = self
            .fixture
            .sql
            .query_one(statement, &[&self.home.workspace.0, &module])
            .await
            .unwrap();
        let notification: Uuid = row.get(0);
        let delivery = "SELECT id FROM alert_deliveries WHERE notification_id = $1";
        let row = self
            .fixture
            .sql
            .query_one(delivery, &[&notification])
            .await
            .unwrap();
        DeliveryId(row.get(0))
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

    /// The attempt failed, and is to be made again in an hour.
    async fn fails(&self, delivery: DeliveryId) {
        let again = AttemptEnd::Again {
            why: "the receiver answered 500".to_owned(),
            pause: Duration::HOUR,
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

#[tokio::test]
async fn a_receiver_that_fails_is_left_alone_and_what_waited_goes_out_once_it_works() {
    let sending = Sending::to_slack().await;
    let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
    assert_eq!(sending.sent_with(first).await, [first]);
    sending.fails(first).await;
    let pause = sending.put_off(second).await;
    assert!(pause > Duration::minutes(59), "{pause}");
    // As the job of the second is then.
    let put_off = "UPDATE jobs SET run_at = now() + interval '1 hour'";
    sending.fixture.sql.batch_execute(put_off).await.unwrap();

    let due = "UPDATE alert_channels SET next_send_at = now()";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(sending.sent_with(first).await, [first]);
    let pause = sending.put_off(second).await;
    assert!(pause <= Duration::seconds(15), "one at a time: {pause}");
    sending.end(first, &AttemptEnd::Sent).await;
    assert!(
        sending
            .is("SELECT run_at <= now() FROM jobs WHERE id = $1", second)
            .await
    );
    assert_eq!(sending.sent_with(second).await, [second]);
}

#[tokio::test]
async fn a_delivery_that_works_waits_for_no_other() {
    let sending = Sending::to_slack().await;
    let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
    assert_eq!(sending.sent_with(first).await, [first]);
    assert_eq!(sending.sent_with(second).await, [second]);
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

#[tokio::test]
async fn mails_that_come_within_five_minutes_go_out_together() {
    let sending = Sending::to_mail().await;
    let first = sending.told("uptime").await;
    assert_eq!(sending.sent_with(first).await, [first]);
    sending.end(first, &AttemptEnd::Sent).await;
    let (second, third) = (sending.told("uptime").await, sending.told("uptime").await);
    let pause = sending.put_off(second).await;
    assert!(pause > Duration::minutes(4), "{pause}");
    let due = "UPDATE alert_channels SET next_send_at = now()";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(sending.sent_with(third).await, [second, third]);
    // The job of the other comes while the mail is on its way.
    let pause = sending.put_off(second).await;
    assert!(pause > Duration::minutes(1), "{pause}");
    for delivery in [second, third] {
        sending.end(delivery, &AttemptEnd::Sent).await;
        assert!(matches!(sending.take(delivery).await, Taken::Nothing));
    }
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
