//! Addresses that nothing is sent to, and servers that are not who they should be.

use pharos_alerting::delivery::send_error::NextAttempt;
use pharos_egress::testing::{
    canary::Canary,
    certificates::{Authority, Identity},
    dns::Dns,
    server::{Server, redirect},
};

use crate::{
    cases::raised,
    lab::{Lab, both},
};

#[tokio::test]
async fn nothing_is_sent_to_this_machine() {
    let canary = Canary::start().await;
    let dns = Dns::with(&["127.0.0.1", "::1"]).await;
    for host in [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "localhost",
        "rebinding.test",
        "hooks.rebinding.example",
    ] {
        for target in both(&format!("http://{host}:{}/hook", canary.port)) {
            let refused = Lab::new().dns(&dns).send(&target, &raised()).await.unwrap_err();
            assert_eq!(refused.next, NextAttempt::Later, "{host}: {refused}");
            assert!(!refused.why.contains("127.0.0.1"), "{refused}");
            assert!(refused.why.contains("by the setting probe_networks"), "{refused}");
        }
    }
    assert_eq!(canary.hits().await, 0);
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let canary = Canary::start().await;
    for status in [301, 302, 303, 307, 308] {
        for to in [
            format!("http://127.0.0.1:{}/", canary.port),
            "/elsewhere".to_owned(),
        ] {
            let server = Server::answering(redirect(status, &to)).await;
            // Not even to where requests may go.
            let lab = || {
                let canary = ([127, 0, 0, 1], canary.port).into();
                Lab::new().permit(server.address).permit(canary).sender()
            };
            for target in both(&server.url("/")) {
                let refused = lab().send(&target, &raised(), crate::lab::NOW).await.unwrap_err();
                assert_eq!(refused.next, NextAttempt::Later, "{status}: {refused}");
            }
            assert_eq!(server.heads().len(), 2);
        }
    }
    assert_eq!(canary.hits().await, 0);
}

#[tokio::test]
async fn nothing_is_said_to_a_server_whose_certificate_nobody_vouches_for() {
    let authority = Authority::new();
    let dns = Dns::with(&["127.0.0.1"]).await;
    for (identity, is_trusted) in [
        (authority.issue(&["hooks.test"]), true),
        (authority.issue(&["other.test"]), false),
        (Authority::new().issue(&["hooks.test"]), false),
        (Identity::self_signed(&["hooks.test"]), false),
    ] {
        let server = Server::secure(identity.acceptor(&[])).await;
        for target in both(&server.url_at("hooks.test", "/hook")) {
            let lab = Lab::new().permit(server.address).dns(&dns).trust(&authority);
            match lab.send(&target, &raised()).await {
                Ok(()) => assert!(is_trusted),
                Err(refused) => {
                    assert!(!is_trusted, "{refused}");
                    assert_eq!(refused.next, NextAttempt::Later);
                    assert_eq!(refused.why, "the connection can't be encrypted");
                }
            }
        }
        assert_eq!(server.heads().len(), if is_trusted { 2 } else { 0 });
    }
}
