//! How often servers are asked, and what they say about it.

use std::time::{Duration, Instant};

use pharos_egress::{
    client::EgressError,
    testing::server::{Server, answer},
};
use tokio::join;

use crate::lab::{Lab, NOW, get};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_server_is_asked_once_in_an_interval() {
    let server = Server::answering(answer(200, &[], "")).await;
    let client = Lab::new()
        .permit(server.address)
        .settings(|settings| settings.between = SECOND)
        .client();
    let ask = || client.send(get(server.url("/")), NOW);
    let began = Instant::now();
    let (first, second, third) = join!(ask(), ask(), ask());
    assert!(first.is_ok() && second.is_ok() && third.is_ok());
    assert!(began.elapsed() >= 2 * SECOND, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_turn_that_is_too_far_off_is_told_and_nothing_is_sent() {
    let server = Server::answering(answer(200, &[], "")).await;
    let client = Lab::new()
        .permit(server.address)
        .settings(|settings| {
            settings.between = 3_600 * SECOND;
            settings.patience = SECOND;
        })
        .client();
    assert!(client.send(get(server.url("/")), NOW).await.is_ok());
    let refused = client.send(get(server.url("/")), NOW).await.unwrap_err();
    assert!(matches!(refused, EgressError::NotYet { .. }), "{refused:?}");
    assert!(refused.retry_after() > Some(3_000 * SECOND), "{refused:?}");
    assert_eq!(server.heads().len(), 1);
}

/// The forms themselves are tried beside their parser.
#[tokio::test]
async fn a_server_that_asks_for_a_pause_gets_it_within_bounds() {
    for (status, value, told) in [
        (429, "120", Some(120)),
        (503, "Sun, 06 Nov 1994 08:51:00 GMT", Some(120)),
        (429, "99999999999999999999999999", Some(86_400)),
    ] {
        let server = Server::answering(answer(status, &[("retry-after", value)], "")).await;
        let client = Lab::new().permit(server.address).client();
        let refused = client.send(get(server.url("/")), NOW).await.unwrap_err();
        assert!(matches!(refused, EgressError::RateLimited { .. }), "{refused:?}");
        assert_eq!(refused.retry_after(), told.map(Duration::from_secs), "{value}");
        let held = client.send(get(server.url("/")), NOW).await.unwrap_err();
        assert!(matches!(held, EgressError::NotYet { .. }), "{held:?}");
        assert_eq!(server.heads().len(), 1, "it was left alone");
    }
}

#[tokio::test]
async fn a_server_that_says_nothing_of_use_may_be_asked_again() {
    for headers in [&[][..], &[("retry-after", "soon")], &[("retry-after", "-1")]] {
        let server = Server::answering(answer(429, headers, "")).await;
        let client = Lab::new().permit(server.address).client();
        for _ in 0..2 {
            let refused = client.send(get(server.url("/")), NOW).await;
            assert!(
                matches!(refused, Err(EgressError::RateLimited { retry_after: None })),
                "{refused:?}"
            );
        }
        assert_eq!(server.heads().len(), 2);
    }
}

#[tokio::test]
async fn one_server_at_rest_keeps_no_other_waiting() {
    let busy = Server::answering(answer(429, &[("retry-after", "3600")], "")).await;
    let idle = Server::answering(answer(200, &[], "")).await;
    let client = Lab::new().permit(busy.address).permit(idle.address).client();
    assert!(client.send(get(busy.url("/")), NOW).await.is_err());
    assert!(client.send(get(idle.url("/")), NOW).await.is_ok());
}
