//! Answers of receivers, and receivers that do not answer.

use std::time::{Duration as Pause, Instant};

use pharos_alerting::delivery::send_error::NextAttempt;
use pharos_egress::testing::server::{Server, Step, answer, head, path_of};
use time::Duration;

use crate::{
    cases::raised,
    lab::{Lab, NOW, both, chat, webhook},
};

/// More bytes than wait in the sockets of one connection.
const IN_SOCKETS: u64 = 16 * 1024 * 1024;

async fn answering(
    status: u16,
    headers: &'static [(&'static str, &'static str)],
    body: &'static str,
) -> Server {
    Server::answering(answer(status, headers, body)).await
}

#[tokio::test]
async fn any_status_of_success_is_one() {
    for status in [200, 201, 202, 203, 204, 299] {
        let server = answering(status, &[], "").await;
        for target in both(&server.url("/")) {
            let sent = Lab::new().permit(server.address).send(&target, &raised()).await;
            assert_eq!(sent, Ok(()), "{status}");
        }
    }
}

#[tokio::test]
async fn the_body_of_a_success_is_not_read() {
    let server = Server::start(|_| {
        vec![
            Step::Send(head(200, &[], 10_000_000_000)),
            Step::Repeat(vec![b' '; 64 * 1024]),
        ]
    })
    .await;
    for (before, target) in both(&server.url("/")).into_iter().enumerate() {
        let began = Instant::now();
        let sent = Lab::new().permit(server.address).send(&target, &raised()).await;
        assert_eq!(sent, Ok(()));
        assert!(began.elapsed() < Pause::from_secs(5), "{:?}", began.elapsed());
        server.is_left_by(before + 1).await;
    }
    assert!(server.sent() < 2 * IN_SOCKETS, "{}", server.sent());
}

#[tokio::test]
async fn an_endless_refusal_is_left() {
    let server = Server::start(|_| {
        let head = b"HTTP/1.1 500 Status\r\nconnection: close\r\n\r\n";
        vec![Step::Send(head.to_vec()), Step::Repeat(vec![b'x'; 64 * 1024])]
    })
    .await;
    for (before, target) in both(&server.url("/")).into_iter().enumerate() {
        let began = Instant::now();
        let refused = Lab::new().permit(server.address).send(&target, &raised()).await;
        let refused = refused.unwrap_err();
        assert_eq!(
            (refused.why.as_str(), refused.next),
            ("the receiver answered 500", NextAttempt::Later)
        );
        assert!(began.elapsed() < Pause::from_secs(5), "{:?}", began.elapsed());
        server.is_left_by(before + 1).await;
    }
    assert!(server.sent() < 2 * IN_SOCKETS, "{}", server.sent());
}

/// A delivery has 15 seconds, whether the receiver says nothing or nearly nothing.
#[tokio::test]
async fn a_receiver_that_does_not_answer_is_tried_later() {
    let silent = Server::start(|_| vec![Step::Hold]).await;
    let dripping = Server::start(|_| {
        let drip = Step::Trickle(vec![b'x'; 10_000], Pause::from_millis(100));
        vec![Step::Send(head(500, &[], 10_000)), drip]
    })
    .await;
    let began = Instant::now();
    let sender = Lab::new()
        .permit(silent.address)
        .permit(dripping.address)
        .sender();
    let message = raised();
    let [to_webhook, to_chat] = both(&silent.url("/"));
    let to_dripping = webhook(dripping.url("/"));
    let (first, second, third) = tokio::join!(
        sender.send(&to_webhook, &message, NOW),
        sender.send(&to_chat, &message, NOW),
        sender.send(&to_dripping, &message, NOW),
    );
    let elapsed = began.elapsed();
    assert!(
        (Pause::from_secs(14)..Pause::from_secs(20)).contains(&elapsed),
        "{elapsed:?}"
    );
    for (refused, why) in [
        (first, "the server did not answer within 15 s"),
        (second, "the server did not answer within 15 s"),
        (third, "the receiver answered 500"),
    ] {
        let refused = refused.unwrap_err();
        assert!(refused.why.starts_with(why), "{refused}");
        assert_eq!(refused.next, NextAttempt::Later);
    }
}

#[tokio::test]
async fn gone_is_for_good() {
    let server = answering(410, &[("retry-after", "10")], "gone").await;
    for target in both(&server.url("/")) {
        let refused = Lab::new().permit(server.address).send(&target, &raised()).await;
        assert_eq!(refused.unwrap_err().next, NextAttempt::Gone);
    }
}

#[tokio::test]
async fn a_pause_is_for_the_channel_that_was_asked_for_it() {
    for status in [429, 503] {
        let server = Server::start(move |head| {
            vec![Step::Send(match path_of(head) {
                "/busy" => answer(status, &[("retry-after", "120")], "slow down"),
                _ => answer(200, &[], ""),
            })]
        })
        .await;
        // One sender for all channels, as in the server.
        let sender = Lab::new().permit(server.address).sender();
        for (busy, other) in both(&server.url("/busy"))
            .into_iter()
            .zip(both(&server.url("/other")))
        {
            let refused = sender.send(&busy, &raised(), NOW).await.unwrap_err();
            assert_eq!(refused.next, NextAttempt::After(Duration::minutes(2)), "{status}");
            assert!(
                refused.why.ends_with(&format!("{status}: slow down")),
                "{refused}"
            );
            assert_eq!(sender.send(&other, &raised(), NOW).await, Ok(()));
            // Nor is the channel itself held back: its job knows when it is time.
            let heard = server.heads().len();
            assert!(sender.send(&busy, &raised(), NOW).await.is_err());
            assert_eq!(server.heads().len(), heard + 1);
        }
    }
}

#[tokio::test]
async fn a_pause_may_be_a_date_and_has_a_bound() {
    for (value, retry) in [
        (
            "Sat, 10 Jan 2026 12:02:30 GMT",
            NextAttempt::After(Duration::minutes(2)),
        ),
        ("99999999999", NextAttempt::After(Duration::HOUR)),
        ("99999999999999999999", NextAttempt::After(Duration::HOUR)),
        ("soon", NextAttempt::Later),
    ] {
        let server =
            Server::start(move |_| vec![Step::Send(answer(429, &[("retry-after", value)], ""))]).await;
        let refused = Lab::new()
            .permit(server.address)
            .send(&chat(server.url("/")), &raised())
            .await;
        assert_eq!(refused.unwrap_err().next, retry, "{value}");
    }
}

#[tokio::test]
async fn a_chat_service_knows_its_own_interface_and_a_webhook_may_be_mended() {
    for (status, of_chat, of_webhook) in [
        (400, NextAttempt::Never, NextAttempt::Later),
        (403, NextAttempt::Never, NextAttempt::Later),
        (404, NextAttempt::Never, NextAttempt::Later),
        (408, NextAttempt::Later, NextAttempt::Later),
        (409, NextAttempt::Later, NextAttempt::Later),
        (422, NextAttempt::Never, NextAttempt::Later),
        (429, NextAttempt::Later, NextAttempt::Later),
        (500, NextAttempt::Later, NextAttempt::Later),
        (503, NextAttempt::Later, NextAttempt::Later),
    ] {
        let server = Server::answering(answer(status, &[], "no_service\r\n\u{202e}")).await;
        for (target, retry) in [
            (chat(server.url("/")), of_chat),
            (webhook(server.url("/")), of_webhook),
        ] {
            let refused = Lab::new()
                .permit(server.address)
                .send(&target, &raised())
                .await
                .unwrap_err();
            assert_eq!(refused.why, format!("the receiver answered {status}: no_service"));
            assert_eq!(refused.next, retry, "{status}");
        }
    }
}
