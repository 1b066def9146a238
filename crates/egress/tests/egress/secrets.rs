//! No secret of a request or an answer stands in what is logged.

use http::{HeaderValue, header::AUTHORIZATION};
use pharos_egress::{
    client::Request,
    testing::server::{Server, answer},
};

use crate::lab::{Lab, NOW};

#[tokio::test]
async fn debug_shows_whom_is_asked_and_no_secret() {
    let server = Server::answering(answer(200, &[("set-cookie", "hunter2")], "hunter2")).await;
    let request = Request::post(server.url("/hooks/hunter2?token=hunter2").parse().unwrap())
        .header(AUTHORIZATION, HeaderValue::from_static("Bearer hunter2"))
        .body("text/plain", "hunter2");
    let client = Lab::new().permit(server.address).client();
    let answer = client.send(request.clone(), NOW).await.unwrap();
    let with_password = Request::get("https://hunter2:hunter2@example.org/".parse().unwrap());
    for shown in [
        format!("{with_password:?}"),
        format!("{request:?}"),
        format!("{request:#?}"),
        format!("{answer:?}"),
        format!("{client:?}"),
    ] {
        assert!(!shown.contains("hunter2"), "{shown}");
    }
    assert!(format!("{request:?}").contains(&server.address.to_string()));
    assert!(format!("{request:?}").contains("authorization"));
}

#[tokio::test]
async fn no_error_shows_the_url() {
    let dead = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = dead.local_addr().unwrap();
    drop(dead);
    for (status, target) in [
        (302, "http://10.0.0.1/hunter2"),
        (302, "http://[hunter2"),
        (429, "/"),
    ] {
        let server = Server::answering(answer(status, &[("location", target)], "")).await;
        let lab = Lab::new().permit(server.address).permit(address);
        let refused = lab.get(server.url("/hunter2")).await.unwrap_err();
        let shown = format!("{refused} {refused:?}");
        assert!(
            !shown.contains("hunter2") && !shown.contains("10.0.0.1"),
            "{shown}"
        );
    }
    let refused = Lab::new()
        .permit(address)
        .get(format!("http://{address}/hunter2"))
        .await;
    let shown = format!("{refused:?}");
    assert!(
        !shown.contains("hunter2") && !shown.contains("127.0.0.1"),
        "{shown}"
    );
}
