//! Clients that ask for the status of an answer alone.

use std::time::{Duration, Instant};

use pharos_egress::{
    client::{Answers, EgressError, Redirects},
    testing::server::{Server, Step, answer, head, path_of, redirect},
};

use crate::lab::{Lab, NOW, get};

const MEBIBYTE: u64 = 1024 * 1024;

fn lab(server: &Server) -> Lab {
    Lab::new()
        .permit(server.address)
        .settings(|settings| settings.answers = Answers::Status)
}

/// A status with a body that has no end.
async fn endless(status: u16) -> Server {
    Server::start(move |_| {
        vec![
            Step::Send(format!("HTTP/1.1 {status} Status\r\nconnection: close\r\n\r\n").into_bytes()),
            Step::Repeat(vec![b' '; 64 * 1024]),
        ]
    })
    .await
}

#[tokio::test]
async fn the_body_of_a_success_is_not_read() {
    let whole = Server::answering(answer(200, &[("x-own", "own")], "a body")).await;
    let answer = lab(&whole).get(whole.url("/")).await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.as_slice()), (200, &b""[..]));
    assert_eq!(answer.headers["x-own"], "own");

    let large = Server::start(|_| vec![Step::Send(head(202, &[], 10_000_000_000)), Step::Hold]).await;
    let damaged = Server::start(|_| {
        let head = head(200, &[("content-encoding", "br")], 100);
        vec![Step::Send(head), Step::Send(b"some".to_vec()), Step::Hold]
    })
    .await;
    for server in [&large, &damaged, &endless(299).await] {
        let began = Instant::now();
        let answer = lab(server).get(server.url("/")).await;
        assert!(answer.is_ok_and(|answer| answer.body.is_empty()));
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        server.is_left_by(1).await;
    }
}

#[tokio::test]
async fn the_body_of_a_refusal_is_read_within_bounds() {
    for status in [404, 429, 500, 503] {
        let server = Server::answering(answer(status, &[], "the reason")).await;
        let answer = lab(&server).get(server.url("/")).await.unwrap();
        assert_eq!(
            (answer.status.as_u16(), answer.body.as_slice()),
            (status, &b"the reason"[..])
        );
    }
    for status in [404, 429, 500, 503] {
        let server = endless(status).await;
        let answer = lab(&server).get(server.url("/")).await.unwrap();
        assert_eq!(
            (answer.status.as_u16(), answer.body.as_slice()),
            (status, &b""[..])
        );
        server.is_left_by(1).await;
        // The limit is one of them; the others wait in sockets.
        assert!(server.sent() < 16 * MEBIBYTE, "{}", server.sent());
    }
}

#[tokio::test]
async fn a_refusal_that_drips_has_a_status_once_the_time_is_over() {
    let server = Server::start(|_| {
        let drip = Step::Trickle(vec![b' '; 1_000], Duration::from_millis(50));
        vec![Step::Send(head(500, &[], 1_000)), drip]
    })
    .await;
    let began = Instant::now();
    let answer = lab(&server)
        .settings(|settings| settings.limits.time = Duration::from_millis(500))
        .get(server.url("/"))
        .await;
    assert!(answer.is_ok_and(|answer| answer.status == 500));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    server.is_left_by(1).await;
}

/// The same server answers for many receivers: a pause is for the one that asked for it.
#[tokio::test]
async fn a_server_that_asks_for_a_pause_may_be_asked_at_once() {
    for status in [429, 503] {
        let server = Server::start(move |head| {
            vec![Step::Send(match path_of(head) {
                "/busy" => answer(status, &[("retry-after", "3600")], "later"),
                _ => answer(200, &[], ""),
            })]
        })
        .await;
        let client = lab(&server).client();
        for (path, status) in [("/busy", status), ("/idle", 200), ("/busy", status)] {
            let answer = client.send(get(server.url(path)), NOW).await.unwrap();
            assert_eq!(answer.status.as_u16(), status);
            assert_eq!(answer.headers.contains_key("retry-after"), path == "/busy");
        }
        assert_eq!(server.heads().len(), 3);
    }
}

#[tokio::test]
async fn redirects_are_what_they_are_for_everyone() {
    let server = Server::start(|head| {
        vec![Step::Send(match path_of(head) {
            "/" => redirect(302, "/next"),
            _ => answer(204, &[], ""),
        })]
    })
    .await;
    let followed = lab(&server).get(server.url("/")).await.unwrap();
    assert_eq!(followed.status, 204);
    let refused = lab(&server)
        .settings(|settings| settings.redirects = Redirects::Refuse)
        .get(server.url("/"))
        .await;
    assert!(matches!(refused, Err(EgressError::Redirected)), "{refused:?}");
}
