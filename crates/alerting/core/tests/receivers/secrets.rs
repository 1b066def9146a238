//! No secret of a channel is in what people and logs are told.

use pharos_alerting::delivery::{
    json_sender::JsonSender,
    message::Message,
    send_error::SendError,
    target::{OpsgenieRegion, PreviousSecret, Target},
};
use pharos_egress::testing::{
    certificates::Identity,
    server::{Server, Step, redirect},
};
use serde_json::json;
use tokio::net::TcpListener;

use crate::{
    cases::{raised, resolved},
    lab::{Lab, NOW, secret},
    receiver::{Heard, Receiver},
};

/// Parts of the secrets below. None of them stands anywhere else.
const PARTS: [&str; 6] = [
    "hunter2",
    "S1gn",
    "MfKQ9r8GKYqrTwjUPD8I",
    "AAECAwQFBgcICQoL",
    "90210",
    "t0k3n",
];

/// A channel of each kind, all of them at this URL.
fn targets(base: &str) -> Vec<Target> {
    let url = || {
        secret(format!(
            "{base}/T000/hunter2%2Fhunter2/x?sig=S1gn%2BS1gn&v=1#S1gn"
        ))
    };
    let signing = |value| serde_json::from_value(json!(value)).unwrap();
    vec![
        Target::Webhook {
            url: url(),
            secret: signing("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
            previous: Some(PreviousSecret {
                secret: signing("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
                until: NOW + time::Duration::HOUR,
            }),
        },
        Target::Slack { url: url() },
        Target::Teams { url: url() },
        Target::Discord { url: url() },
        Target::Telegram {
            bot_token: secret("90210:hunter2_t0k3n-hunter2"),
            chat_id: "@shop".to_owned(),
        },
        Target::Ntfy {
            url: secret(format!("{base}/hunter2_hunter2?auth=S1gn")),
            token: Some(secret("tk_t0k3nt0k3n")),
        },
        Target::Pagerduty {
            routing_key: secret("hunter2hunter2hunter2hunter2hunt"),
        },
        Target::Opsgenie {
            api_key: secret("t0k3n-hunter2-t0k3n"),
            region: OpsgenieRegion::Us,
        },
    ]
}

fn hides(shown: &str) {
    let shown_in_lower_case = shown.to_ascii_lowercase();
    for part in PARTS {
        assert!(
            !shown_in_lower_case.contains(&part.to_ascii_lowercase()),
            "{part} in {shown}"
        );
    }
}

fn refusal_hides(refused: &SendError) {
    for shown in [refused.why.clone(), format!("{refused}"), format!("{refused:?}")] {
        hides(&shown);
    }
}

/// All that a request holds, as a careless receiver repeats it.
fn repeated(heard: &Heard) -> String {
    let path = heard.path.replace("%2F", "/").replace("%2B", "+");
    format!(
        "{} {} {} {:?} {} {}",
        heard.method,
        heard.path,
        path.to_uppercase(),
        heard.headers,
        String::from_utf8_lossy(&heard.body),
        // The receiver of a webhook knows its secret.
        "expected whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw or whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    )
}

async fn try_all(sender: &JsonSender, base: &str) -> usize {
    let mut refusals = 0;
    for target in targets(base) {
        for message in [raised(), resolved()] {
            let message = Message {
                body: String::new(),
                ..message
            };
            let refused = sender.send(&target, &message, NOW).await.unwrap_err();
            refusal_hides(&refused);
            refusals += 1;
        }
    }
    refusals
}

#[tokio::test]
async fn a_receiver_may_repeat_what_it_heard() {
    for status in [400, 401, 404, 410, 429, 500] {
        for (before, after) in [("Cannot ", ""), ("", ""), ("{\"message\":\"", "\"}")] {
            let receiver =
                Receiver::start(move |heard| (status, format!("{before}{}{after}", repeated(heard)))).await;
            let lab = Lab::new().permit(receiver.address).services(&receiver.base());
            try_all(&lab.sender(), &receiver.base()).await;
            assert_eq!(receiver.count(), 16, "each of them was asked");
        }
    }
}

/// A part of the answer that is no secret stays in the reason, which says what to mend.
#[tokio::test]
async fn the_reason_itself_is_told() {
    let receiver = Receiver::start(|heard| (404, format!("Cannot POST {}: unknown hook", heard.path))).await;
    let lab = Lab::new().permit(receiver.address).services(&receiver.base());
    let target = targets(&receiver.base()).remove(1);
    let refused = lab.send(&target, &raised()).await.unwrap_err();
    assert_eq!(
        refused.why,
        "the receiver answered 404: Cannot POST /\u{2026}/\u{2026}%\u{2026}/x?sig=\u{2026}%\u{2026}&v=1: unknown hook"
    );
}

#[tokio::test]
async fn no_failure_on_the_way_tells_one() {
    let dead = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nobody = dead.local_addr().unwrap();
    drop(dead);
    let broken = Server::start(|_| vec![Step::Reset]).await;
    let garbage = Server::answering(b"hunter2 says no\r\n\r\n".to_vec()).await;
    let elsewhere = Server::answering(redirect(302, "http://127.0.0.1/hunter2")).await;
    let untrusted = Server::secure(Identity::self_signed(&["127.0.0.1"]).acceptor(&[])).await;
    for (base, address) in [
        (format!("http://{nobody}"), nobody),
        (broken.url(""), broken.address),
        (garbage.url(""), garbage.address),
        (elsewhere.url(""), elsewhere.address),
        (untrusted.url(""), untrusted.address),
    ] {
        let permitted = Lab::new().permit(address).services(&base).sender();
        assert_eq!(try_all(&permitted, &base).await, 16);
        let forbidden = Lab::new().services(&base).sender();
        assert_eq!(try_all(&forbidden, &base).await, 16);
        hides(&format!("{permitted:?}"));
    }
}

#[test]
fn no_debug_output_shows_one() {
    for target in targets("https://hooks.example") {
        hides(&format!("{target:?} {target:#?} {}", target.hint()));
    }
}
