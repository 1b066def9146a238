//! Channels for which more waits than may: what is dropped, what is not, and how people hear of it.

use pharos_alerting::delivery::{kind::ChannelKind, store::AttemptEnd};
use pharos_domain::ids::DeliveryId;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::Sending;

const QUEUED: &str = "SELECT state = 'queued' AND EXISTS (SELECT FROM jobs AS j WHERE j.id = d.id)
    FROM alert_deliveries AS d WHERE d.id = $1";

impl Sending {
    /// So many notifications of this severity in one statement.
    async fn told_at_once(&self, severity: &str, notifications: i32) {
        let statement = "INSERT INTO notifications (id, workspace_id, kind, severity, module, title, body, data, created_at)
            SELECT uuid_v7(), $1::uuid, 'alert', $2::text, 'uptime', 'It is down', 'It is down.', '{}'::jsonb, now()
            FROM generate_series(1, $3::int)";
        let values: [&(dyn ToSql + Sync); 3] = [&self.home.workspace.0, &severity, &notifications];
        self.fixture.sql.execute(statement, &values).await.unwrap();
    }

    /// How many deliveries of notifications of this severity are in this state.
    async fn are(&self, severity: &str, state: &str) -> i64 {
        let count = "SELECT count(*) FROM alert_deliveries AS d
            JOIN notifications AS n ON n.id = d.notification_id
            WHERE n.kind = 'alert' AND n.severity = $1 AND d.state = $2";
        self.fixture.value(count, &[&severity, &state]).await
    }

    /// How many notifications tell of a channel, those that are not over and all.
    async fn notices(&self) -> (i64, i64) {
        let count = "SELECT count(*) FROM notifications
            WHERE kind = 'module_disconnected' AND (resolved_at IS NULL OR $1::boolean)";
        (
            self.fixture.value(count, &[&false]).await,
            self.fixture.value(count, &[&true]).await,
        )
    }
}

/// 1,000 wait: what comes then is not queued. Once fewer wait, deliveries go on.
#[tokio::test]
async fn a_channel_whose_receiver_takes_nothing_gathers_no_more_than_a_thousand() {
    let sending = Sending::to_slack().await;
    let first = sending.told("uptime").await;
    let fill = "INSERT INTO alert_deliveries (id, channel_id, event, state, created_at)
        SELECT gen_random_uuid(), channel_id, 'test', 'queued', created_at FROM alert_deliveries, generate_series(1, 998)";
    sending.fixture.sql.batch_execute(fill).await.unwrap();
    let last = sending.told("uptime").await;
    let crowded = sending.told("uptime").await;
    assert!(sending.is(QUEUED, last).await);
    let dropped = "SELECT state = 'dropped' AND ended_at IS NOT NULL AND last_error LIKE '1,000 deliveries%'
        FROM alert_deliveries AS d WHERE d.id = $1";
    assert!(sending.is(dropped, crowded).await);
    sending.end(first, &AttemptEnd::Sent).await;
    let again = sending.told("uptime").await;
    assert!(sending.is(QUEUED, again).await);
}

/// The lesser ones wait on purpose, as in quiet hours.
#[tokio::test]
async fn what_is_critical_is_dropped_for_nothing_lesser_that_waits() {
    let sending = Sending::to_slack().await;
    sending.told_at_once("warning", 1_000).await;
    sending.told_at_once("critical", 1).await;
    assert_eq!(sending.are("critical", "queued").await, 1);
    sending.told_at_once("info", 1).await;
    assert_eq!(sending.are("info", "dropped").await, 1);
    // They have a bound of their own.
    sending.told_at_once("critical", 1_000).await;
    assert_eq!(
        (
            sending.are("critical", "queued").await,
            sending.are("critical", "dropped").await
        ),
        (1_000, 1)
    );
}

#[tokio::test]
async fn one_statement_queues_no_more_than_may_wait() {
    let sending = Sending::to_slack().await;
    sending.told_at_once("warning", 400).await;
    sending.told_at_once("warning", 2_000).await;
    assert_eq!(
        (
            sending.are("warning", "queued").await,
            sending.are("warning", "dropped").await
        ),
        (1_000, 1_400)
    );
}

/// One job counts all that a statement had dropped. The notification is over once few wait.
#[tokio::test]
async fn what_was_dropped_is_told_once_until_few_wait() {
    let sending = Sending::to_slack().await;
    sending.told_at_once("warning", 1_200).await;
    let jobs = "SELECT (payload ->> 'delivery_id')::uuid, (payload ->> 'dropped')::bigint FROM jobs WHERE payload ? 'dropped'";
    let rows = sending.fixture.sql.query(jobs, &[]).await.unwrap();
    assert_eq!(rows.len(), 1);
    let dropped = DeliveryId(rows[0].get::<_, Uuid>(0));
    assert_eq!(rows[0].get::<_, i64>(1), 200);
    for _ in 0..2 {
        let kind = sending.store.dropped(dropped).await.unwrap();
        assert_eq!(kind, Some(ChannelKind::Slack));
        assert_eq!(sending.notices().await, (1, 1));
    }

    let waiting = "SELECT id FROM alert_deliveries WHERE state = 'queued' ORDER BY id";
    let rows = sending.fixture.sql.query(waiting, &[]).await.unwrap();
    let ids: Vec<DeliveryId> = rows.iter().map(|row| DeliveryId(row.get(0))).collect();
    let sent = async |ids: &[DeliveryId]| {
        let ended = sending.store.end(&sending.channel, ids, &AttemptEnd::Sent).await;
        ended.unwrap();
    };
    sent(&ids[..500]).await;
    assert_eq!(sending.notices().await, (1, 1), "half of what may wait is much");
    sent(&ids[500..501]).await;
    assert_eq!(sending.notices().await, (0, 1));
    sending.store.dropped(dropped).await.unwrap();
    assert_eq!(sending.notices().await, (1, 2));
}

/// A channel that works again after days still leaves out what comes, as long as many wait.
#[tokio::test]
async fn what_was_dropped_is_not_over_with_the_failures_before_it() {
    let sending = Sending::to_slack().await;
    let first = sending.told("uptime").await;
    let fails = "UPDATE alert_channels
        SET failing_since = now() - interval '4 days', failure_told_at = now() - interval '1 day'";
    sending.fixture.sql.batch_execute(fails).await.unwrap();
    sending.told_at_once("warning", 1_200).await;
    let dropped = "SELECT id FROM alert_deliveries WHERE state = 'dropped' LIMIT 1";
    let dropped = DeliveryId(sending.fixture.value::<Uuid>(dropped, &[]).await);
    sending.store.dropped(dropped).await.unwrap();
    sending.end(first, &AttemptEnd::Sent).await;
    let works = "SELECT failing_since IS NULL AND failure_told_at IS NULL FROM alert_channels";
    assert!(sending.fixture.value::<bool>(works, &[]).await);
    assert_eq!(sending.notices().await, (1, 1));
}

/// Jobs are claimed by when they are due: what is critical waits for none of the many that were told before it.
#[tokio::test]
async fn what_is_critical_is_due_before_many_others() {
    let sending = Sending::to_slack().await;
    sending.told_at_once("warning", 900).await;
    sending.told_at_once("critical", 1).await;
    let spread = "SELECT max(j.run_at - j.created_at) FILTER (WHERE d.is_critical) = interval '0'
            AND max(j.run_at - j.created_at) FILTER (WHERE NOT d.is_critical) > interval '5 seconds'
        FROM jobs AS j JOIN alert_deliveries AS d ON d.id = j.id";
    assert!(sending.fixture.value::<bool>(spread, &[]).await);

    // So it is where all of them have waited for a receiver that works again.
    let fails = "UPDATE alert_channels SET failing_since = now();
        UPDATE jobs SET run_at = now() + interval '1 hour'";
    sending.fixture.sql.batch_execute(fails).await.unwrap();
    let sent = sending.told("uptime").await;
    sending.end(sent, &AttemptEnd::Sent).await;
    let first = "SELECT d.is_critical FROM alert_deliveries AS d JOIN jobs AS j ON j.id = d.id
        WHERE d.state = 'queued' ORDER BY j.run_at LIMIT 1";
    assert!(sending.fixture.value::<bool>(first, &[]).await);
}

/// However many have gathered, and those that are critical among them.
#[tokio::test]
async fn one_mail_tells_of_all_that_waits() {
    let sending = Sending::to_mail().await;
    sending.told_at_once("warning", 600).await;
    sending.told_at_once("critical", 2).await;
    let last = sending.told("uptime").await;
    let told = sending.sent_with(last).await;
    assert_eq!(told.len(), 603);
}

/// A mail that was refused is taken apart, and nobody knows anything of those that it only counted.
#[tokio::test]
async fn what_a_refused_mail_only_counted_waits_for_the_next() {
    let sending = Sending::to_mail().await;
    let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
    assert_eq!(sending.sent_with(first).await, [first, second]);
    sending.end(second, &AttemptEnd::PutBack).await;
    let free = "SELECT state = 'queued' AND taken_until IS NULL AND attempts = 0 AND NOT is_alone
        FROM alert_deliveries WHERE id = $1";
    assert!(sending.is(free, second).await);
    let works = "SELECT c.failing_since IS NULL FROM alert_channels AS c
        JOIN alert_deliveries AS d ON d.channel_id = c.id WHERE d.id = $1";
    assert!(sending.is(works, second).await);
}
