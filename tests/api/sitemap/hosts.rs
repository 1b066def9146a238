//! Further hosts of a domain, whose robots.txt and sitemaps are watched too.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use pharos_crawl::{
    robots::monitor::{checker::Checker, fetch::RobotsClient, watch::RobotsWatch},
    sitemap::monitor::{
        checker::{BUDGET, SitemapChecker},
        fetch::SitemapClient,
    },
};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::{each, get, lab::Site, urlset};
use crate::{
    harness::TestApp,
    robots::lab::{Lab, answer, caller, file},
};

#[tokio::test]
async fn sitemaps_of_a_listed_host_are_found_by_its_robots_txt_and_at_its_usual_path() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let other = Lab::open().await;
    let origin = format!("http://{}", other.address);
    let named = format!("Sitemap: {origin}/named.xml\n");
    let page = |path: &str| urlset(&format!("<url><loc>{origin}{path}</loc></url>")).into_bytes();
    let (one, two) = (page("/one"), page("/two"));
    other.say(move |head| {
        let xml = "content-type: application/xml\r\n";
        match head.split(' ').nth(1) {
            Some("/robots.txt") => file(named.as_bytes()),
            Some("/named.xml") => answer(200, xml, &one),
            Some("/sitemap.xml") => answer(200, xml, &two),
            _ => answer(404, "", b""),
        }
    });
    app.sql(&format!(
        "INSERT INTO crawl_hosts (domain_id, origin, position) VALUES ('{}', '{origin}', 0)",
        app.world.domain
    ))
    .await;
    other.check(&app).await;
    let known = app.sql("SELECT state, sitemaps ->> 0 FROM crawl_hosts").await;
    assert_eq!(
        known,
        [[Some("ok".to_owned()), Some(format!("{origin}/named.xml"))]]
    );
    let policy = AddressPolicy::public()
        .permitting_exactly(site.lab.address)
        .permitting_exactly(other.address);
    let client = SitemapClient::new(
        &caller(&app),
        NameResolver::system().unwrap(),
        policy,
        &TrustAnchors::web(),
        Duration::ZERO,
    );
    let checker = SitemapChecker {
        client: Arc::new(client.unwrap()),
        ..site.checker(&app)
    };
    let check = async || {
        let end = checker.check(app.world.domain, &site.url("/"), None).await;
        assert!(end.unwrap().unwrap().is_whole);
    };
    check().await;
    let files = get(&app, "files").await.ok();
    let mut found: Vec<_> = each(&files, "url")
        .into_iter()
        .zip(each(&files, "source"))
        .collect();
    found.sort();
    let expected = [("named.xml", "robots_txt"), ("sitemap.xml", "default_path")];
    let expected = expected.map(|(path, source)| (format!("{origin}/{path}"), source.to_owned()));
    assert_eq!(found, expected);
    assert_eq!(get(&app, "overview").await.ok()["urls_unique"], json!(2));

    // A host that fails leaves what is known.
    other.say(|_| answer(500, "", b""));
    app.clock.advance(time::Duration::HOUR);
    other.check(&app).await;
    let kept = app
        .sql("SELECT 1 FROM crawl_hosts WHERE state = 'server_error' AND jsonb_array_length(sitemaps) = 1")
        .await;
    assert_eq!(kept.len(), 1);

    // One that is listed no longer names nothing, though the robots.txt of the site never answered, and nobody looks at its
    // usual path.
    app.sql("DELETE FROM crawl_hosts").await;
    for _ in 0..2 {
        app.clock.advance(time::Duration::MINUTE);
        check().await;
    }
    let watched = app
        .sql("SELECT url FROM sitemap_files WHERE removed_at IS NULL")
        .await;
    assert!(watched.is_empty(), "{watched:?}");
}

/// The usual paths come last, and each may take as long as a file.
#[tokio::test]
async fn usual_paths_are_left_to_the_next_check_where_the_time_is_over() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    site.pages("/sitemap.xml", &[("/1", "")]);
    let check = async |budget: Duration| {
        let checker = SitemapChecker {
            budget,
            ..site.checker(&app)
        };
        let end = checker.check(app.world.domain, &site.url("/"), None).await;
        end.unwrap().unwrap().is_whole
    };
    assert!(!check(Duration::ZERO).await);
    assert!(site.asked().is_empty());
    assert!(check(BUDGET).await);
    assert_eq!(site.asked()[0], "/sitemap.xml");
}

/// Neither of these hosts answers before both are asked.
#[tokio::test]
async fn a_host_that_is_slow_keeps_no_other_waiting() {
    let app = TestApp::start().await;
    let lab = Lab::open().await;
    lab.is_site_of(&app).await;
    let mut policy = AddressPolicy::public();
    let mut hosts = Vec::new();
    for position in 0..2 {
        let host = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = host.local_addr().unwrap();
        app.sql(&format!(
            "INSERT INTO crawl_hosts (domain_id, origin, position) VALUES ('{}', 'http://{address}', {position})",
            app.world.domain
        ))
        .await;
        policy = policy.permitting_exactly(address);
        hosts.push(host);
    }
    let client = RobotsClient::new(
        &caller(&app),
        NameResolver::system().unwrap(),
        policy,
        &TrustAnchors::web(),
    );
    let watch = RobotsWatch {
        store: app.stores.ports.get().unwrap(),
        addresses: app.stores.ports.get().unwrap(),
        hosts: app.stores.ports.get().unwrap(),
        checker: Checker {
            client: Arc::new(client.unwrap()),
            ..lab.checker(&app)
        },
    };
    let answers = async {
        let mut asked = Vec::new();
        for host in &hosts {
            let (mut stream, _) = host.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                head.push(stream.read_u8().await.unwrap());
            }
            asked.push(stream);
        }
        for stream in &mut asked {
            stream
                .write_all(&file(b"User-agent: *\nDisallow:\n"))
                .await
                .unwrap();
        }
        asked
    };
    let (checked, _asked) = tokio::join!(watch.round(), answers);
    assert_eq!(checked.unwrap(), 1);
    let known = app.sql("SELECT state FROM crawl_hosts ORDER BY position").await;
    assert_eq!(known, [[Some("ok".to_owned())], [Some("ok".to_owned())]]);
}

/// The second file has to wait for its server's turn: that is not its time, and it is asked only then.
#[tokio::test]
async fn waiting_for_the_turn_of_a_server_is_no_part_of_an_answer() {
    let app = TestApp::start().await;
    let site = Site::of(&app).await;
    let named = ["/sitemap.xml", "/b.xml"];
    let robots: String = named
        .iter()
        .map(|path| format!("Sitemap: {}\n", site.url(path)))
        .collect();
    site.robots(&app, &robots).await;
    for path in named {
        site.pages(path, &[("/1", "")]);
    }
    let client = SitemapClient::new(
        &caller(&app),
        NameResolver::system().unwrap(),
        AddressPolicy::public().permitting_exactly(site.lab.address),
        &TrustAnchors::web(),
        Duration::from_secs(1),
    );
    let checker = SitemapChecker {
        client: Arc::new(client.unwrap()),
        ..site.checker(&app)
    };
    let began = Instant::now();
    let end = checker.check(app.world.domain, &site.url("/"), None).await;
    assert!(end.unwrap().unwrap().is_whole);
    let total_ms = began.elapsed().as_secs_f64() * 1_000.0;
    let told = app
        .sql(
            "SELECT (extract(epoch FROM max(fetched_at) - min(fetched_at)) * 1000)::float8::text, sum(response_ms)::text
            FROM sitemap_files",
        )
        .await;
    let number = |at: usize| -> f64 { told[0][at].as_deref().unwrap().parse().unwrap() };
    let (waited_ms, answered_ms) = (number(0), number(1));
    assert!(waited_ms > 0.0);
    assert!(
        waited_ms + answered_ms <= total_ms,
        "{waited_ms} {answered_ms} {total_ms}"
    );
}
