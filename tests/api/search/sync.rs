//! Imports: as scheduled, and POST /domains/{domain_id}/gsc/sync

use std::sync::Arc;

use pharos_domain::{clock::Clock, ids::SearchAccountId, jobs::JobHandler, secret::Secret};
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_search::{
    google::{
        account::Credentials,
        client::{GoogleClient, Services},
        token::OauthClient,
    },
    gsc::{
        accounts::{AccountStore, NewAccount, NewLink},
        half_done::HalfDone,
        importer::Importer,
        property::Permission,
        run::SyncRuns,
        watch::SearchWatch,
    },
};
use pharos_server::{
    demo::google::play::{Fact, Facts},
    worker::WorkerPace,
};
use serde_json::{Value, json};
use time::{Date, Duration};

use super::{
    google::{BEGIN, CLIENT, Google, Instead, SITE, SITEMAP, Steady},
    path, read,
};
use crate::{
    doctor::{findings, only},
    harness::{Reply, TestApp, actor},
    jobs::{Crew, connect},
};

pub(crate) fn client(google: &Google) -> GoogleClient {
    let policy = AddressPolicy::public().permitting_exactly(google.address);
    let services = Services {
        api: google.url("").parse().unwrap(),
        token: google.url("token").parse().unwrap(),
        consent: google.url("consent").parse().unwrap(),
    };
    let oauth = OauthClient {
        id: CLIENT.0.to_owned(),
        secret: Secret::from(CLIENT.1.to_owned()),
    };
    let resolver = NameResolver::system().unwrap();
    GoogleClient::new(resolver, policy, &TrustAnchors::web(), services, Some(oauth)).unwrap()
}

pub(super) fn importer(app: &TestApp, google: &Google) -> Importer {
    let clock: Arc<dyn Clock> = app.clock.clone();
    Importer {
        google: Arc::new(client(google)),
        links: app.stores.ports.get().unwrap(),
        import: app.stores.ports.get().unwrap(),
        clock,
    }
}

pub(super) fn watch(app: &TestApp, google: &Google) -> SearchWatch {
    SearchWatch {
        importer: importer(app, google),
        answers: app.answers(),
        half_done: HalfDone::default(),
    }
}

/// Has the world's domain import these search types.
pub(crate) async fn of_types(app: &TestApp, search_types: &[&str]) {
    app.put(
        &path(app, "config"),
        &app.world.key,
        &json!({ "search_types": search_types }),
    )
    .send()
    .await
    .ok();
}

/// Links the world's domain by an account with a refresh token.
pub(super) async fn linked(app: &TestApp) -> SearchAccountId {
    let accounts: Arc<dyn AccountStore> = app.stores.ports.get().unwrap();
    let new = NewAccount {
        workspace: app.world.workspace,
        label: "ada@shop.example".to_owned(),
        credentials: Credentials::Oauth {
            refresh_token: Secret::from("the-refresh-token".to_owned()),
        },
        created_by: None,
    };
    let account = accounts.add(&new, &actor(), app.now()).await.unwrap();
    let link = NewLink {
        domain: app.world.domain,
        account,
        site_url: SITE.to_owned(),
        permission: Permission::Owner,
        linked_by: Some(app.world.owner),
    };
    accounts.link(&link, &actor(), app.now()).await.unwrap();
    account
}

/// Has what is due by now be due, whatever the database's clock says.
pub(super) async fn due(app: &TestApp) {
    app.sql("UPDATE search_properties SET next_sync_at = '2026-03-01', newest_due_at = '2026-03-01'")
        .await;
}

/// The same, and imports it.
pub(crate) async fn round(app: &TestApp, google: &Google) {
    due(app).await;
    assert_eq!(watch(app, google).round().await.unwrap(), 1);
}

/// Imports the next piece of the past, which follows a round that went well.
pub(super) async fn past(app: &TestApp, google: &Google) {
    app.sql("UPDATE search_properties SET next_sync_at = '2026-03-01'")
        .await;
    assert_eq!(watch(app, google).round().await.unwrap(), 1);
}

pub(super) async fn cell(app: &TestApp, statement: &str) -> Option<String> {
    app.sql(statement)
        .await
        .into_iter()
        .next()
        .and_then(|row| row.into_iter().next().flatten())
}

/// Sums over all that is stored, so that a second import is seen to leave the same.
pub(super) async fn stored(app: &TestApp) -> Vec<Vec<Option<String>>> {
    app.sql(
        "SELECT 'days', search_type::text, count(*)::text, sum(clicks)::text, sum(impressions)::text, round(sum(position_sum))::text
            FROM search_days GROUP BY 2
        UNION ALL SELECT 'places', search_type::text, count(*)::text, sum(clicks)::text, sum(impressions)::text,
            string_agg(DISTINCT country || device, ',' ORDER BY country || device) FROM search_places GROUP BY 2
        UNION ALL SELECT 'queries', search_type::text, count(*)::text, sum(clicks)::text, sum(impressions)::text, NULL
            FROM search_queries GROUP BY 2
        UNION ALL SELECT 'pages', search_type::text, count(*)::text, sum(clicks)::text, sum(impressions)::text, NULL
            FROM search_pages GROUP BY 2
        UNION ALL SELECT 'pairs', search_type::text, count(*)::text, sum(clicks)::text, sum(impressions)::text, NULL
            FROM search_pairs GROUP BY 2
        UNION ALL SELECT 'looks', search_type::text, count(*)::text, sum(clicks)::text, sum(impressions)::text, NULL
            FROM search_appearances GROUP BY 2
        ORDER BY 1, 2",
    )
    .await
}

fn row(cells: [&str; 5], last: Option<&str>) -> Vec<Option<String>> {
    let cells = cells.iter().map(|cell| Some((*cell).to_owned()));
    cells.chain([last.map(str::to_owned)]).collect()
}

/// The app's day is 2026-03-31, 02:15 in California: final up to 2026-03-28, and today has what happened before 2 o'clock.
/// 16 days of data: 15 whole ones, and today without the hats. Web: 15 × 4 + 4 = 64 clicks, 15 × 55 + 50 = 875 impressions,
/// 15 × 360 + 260 = 5,660 positions. Discover: 16 × 2 clicks, 16 × 30 impressions.
#[tokio::test]
async fn the_newest_days_and_the_past_come_in_with_all_that_is_told_of_them() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    linked(&app).await;
    assert_eq!(read(&app, "property").await["status"], "pending");
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["status"], "connected");
    past(&app, &google).await;
    let property = read(&app, "property").await;
    let of = |name: &str| property[name].clone();
    assert_eq!(of("status"), "connected");
    assert_eq!(of("last_sync_status"), "succeeded");
    assert_eq!(of("data_through"), "2026-03-28");
    assert_eq!(of("provisional_through"), "2026-03-31");
    assert_eq!(of("first_incomplete_date"), "2026-03-29");
    assert_eq!(of("first_incomplete_hour"), "2026-03-31T05:00:00Z");
    assert_eq!(of("backfill_from"), "2024-11-30", "486 days before the link");
    assert_eq!(of("linked_by"), json!(app.world.owner));
    let first = stored(&app).await;
    assert_eq!(
        first,
        [
            row(["days", "1", "16", "64", "875"], Some("5660")),
            row(["days", "2", "16", "32", "480"], Some("0")),
            row(["looks", "1", "16", "48", "640"], None),
            row(["pages", "1", "47", "64", "875"], None),
            row(["pages", "2", "16", "32", "480"], None),
            row(["pairs", "1", "31", "48", "715"], None),
            row(["places", "1", "47", "64", "875"], Some("DE2,XK1,ZZ3")),
            row(["places", "2", "16", "32", "480"], Some("US0")),
            row(["queries", "1", "31", "48", "715"], None),
        ]
    );
    let finals = "SELECT count(*)::text FROM search_days WHERE is_final";
    assert_eq!(cell(&app, finals).await.as_deref(), Some("26"), "13 days of each");
    google.asked();

    round(&app, &google).await;
    assert_eq!(stored(&app).await, first, "the same, after it was imported again");
    let asked: Vec<Value> = google.asked().iter().map(super::google::Request::json).collect();
    let days: std::collections::BTreeSet<&str> = asked
        .iter()
        .filter(|body| body["startDate"] == body["endDate"])
        .filter_map(|body| body["startDate"].as_str())
        .collect();
    assert_eq!(
        days.into_iter().collect::<Vec<_>>(),
        [
            "2026-03-26",
            "2026-03-27",
            "2026-03-28",
            "2026-03-29",
            "2026-03-30",
            "2026-03-31"
        ],
        "the last three final days and those that are not"
    );
    assert_eq!(read(&app, "hourly").await["points"].as_array().unwrap().len(), 20);
}

/// Ten days of each type are among the newest. Then 28 days are asked for at a time, of one type and of the other.
#[tokio::test]
async fn search_types_go_back_in_step() {
    let app = TestApp::start().await;
    of_types(&app, &["web", "discover"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    round(&app, &google).await;
    google.asked();
    past(&app, &google).await;
    let asked = google.asked();
    let bodies = asked.iter().map(super::google::Request::json);
    let spans: Vec<(Value, Value)> = bodies
        .filter(|body| body["dimensions"] == json!(["DATE"]))
        .map(|body| (body["type"].clone(), body["endDate"].clone()))
        .collect();
    assert_eq!(spans.len(), 34, "474 days of each: 17 times");
    assert!(
        spans.chunks(2).all(|both| {
            let [(first, end), (second, other_end)] = both else {
                return false;
            };
            first != second && end == other_end
        }),
        "{spans:?}"
    );
}

/// The property tells that an answer was refused or garbled, nothing that is stored is lost, and the next import makes up for it.
#[tokio::test]
async fn a_day_that_is_garbled_is_missing_until_the_next_import() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    google.answers(Instead {
        path: "query",
        holds: "\"startDate\":\"2026-03-25\"",
        status: 200,
        headers: "",
        body: "{\"rows\":[{\"keys\":[\"red sh".to_owned(),
    });
    round(&app, &google).await;
    let property = read(&app, "property").await;
    assert_eq!(property["last_sync_status"], "partial");
    assert_eq!(property["status"], "connected");
    assert_eq!(
        property["data_through"], "2026-03-24",
        "as far as no day is missing"
    );
    let missing = "SELECT count(*)::text FROM search_days WHERE date = '2026-03-25'";
    assert_eq!(cell(&app, missing).await.as_deref(), Some("0"));
    google.is_well();
    round(&app, &google).await;
    assert_eq!(cell(&app, missing).await.as_deref(), Some("1"));
    let property = read(&app, "property").await;
    assert_eq!(
        (&property["last_sync_status"], &property["data_through"]),
        (&json!("succeeded"), &json!("2026-03-28"))
    );
}

/// The submitted sitemaps that the sitemap module tells.
async fn submitted(app: &TestApp) -> Value {
    let path = format!("/domains/{}/sitemap/google", app.world.domain);
    app.get(&path, &app.world.key).send().await.ok()["items"].clone()
}

#[tokio::test]
async fn submitted_sitemaps_come_in_and_stay_while_google_does_not_tell_them() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    assert_eq!(submitted(&app).await, json!([]));
    round(&app, &google).await;
    let told = json!([{
        "path": SITEMAP, "type": "sitemap", "is_index": true, "is_pending": false,
        "last_submitted_at": "2025-12-31T09:15:00Z", "last_downloaded_at": "2026-03-30T13:15:00Z", "errors": 0, "warnings": 0,
        "contents": [{ "type": "web", "submitted": 2_000 }], "file_id": null,
    }]);
    assert_eq!(submitted(&app).await, told);
    for (status, body) in [
        (
            403,
            json!({ "error": { "code": 403, "errors": [{ "reason": "forbidden" }] } }),
        ),
        (200, json!({ "sitemap": [{ "path": SITEMAP, "errors": "many" }] })),
        (200, json!({ "sitemap": "many" })),
    ] {
        google.answers(Instead {
            path: "/sitemaps",
            holds: "",
            status,
            headers: "",
            body: body.to_string(),
        });
        round(&app, &google).await;
        assert_eq!(submitted(&app).await, told, "{status}");
        let property = read(&app, "property").await;
        assert_eq!(
            (&property["status"], &property["last_sync_status"]),
            (&json!("connected"), &json!("succeeded")),
            "{status}"
        );
        google.is_well();
    }
    // One that was withdrawn is told no more.
    google.answers(Instead {
        path: "/sitemaps",
        holds: "",
        status: 200,
        headers: "",
        body: "{}".to_owned(),
    });
    round(&app, &google).await;
    assert_eq!(submitted(&app).await, json!([]));
}

#[tokio::test]
async fn a_quota_that_is_spent_is_waited_for_as_long_as_google_says() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    google.answers(Instead {
        path: "query",
        holds: "",
        status: 429,
        headers: "retry-after: 3600\r\n",
        body: json!({ "error": { "status": "RESOURCE_EXHAUSTED" } }).to_string(),
    });
    round(&app, &google).await;
    let property = read(&app, "property").await;
    assert_eq!(
        (&property["status"], &property["last_sync_status"]),
        (&json!("pending"), &json!("failed"))
    );
    let next = "SELECT (next_sync_at = '2026-03-31 10:15Z')::text FROM search_properties";
    assert_eq!(cell(&app, next).await.as_deref(), Some("true"));
    assert_eq!(google.asked().len(), 2, "a token, and one question");
}

#[tokio::test]
async fn lost_consent_and_lost_permission_are_told_once() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let told = "SELECT count(*)::text FROM notifications WHERE kind = 'module_disconnected'";
    google.answers(Instead {
        path: "token",
        holds: "refresh_token=the-refresh-token",
        status: 400,
        headers: "",
        body: json!({ "error": "invalid_grant", "error_description": "Token has been revoked." }).to_string(),
    });
    for _ in 0..2 {
        round(&app, &google).await;
        assert_eq!(read(&app, "property").await["status"], "reauthorization_required");
        assert_eq!(cell(&app, told).await.as_deref(), Some("1"));
    }
    google.is_well();
    google.answers(Instead {
        path: "query",
        holds: "",
        status: 403,
        headers: "",
        body: json!({ "error": { "code": 403, "errors": [{ "reason": "forbidden" }] } }).to_string(),
    });
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["status"], "permission_lost");
    assert_eq!(cell(&app, told).await.as_deref(), Some("2"));
    google.is_well();
    round(&app, &google).await;
    assert_eq!(read(&app, "property").await["status"], "connected");
}

/// 30,000 queries on one day: two pages.
#[derive(Clone, Copy)]
pub(super) struct Many;

impl Facts for Many {
    fn of(&self, date: Date, search_type: &str) -> Vec<Fact> {
        let day = BEGIN + Duration::days(12);
        let count = if date == day && search_type == "WEB" {
            30_000
        } else {
            0
        };
        let fact = |at: u32| Fact {
            query: Some(format!("query {at}")),
            page: "https://shop.example/shoes".to_owned(),
            country: "deu",
            device: "MOBILE",
            look: None,
            hour: 1,
            clicks: 30_000 - at,
            impressions: 30_000,
            position: 1.0,
        };
        (0..count).map(fact).collect()
    }
}

#[tokio::test]
async fn more_rows_than_a_page_are_all_read() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Many, app.clock.clone()).await;
    round(&app, &google).await;
    let queries = "SELECT count(*)::text || ' ' || sum(clicks)::text FROM search_queries";
    // The sum of 1 to 30,000.
    assert_eq!(cell(&app, queries).await.as_deref(), Some("30000 450015000"));
    let starts: Vec<Value> = google
        .asked()
        .iter()
        .map(super::google::Request::json)
        .filter(|body| body["dimensions"] == json!(["QUERY", "COUNTRY", "DEVICE"]))
        .map(|body| body["startRow"].clone())
        .collect();
    assert_eq!(starts, [json!(0), json!(25_000)]);
}

async fn ask(app: &TestApp, key: &str, body: &Value) -> Reply {
    app.request("POST", &path(app, "sync"))
        .key(&app.world.key)
        .header("idempotency-key", key)
        .json(body)
        .send()
        .await
}

async fn worker(app: &TestApp, google: &Google) -> Crew {
    let database = connect(app.database.url()).await;
    let handler: Arc<dyn JobHandler> = Arc::new(SyncRuns {
        importer: importer(app, google),
        runs: app.stores.ports.get().unwrap(),
    });
    Crew::start(&database, "local", WorkerPace::default(), vec![handler]).await
}

/// The commonest mistake of a set-up: nobody has enabled the API.
#[tokio::test(flavor = "multi_thread")]
async fn doctor_says_whose_import_fails_and_why() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    let told = async || {
        // The next import is due by the clock of the app, which is behind that of the database.
        app.sql("UPDATE search_properties SET next_sync_at = now()").await;
        only(findings(
            &[("PHAROS_DATABASE_URL", app.database.url())],
            "Search Console",
        ))
    };
    round(&app, &google).await;
    assert_eq!(
        told().await,
        (
            true,
            "linked properties: 1; to be linked again: 0; of the others not imported whole the last time: 0"
                .to_owned()
        )
    );
    google.answers(Instead {
        path: "query",
        holds: "",
        status: 403,
        headers: "",
        body: json!({ "error": { "status": "PERMISSION_DENIED", "details": [{ "reason": "SERVICE_DISABLED" }] } })
            .to_string(),
    });
    google.asked();
    round(&app, &google).await;
    assert_eq!(google.asked().len(), 2, "a token, and one question");
    let (is_well, detail) = told().await;
    let why =
        "not imported whole the last time: 1; shop.example: the Google Search Console API is not enabled";
    assert!(!is_well && detail.contains(why), "{detail}");
    assert_eq!(read(&app, "property").await["status"], "connected");
    // A property that has to be linked again is told to its workspace.
    app.sql("UPDATE search_properties SET status = 'permission_lost'")
        .await;
    let (is_well, detail) = told().await;
    assert!(
        is_well
            && detail.contains("to be linked again: 1; of the others not imported whole the last time: 0"),
        "{detail}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_days_are_imported_when_somebody_asks() {
    let app = TestApp::start().await;
    ask(&app, "none", &json!({}))
        .await
        .problem(404, "gsc-property-not-linked");
    of_types(&app, &["web"]).await;
    linked(&app).await;
    for days in [0, 17] {
        let said = ask(&app, "out", &json!({ "days": days }))
            .await
            .problem(400, "invalid-request");
        assert_eq!(said["errors"][0]["pointer"], "/days");
    }
    let google = Google::of(Steady, app.clock.clone()).await;
    let run = ask(&app, "one", &json!({ "days": 2 })).await.with_status(202);
    assert_eq!(
        (&run["kind"], &run["credits_charged"]),
        (&json!("gsc_sync"), &json!(25))
    );
    let _crew = worker(&app, &google).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'succeeded')")
        .await;
    let property = read(&app, "property").await;
    let last = &property["last_run"];
    assert_eq!(
        (&last["run_id"], &last["status"]),
        (&run["run_id"], &json!("succeeded"))
    );
    assert_eq!(
        (&last["completed_items"], &last["total_items"]),
        (&json!(2), &json!(2))
    );
    let days = "SELECT string_agg(date::text, ' ' ORDER BY date) FROM search_days";
    assert_eq!(cell(&app, days).await.as_deref(), Some("2026-03-30 2026-03-31"));
    assert_eq!(property["provisional_through"], "2026-03-31");
    assert_eq!(
        property["data_through"],
        Value::Null,
        "no final day was among them"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_google_refuses_says_why() {
    let app = TestApp::start().await;
    of_types(&app, &["web"]).await;
    linked(&app).await;
    let google = Google::of(Steady, app.clock.clone()).await;
    google.answers(Instead {
        path: "query",
        holds: "",
        status: 403,
        headers: "",
        body: json!({ "error": { "code": 403, "status": "PERMISSION_DENIED" } }).to_string(),
    });
    ask(&app, "one", &json!({})).await.with_status(202);
    let _crew = worker(&app, &google).await;
    app.reaches("EXISTS (SELECT FROM runs WHERE status = 'failed')")
        .await;
    let property = read(&app, "property").await;
    assert_eq!(property["last_run"]["error_code"], "upstream-error");
    assert_eq!(property["status"], "permission_lost");
}
