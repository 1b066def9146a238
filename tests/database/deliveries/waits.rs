//! Deliveries that wait: for a receiver that fails, for other mails, for quiet hours, and for how long at most.

use pharos_alerting::delivery::{
    kind::ChannelKind,
    store::{AttemptEnd, Taken},
};
use time::Duration;
use uuid::Uuid;

use super::Sending;

#[tokio::test]
async fn a_receiver_that_fails_is_left_alone_and_what_waited_goes_out_once_it_works() {
    let sending = Sending::to_slack().await;
    let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
    assert_eq!(sending.sent_with(first).await, [first]);
    sending.fails(first, Some(Duration::HOUR)).await;
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

/// The delivery that failed again and again waits for hours until its next attempt: what comes now does not.
#[tokio::test]
async fn what_is_new_waits_five_minutes_at_most_for_a_receiver_that_has_failed_for_long() {
    for sending in [Sending::to_slack().await, Sending::to_mail().await] {
        let old = sending.told("uptime").await;
        // It grows with the time for which the receiver has failed.
        for (failing_for, least, most) in [("2 minutes", 1, 4), ("10 hours", 4, 5)] {
            let began = format!(
                "UPDATE alert_channels SET failing_since = now() - interval '{failing_for}', next_send_at = NULL;
                 UPDATE alert_deliveries SET taken_until = NULL"
            );
            sending.fixture.sql.batch_execute(&began).await.unwrap();
            assert_eq!(sending.sent_with(old).await, [old]);
            sending.fails(old, None).await;
            let new = sending.told("uptime").await;
            let pause = sending.put_off(new).await;
            assert!(
                pause > Duration::minutes(least) && pause <= Duration::minutes(most),
                "{failing_for}: {pause}"
            );
            let due = "UPDATE alert_channels SET next_send_at = now()";
            sending.fixture.sql.batch_execute(due).await.unwrap();
            assert!(sending.sent_with(new).await.contains(&new));
            sending.end(new, &AttemptEnd::Sent).await;
        }
    }
}

/// The clock of the whole machine was ahead while a receiver failed and a delivery was under way, and has been set back.
#[tokio::test]
async fn what_a_clock_ahead_has_taken_and_put_off_is_sent_at_once() {
    for (sending, is_mail) in [
        (Sending::to_slack().await, false),
        (Sending::to_mail().await, true),
    ] {
        let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
        assert!(sending.sent_with(first).await.contains(&first));
        sending.fails(first, None).await;
        let free = "UPDATE alert_channels SET next_send_at = now();
            UPDATE alert_deliveries SET taken_until = NULL";
        sending.fixture.sql.batch_execute(free).await.unwrap();
        assert!(sending.sent_with(first).await.contains(&first));
        let ahead = "UPDATE alert_channels SET failing_since = failing_since + interval '20 hours',
                next_send_at = now() + interval '20 hours';
            UPDATE alert_deliveries SET taken_until = taken_until + interval '20 hours'";
        sending.fixture.sql.batch_execute(ahead).await.unwrap();
        if is_mail {
            assert_eq!(sending.sent_with(second).await, [first, second]);
        } else {
            assert_eq!(sending.sent_with(second).await, [second]);
            sending.end(second, &AttemptEnd::Sent).await;
            assert_eq!(sending.sent_with(first).await, [first]);
        }
        // The next failure is of now.
        sending.fails(first, None).await;
        let since = "SELECT failing_since <= now() FROM alert_channels
            JOIN alert_deliveries ON channel_id = alert_channels.id WHERE alert_deliveries.id = $1";
        assert!(sending.is(since, first).await);
    }
}

#[tokio::test]
async fn a_delivery_that_works_waits_for_no_other() {
    let sending = Sending::to_slack().await;
    let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
    assert_eq!(sending.sent_with(first).await, [first]);
    assert_eq!(sending.sent_with(second).await, [second]);
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

/// A mail server refuses the mail for one of them.
#[tokio::test]
async fn what_was_refused_together_is_sent_again_one_by_one() {
    let sending = Sending::to_mail().await;
    let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
    assert_eq!(sending.sent_with(first).await, [first, second]);
    let put_off = "UPDATE jobs SET run_at = now() + interval '2 minutes'";
    sending.fixture.sql.batch_execute(put_off).await.unwrap();
    let why = || "the mail server answered 554".to_owned();
    let together = [first, second];
    let refused = AttemptEnd::Apart { why: why() };
    let ended = sending.store.end(&sending.channel, &together, &refused).await;
    ended.unwrap();
    let due = "SELECT run_at <= now() FROM jobs WHERE id = $1";
    assert!(sending.is(due, second).await);

    let third = sending.told("uptime").await;
    let gathers = async || {
        let pause = sending.put_off(third).await;
        assert!(
            pause > Duration::minutes(4),
            "mails are five minutes apart: {pause}"
        );
    };
    gathers().await;
    // They themselves do not wait until mails have gathered again.
    assert_eq!(sending.sent_with(second).await, [second]);
    sending.end(second, &AttemptEnd::GivenUp { why: why() }).await;
    gathers().await;
    assert_eq!(sending.sent_with(first).await, [first]);
    let due = "UPDATE alert_channels SET next_send_at = now()";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(
        sending.sent_with(third).await,
        [third],
        "it takes neither of them along"
    );
    sending.end(first, &AttemptEnd::Sent).await;
    let is = "SELECT state = 'failed' FROM alert_deliveries WHERE id = $1";
    assert!(sending.is(is, second).await && !sending.is(is, first).await);
}

/// Where all is refused, mails do not come one after the other until nothing waits.
#[tokio::test]
async fn mails_are_five_minutes_apart_where_one_was_refused_before() {
    let sending = Sending::to_mail().await;
    let why = || "the mail server answered 550".to_owned();
    let before = sending.told("uptime").await;
    assert_eq!(sending.sent_with(before).await, [before]);
    sending.end(before, &AttemptEnd::GivenUp { why: why() }).await;
    let due = "UPDATE alert_channels SET next_send_at = now()";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    let together = [sending.told("uptime").await, sending.told("uptime").await];
    assert_eq!(sending.sent_with(together[0]).await, together);
    let refused = AttemptEnd::Apart { why: why() };
    let ended = sending.store.end(&sending.channel, &together, &refused).await;
    ended.unwrap();
    let next = sending.told("uptime").await;
    let pause = sending.put_off(next).await;
    assert!(pause > Duration::minutes(4), "{pause}");
    assert_eq!(sending.sent_with(together[1]).await, [together[1]]);
}

/// The mail server refuses one for good, and takes the next: that something critical began waits half a minute for it, as ever.
/// Where the server fails, it is left alone.
#[tokio::test]
async fn a_mail_that_is_refused_has_nothing_critical_wait_longer() {
    let sending = Sending::to_mail().await;
    let critical = async || {
        let delivery = sending.told("uptime").await;
        let worse = "UPDATE notifications SET severity = 'critical'
            WHERE id = (SELECT notification_id FROM alert_deliveries WHERE id = $1)";
        sending.fixture.sql.execute(worse, &[&delivery.0]).await.unwrap();
        delivery
    };
    let refused = critical().await;
    assert_eq!(sending.sent_with(refused).await, [refused]);
    let why = "the mail server answered 550".to_owned();
    sending.end(refused, &AttemptEnd::GivenUp { why }).await;
    let fails = "SELECT c.failing_since IS NOT NULL FROM alert_channels AS c
        JOIN alert_deliveries AS d ON d.channel_id = c.id WHERE d.id = $1";
    assert!(
        sending.is(fails, refused).await,
        "where all are refused, that is told in three days"
    );
    let next = critical().await;
    let pause = sending.put_off(next).await;
    assert!(pause <= Duration::seconds(30), "{pause}");

    let due = "UPDATE alert_channels SET next_send_at = now()";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(sending.sent_with(next).await, [next]);
    let long = "UPDATE alert_channels SET failing_since = now() - interval '1 hour'";
    sending.fixture.sql.batch_execute(long).await.unwrap();
    sending.fails(next, None).await;
    let another = critical().await;
    let pause = sending.put_off(another).await;
    assert!(pause > Duration::minutes(4), "{pause}");
}

/// Nothing has the channel wait: only the mail that tells of the beginning itself.
#[tokio::test]
async fn an_end_waits_for_the_mail_that_tells_of_its_beginning() {
    let sending = Sending::to_mail().await;
    let began = sending.told("uptime").await;
    assert_eq!(sending.sent_with(began).await, [began]);
    let notification = "SELECT notification_id FROM alert_deliveries WHERE id = $1";
    let row = sending.fixture.sql.query_one(notification, &[&began.0]).await;
    let notification: Uuid = row.unwrap().get(0);
    sending.over(notification).await;
    let end = sending.delivery(notification, "resolved").await;
    let due = "UPDATE alert_channels SET next_send_at = NULL";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert!(sending.put_off(end).await <= Duration::seconds(15));
    sending.end(began, &AttemptEnd::Sent).await;
    assert_eq!(sending.sent_with(end).await, [end]);
}

/// One is tried at a time: most of what waits has had no attempt of its own.
#[tokio::test]
async fn what_has_waited_a_day_for_a_receiver_that_fails_is_given_up() {
    let sending = Sending::to_slack().await;
    let (first, second) = (sending.told("uptime").await, sending.told("uptime").await);
    assert_eq!(sending.sent_with(first).await, [first]);
    sending.fails(first, None).await;
    let (failing_for, waited_for) = (
        "UPDATE alert_channels SET failing_since = now() - interval '29 hours'",
        "UPDATE alert_deliveries SET created_at = now() - interval '29 hours'",
    );
    sending.fixture.sql.batch_execute(waited_for).await.unwrap();
    sending.put_off(second).await;
    sending.fixture.sql.batch_execute(failing_for).await.unwrap();
    let new = sending.told("uptime").await;
    let dead = "SELECT state = 'failed' AND ended_at IS NOT NULL AND taken_until IS NULL FROM alert_deliveries WHERE id = $1";
    for (delivery, error) in [
        (first, "the receiver answered 503"),
        (second, "nothing has reached the receiver for a day"),
    ] {
        match sending.take(delivery).await {
            Taken::GivenUp(ChannelKind::Slack, why) => assert_eq!(why, error),
            other => panic!("{other:?}"),
        }
        assert!(sending.is(dead, delivery).await);
    }
    sending.put_off(new).await;

    // Somebody sends it again: it has all its attempts once more.
    let due = "UPDATE alert_channels SET next_send_at = now()";
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(sending.sent_with(second).await, [second]);
    sending.fails(second, None).await;
    sending.put_off(second).await;
    sending.fixture.sql.batch_execute(due).await.unwrap();
    assert_eq!(sending.sent_with(second).await, [second]);
}

#[tokio::test]
async fn in_quiet_hours_all_but_what_is_critical_waits_for_their_end() {
    let sending = Sending::to_slack().await;
    // From an hour ago until in an hour.
    let quiet = "UPDATE alert_channels
        SET quiet_hours = to_char(now() AT TIME ZONE 'UTC' - interval '1 hour', 'HH24:MI') || '-'
            || to_char(now() AT TIME ZONE 'UTC' + interval '1 hour', 'HH24:MI') || ' UTC'";
    sending.fixture.sql.batch_execute(quiet).await.unwrap();
    let (warning, critical) = (sending.told("uptime").await, sending.told("uptime").await);
    let worse = "UPDATE notifications SET severity = 'critical'
        WHERE id = (SELECT notification_id FROM alert_deliveries WHERE id = $1)";
    sending.fixture.sql.execute(worse, &[&critical.0]).await.unwrap();
    let pause = sending.put_off(warning).await;
    let hour = Duration::HOUR;
    assert!(pause > hour - Duration::minutes(2) && pause <= hour, "{pause}");
    assert_eq!(sending.sent_with(critical).await, [critical]);
    // A delivery that has waited for long in them is not given up.
    let failing =
        "UPDATE alert_channels SET failing_since = now() - interval '30 hours', next_send_at = now();
        UPDATE alert_deliveries SET created_at = now() - interval '30 hours', taken_until = NULL";
    sending.fixture.sql.batch_execute(failing).await.unwrap();
    let pause = sending.put_off(warning).await;
    assert!(pause > hour - Duration::minutes(2), "{pause}");
    let over = "UPDATE alert_channels SET quiet_hours = NULL";
    sending.fixture.sql.batch_execute(over).await.unwrap();
    assert!(matches!(sending.take(warning).await, Taken::GivenUp(..)));
}
