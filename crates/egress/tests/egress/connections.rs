//! Servers that can't be reached, say nothing, or go away.

use std::time::Duration;

use pharos_egress::{
    client::{EgressError, InvalidAnswer, Redirects},
    connect::ConnectError,
    testing::{
        dns::Dns,
        server::{Server, Step, answer, on_one_port, redirect},
    },
};
use tokio::net::TcpListener;

use crate::lab::{Lab, ask};

#[tokio::test]
async fn a_closed_port_refuses() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let refused = Lab::new().permit(address).get(format!("http://{address}/")).await;
    assert!(
        matches!(refused, Err(EgressError::Connect(ConnectError::Refused))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn an_address_that_refuses_gives_way_to_the_next() {
    let (dead, alive) = on_one_port("[::1]", "127.0.0.1").await;
    let socket = dead.local_addr().unwrap();
    drop(dead);
    let dns = Dns::with(&["::1", "127.0.0.1"]).await;
    let server = Server::start_with(alive, None, |_| vec![Step::Send(answer(200, &[], "hello"))]);
    let lab = Lab::new().permit(server.address).permit(socket).dns(&dns);
    let answer = lab.get(server.url_at("site.test", "/")).await.unwrap();
    assert_eq!(answer.body, b"hello");
}

#[tokio::test]
async fn a_server_that_is_silent_costs_no_more_than_the_time() {
    for step in [
        Step::Hold,
        Step::Trickle(answer(200, &[], ""), Duration::from_secs(1)),
    ] {
        let server = Server::start(move |_| vec![step.clone()]).await;
        let refused = Lab::new()
            .permit(server.address)
            .settings(|settings| settings.limits.time = Duration::from_millis(500))
            .get(server.url("/"))
            .await;
        assert!(matches!(refused, Err(EgressError::Silent { .. })), "{refused:?}");
        server.is_left_by(1).await;
    }
}

/// Each hop is quick enough by itself.
#[tokio::test]
async fn the_time_is_for_all_redirects_together() {
    let server = Server::start(|head| {
        let hops = head.split(' ').nth(1).unwrap_or_default().len();
        let location = format!("/{}", "x".repeat(hops));
        let next = redirect(302, &location);
        vec![Step::Wait(Duration::from_millis(400)), Step::Send(next)]
    })
    .await;
    let refused = Lab::new()
        .permit(server.address)
        .settings(|settings| {
            settings.redirects = Redirects::Follow(1_000);
            settings.limits.time = Duration::from_secs(1);
        })
        .get(server.url("/"))
        .await;
    assert!(matches!(refused, Err(EgressError::Silent { .. })), "{refused:?}");
    assert!(server.heads().len() <= 3, "{}", server.heads().len());
}

#[tokio::test]
async fn a_server_that_breaks_off_is_told_from_one_that_does_not_speak_http() {
    for steps in [vec![], vec![Step::Reset]] {
        let server = Server::start(move |_| steps.clone()).await;
        let refused = ask(&server).await;
        assert!(matches!(refused, Err(EgressError::Broken)), "{refused:?}");
    }
    let server = Server::answering(b"SSH-2.0-OpenSSH_9.6\r\n\r\n".to_vec()).await;
    let refused = ask(&server).await;
    assert!(
        matches!(refused, Err(EgressError::Invalid(InvalidAnswer::Head))),
        "{refused:?}"
    );
}
