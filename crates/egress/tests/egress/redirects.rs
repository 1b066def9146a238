//! Redirects: how many, where to, and what is sent along.

use http::{
    HeaderValue,
    header::{AUTHORIZATION, HeaderName},
};
use pharos_egress::{
    client::{EgressError, InvalidAnswer, Redirects, Request, Schemes},
    redirect::RedirectFault,
    testing::{
        certificates::Authority,
        dns::Dns,
        server::{Server, Step, answer, path_of, redirect},
    },
};
use tokio::net::TcpListener;

use crate::lab::{Lab, ask};

/// Redirects from each of these paths to the next.
async fn chain(paths: &'static [&'static str]) -> Server {
    Server::start(move |head| {
        let at = paths.iter().position(|path| *path == path_of(head));
        let next = at.and_then(|at| paths.get(at + 1));
        vec![Step::Send(match next {
            Some(next) => redirect(302, next),
            None => answer(200, &[], path_of(head)),
        })]
    })
    .await
}

#[tokio::test]
async fn so_many_redirects_are_followed_and_no_more() {
    let server = chain(&["/", "/a", "b", "/c"]).await;
    let answer = ask(&server).await;
    assert!(answer.is_ok(), "{answer:?}");
    let server = chain(&["/", "/a", "/b", "/c", "/d"]).await;
    let refused = ask(&server).await;
    assert!(
        matches!(
            refused,
            Err(EgressError::TooManyRedirects(RedirectFault::TooMany(3)))
        ),
        "{refused:?}"
    );
    assert_eq!(server.heads().len(), 4);
}

#[tokio::test]
async fn a_redirect_can_be_handed_back() {
    let server = chain(&["/", "/a"]).await;
    let lab = || {
        Lab::new()
            .permit(server.address)
            .settings(|settings| settings.redirects = Redirects::Return)
    };
    let answer = lab().get(server.url("/")).await.unwrap();
    assert_eq!((answer.status.as_u16(), server.heads().len()), (302, 1));
    assert_eq!(answer.redirect.map(String::from), Some(server.url("/a")));
    let last = lab().get(server.url("/a")).await.unwrap();
    assert_eq!(last.redirect, None);

    let inward = Server::answering(redirect(302, "http://10.0.0.1/")).await;
    let refused = Lab::new()
        .permit(inward.address)
        .settings(|settings| settings.redirects = Redirects::Return)
        .get(inward.url("/"))
        .await;
    assert!(matches!(refused, Err(EgressError::Forbidden(_))), "{refused:?}");
}

#[tokio::test]
async fn a_circle_is_left_at_once() {
    let server = chain(&["/", "/a", "/"]).await;
    let refused = ask(&server).await;
    assert!(
        matches!(refused, Err(EgressError::TooManyRedirects(RedirectFault::Circle))),
        "{refused:?}"
    );
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn the_answer_says_which_url_gave_it() {
    let server = chain(&["/", "/a"]).await;
    let answer = ask(&server).await.unwrap();
    assert_eq!(answer.url.as_str(), server.url("/a"));
    assert_eq!(answer.body, b"/a");
}

#[tokio::test]
async fn a_client_may_refuse_redirects() {
    for status in [301, 302, 303, 307, 308] {
        let server = Server::answering(redirect(status, "/elsewhere")).await;
        let refused = Lab::new()
            .permit(server.address)
            .settings(|settings| settings.redirects = Redirects::Refuse)
            .get(server.url("/"))
            .await;
        assert!(matches!(refused, Err(EgressError::Redirected)), "{refused:?}");
        assert_eq!(server.heads().len(), 1);
    }
}

#[tokio::test]
async fn a_redirect_to_nowhere_is_invalid() {
    let nowhere = Server::answering(answer(302, &[], "")).await;
    let no_url = Server::answering(redirect(302, "http://[")).await;
    for server in [nowhere, no_url] {
        let refused = ask(&server).await;
        assert!(
            matches!(refused, Err(EgressError::Invalid(InvalidAnswer::Location))),
            "{refused:?}"
        );
    }
}

/// A server over TLS at site.test, which redirects to plain HTTP, where it serves as well.
#[tokio::test]
async fn encrypted_stays_encrypted_where_asked() {
    let plain = Server::answering(answer(200, &[], "plain")).await;
    let authority = Authority::new();
    let tls = authority.issue(&["site.test"]).acceptor(&[]);
    let to = plain.url("/");
    let encrypted = Server::start_on("127.0.0.1:0", Some(tls), move |_| {
        vec![Step::Send(redirect(302, &to))]
    })
    .await;
    let dns = Dns::with(&["127.0.0.1"]).await;
    for (schemes, from_encrypted, from_plain) in [
        (Schemes::Any, true, true),
        (Schemes::NoDowngrade, false, true),
        (Schemes::Https, false, false),
    ] {
        let ask = |url: String| {
            Lab::new()
                .permit(plain.address)
                .permit(encrypted.address)
                .dns(&dns)
                .trust(&authority)
                .settings(|settings| settings.schemes = schemes)
                .get(url)
        };
        for (url, passes) in [
            (encrypted.url_at("site.test", "/"), from_encrypted),
            (plain.url("/"), from_plain),
        ] {
            match ask(url).await {
                Ok(answer) => assert!(passes && answer.body == b"plain", "{schemes:?}"),
                Err(EgressError::Insecure) => assert!(!passes, "{schemes:?}"),
                Err(error) => unreachable!("{schemes:?}: {error:?}"),
            }
        }
    }
}

fn post(server: &Server) -> Request {
    Request::post(server.url("/").parse().unwrap())
        .accept("application/json")
        .header(AUTHORIZATION, HeaderValue::from_static("Bearer secret"))
        .header(HeaderName::from_static("x-own"), HeaderValue::from_static("own"))
        .body("text/plain", "a body")
}

#[tokio::test]
async fn a_post_becomes_a_get_or_is_sent_again_as_the_status_says() {
    for (status, method) in [
        (301, "get"),
        (302, "get"),
        (303, "get"),
        (307, "post"),
        (308, "post"),
    ] {
        let server = Server::start(move |head| {
            let sent = match path_of(head) {
                "/" => redirect(status, "/next"),
                _ => answer(200, &[], ""),
            };
            vec![Step::Send(sent)]
        })
        .await;
        let answered = Lab::new().permit(server.address).send(post(&server)).await;
        assert!(answered.is_ok(), "{status}: {answered:?}");
        let next = &server.heads()[1];
        assert!(next.starts_with(&format!("{method} /next")), "{status}: {next}");
        assert_eq!(next.contains("content-length: 6"), method == "post", "{next}");
        assert_eq!(next.contains("content-type"), method == "post", "{next}");
        assert!(next.contains("bearer secret") && next.contains("x-own"), "{next}");
    }
}

#[tokio::test]
async fn nothing_secret_goes_to_another_origin() {
    let elsewhere = Server::answering(answer(200, &[], "")).await;
    let to = elsewhere.url("/");
    let start = |status| {
        let to = to.clone();
        Server::start(move |_| vec![Step::Send(redirect(status, &to))])
    };
    let server = start(302).await;
    let lab = || Lab::new().permit(elsewhere.address);
    let answered = lab().permit(server.address).send(post(&server)).await;
    assert!(answered.is_ok(), "{answered:?}");
    let head = &elsewhere.heads()[0];
    assert!(head.contains("accept: application/json"), "{head}");
    assert!(!head.contains("secret") && !head.contains("x-own"), "{head}");

    // A body is a secret, too.
    let server = start(307).await;
    let refused = lab().permit(server.address).send(post(&server)).await;
    assert!(matches!(refused, Err(EgressError::Redirected)), "{refused:?}");
    assert_eq!(elsewhere.heads().len(), 1);
}

#[tokio::test]
async fn headers_that_were_left_behind_do_not_come_back() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let home = listener.local_addr().unwrap();
    let elsewhere = Server::answering(redirect(302, &format!("http://{home}/back"))).await;
    let to = elsewhere.url("/");
    let server = Server::start_with(listener, None, move |head| {
        let sent = match path_of(head) {
            "/" => redirect(302, &to),
            _ => answer(200, &[], ""),
        };
        vec![Step::Send(sent)]
    });
    let lab = Lab::new().permit(home).permit(elsewhere.address);
    assert!(lab.send(post(&server)).await.is_ok());
    let back = &server.heads()[1];
    assert!(
        back.starts_with("get /back") && !back.contains("secret"),
        "{back}"
    );
}
