//! Inputs that are too much, too long, too old or in disguise.

use futures_util::future::join_all;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_reporting::logo::{LogoClient, MOST_BYTES};
use serde_json::{Value, json};

use super::{asked, download, get, made, only, pdf, post, template, worker};
use crate::harness::{Site, TestApp};

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_sections_are_one_fault_and_not_as_many() {
    let app = TestApp::start().await;
    let sections = vec![json!({ "section": "uptime" }); 10_000];
    let body = json!({ "name": "Many", "sections_config": { "version": 1, "sections": sections } });
    let reply = post(&app, "templates", &body).await;
    let faults = reply.faults();
    assert!(
        faults.iter().any(|fault| fault == "/sections_config/sections"),
        "{faults:?}"
    );
    assert!(faults.len() <= 15, "{} faults", faults.len());
    let widgets = vec![json!({ "widget": "kpi_row" }); 5_000];
    let sections = json!([{ "section": "uptime", "widgets": widgets }]);
    let body = json!({ "name": "Many", "sections_config": { "version": 1, "sections": sections } });
    let faults = post(&app, "templates", &body).await.faults();
    let of_all = "/sections_config/sections/0/widgets";
    assert!(
        faults.len() <= 51 && faults.iter().any(|fault| fault == of_all),
        "{faults:?}"
    );
    assert_eq!(get(&app, "templates").await.ok()["items"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_over_ten_years_is_refused() {
    let app = TestApp::start().await;
    let id = template(&app, &json!({ "name": "Long ago" })).await;
    let window = json!({ "start_date": "2016-03-31", "end_date": "2026-03-31" });
    assert_eq!(asked(&app, &id, "key", &window).await.faults(), ["/start_date"]);
    assert_eq!(get(&app, "runs").await.ok()["items"], json!([]));
}

/// The beginning of a WebP of two pixels by one.
const SMALL: &str = "RIFF0000WEBPVP8L0000/\u{1}\0\0\0";

#[tokio::test(flavor = "multi_thread")]
async fn a_logo_is_a_picture_of_the_internet_and_not_too_large() {
    let mut site = Site::saying(|path| {
        let body = match path {
            "/logo.webp" => format!("{SMALL} and so on"),
            "/large.webp" => format!("{SMALL}{}", "x".repeat(50 << 20)),
            "/a-byte-too-large.webp" => format!("{SMALL}{}", "x".repeat(MOST_BYTES + 1 - SMALL.len())),
            // 16,256 by 7,678 pixels, which a browser that prints needs half a gigabyte for.
            "/vast.webp" => "RIFF0000WEBPVP8L0000/\u{7f}\u{7f}\u{7f}\u{7} and so on".to_owned(),
            _ => "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".to_owned(),
        };
        // The site says that it is a picture, whatever it is.
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: image/webp\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
            body.len()
        )
    })
    .await;
    let client =
        |policy| LogoClient::new(NameResolver::system().unwrap(), policy, &TrustAnchors::web()).unwrap();
    let now = time::OffsetDateTime::now_utc();
    let url = |path: &str| format!("http://{}{path}", site.address);
    let (logo, large) = (url("/logo.webp"), url("/large.webp"));
    let (larger, drawing, vast) = (url("/a-byte-too-large.webp"), url("/logo.svg"), url("/vast.webp"));
    let permitted = client(AddressPolicy::public().permitting_exactly(site.address));
    assert!(permitted.fetch(&logo, now).await.is_ok());
    let (too_large, no_picture) = (
        "it is larger than 1 MB",
        "it is no PNG, JPEG or WebP of 4,194,304 pixels at most",
    );
    for (refused, told) in [
        (&large, too_large),
        (&larger, too_large),
        (&drawing, no_picture),
        (&vast, no_picture),
    ] {
        let fault = permitted.fetch(refused, now).await.unwrap_err();
        assert_eq!(fault.to_string(), told, "{refused}");
    }
    assert_eq!(site.asks(), 5);
    let fault = client(AddressPolicy::public())
        .fetch(&logo, now)
        .await
        .unwrap_err();
    assert_eq!(
        fault.to_string(),
        "not at a public address: a logo is fetched from the internet alone"
    );
    assert_eq!(site.asks(), 0, "nobody went to a private address");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_hundred_reports_at_once_those_that_are_let_in_are_made() {
    let app = TestApp::start().await;
    let _worker = worker(&app).await;
    let body = json!({
        "name": "Crowd", "format": "json", "sections_config": only("notes", "text", &json!({ "text": "x" }))
    });
    let id = template(&app, &body).await;
    let keys: Vec<String> = (0..200).map(|number| format!("crowd {number}")).collect();
    let nothing = json!({});
    let replies = join_all(keys.iter().map(|key| asked(&app, &id, key, &nothing))).await;
    let mut runs = Vec::new();
    for reply in &replies {
        match reply.status {
            202 => runs.push(reply.json()["run_id"].as_str().unwrap().to_owned()),
            429 => assert!(reply.header("retry-after").is_some()),
            other => panic!("{other}: {}", reply.json()),
        }
    }
    assert!(!runs.is_empty());
    app.reaches(&format!(
        "(SELECT count(*) = {} FROM runs WHERE status = 'succeeded')",
        runs.len()
    ))
    .await;
    for run in runs {
        assert_eq!(
            get(&app, &format!("runs/{run}")).await.ok()["status"],
            "succeeded"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_in_any_script_is_the_title_however_long_it_is() {
    let app = TestApp::start().await;
    let _worker = worker(&app).await;
    let name: String = "تقرير شهري 月次報告書 📈👩‍🚀 Überblick-"
        .chars()
        .cycle()
        .take(120)
        .collect();
    let config = only("notes", "text", &json!({ "text": "q".repeat(5_000) }));
    let body = json!({ "name": name, "format": "pdf", "locale": "ja", "sections_config": config });
    let id = template(&app, &body).await;
    let longer = json!({ "name": format!("{name}a") });
    assert_eq!(post(&app, "templates", &longer).await.faults(), ["/name"]);
    let file = async |format: &str| {
        let run = made(&app, &id, &json!({ "format": format })).await;
        let result = get(&app, &format!("runs/{}/result", run["run_id"].as_str().unwrap())).await;
        let result: Value = result.ok();
        download(&app, result["download_url"].as_str().unwrap())
            .await
            .body
    };
    let html = file("html").await;
    let html = String::from_utf8_lossy(&html);
    assert!(html.contains(&format!("<h1>{name}</h1>")), "{html:.2000}");
    let csv = file("csv").await;
    assert!(String::from_utf8_lossy(&csv).contains(&name));
    let printed = pdf::read(&file("pdf").await).await;
    let title = printed["title"].as_str().unwrap();
    assert!(title.contains(&name), "{title}");
    assert_eq!(printed["metadata"]["title"], title);
    // A text without a space to be broken at goes on in the next line.
    let text: String = printed["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page.as_str().unwrap())
        .collect();
    assert_eq!(
        text.matches('q').count(),
        5_000,
        "every letter is on a page: {text}"
    );
}
