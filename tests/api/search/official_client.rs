//! The Google that tests talk to, as Google's own client sees it: with the discovery document that this client ships. The
//! requests of Pharos are held against the same document.

use std::process::Stdio;

use pharos_domain::clock::Clock;
use pharos_domain::ids::{SearchAccountId, WorkspaceId};
use pharos_domain::page_facts::IndexVerdict;
use pharos_search::{
    google::{
        account::{Account, Credentials, ServiceAccountKey},
        search_analytics::{DataState, Dimension, SearchAnalyticsQuery},
        sites::Site,
    },
    gsc::{figures::SearchType, property::Permission},
    indexing::states::{
        AmpIndexingState, CrawledAs, FetchState, IndexingState, OfUpstream, RobotsState, Severity,
    },
};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use time::macros::date;
use tokio::process::Command;

use super::{
    google::{Google, SITE, SITEMAP, Steady},
    sync::client,
};
use crate::harness::{clients, python};

/// A page that is inspected.
const PAGE: &str = "https://shop.example/product/arc";

fn clock() -> Arc<dyn Clock> {
    Arc::new(pharos_domain::clock::ManualClock::at(
        time::macros::datetime!(2026-03-31 09:15 UTC),
    ))
}

async fn python_says(script: &str, arguments: &[&str]) -> Value {
    let output = Command::new(python())
        .arg(clients(script))
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .await
        .unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The file of a service account's key, which OpenSSL makes, and the public key.
pub(super) fn key_file() -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.pem");
    let openssl = |arguments: &[&str]| {
        let output = std::process::Command::new("openssl")
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let path = file.to_str().unwrap();
    openssl(&[
        "genpkey",
        "-algorithm",
        "RSA",
        "-pkeyopt",
        "rsa_keygen_bits:2048",
        "-out",
        path,
    ]);
    let public = openssl(&["pkey", "-in", path, "-pubout"]);
    let text = json!({
        "type": "service_account", "client_email": "pharos@shop.iam.gserviceaccount.com", "private_key_id": "k1",
        "private_key": std::fs::read_to_string(&file).unwrap(),
    });
    (text.to_string(), public)
}

/// The values of an inspection's enums that Pharos does not read as the document spells them.
fn strange(enums: &Value) -> Vec<String> {
    fn read<State: OfUpstream + Serialize>(name: &str) -> Value {
        json!(State::of_upstream(name))
    }
    let mut strange = Vec::new();
    for (member, names) in enums.as_object().unwrap() {
        let read = match member.split_once('.').unwrap() {
            (_, "verdict" | "ampIndexStatusVerdict") => read::<IndexVerdict>,
            ("AmpInspectionResult", "indexingState") => read::<AmpIndexingState>,
            (_, "indexingState") => read::<IndexingState>,
            (_, "robotsTxtState") => read::<RobotsState>,
            (_, "pageFetchState") => read::<FetchState>,
            (_, "crawledAs") => read::<CrawledAs>,
            (_, "severity") => read::<Severity>,
            _ => panic!("{member} is new"),
        };
        let names = names.as_array().unwrap().iter();
        for name in names.map(|name| name.as_str().unwrap()) {
            let expected = if name.ends_with("_UNSPECIFIED") {
                "unknown".to_owned()
            } else {
                name.to_ascii_lowercase()
            };
            if read(name) != expected {
                strange.push(format!("{member}: {name}"));
            }
        }
    }
    strange
}

#[tokio::test]
async fn googles_client_understands_the_play_and_authlib_the_assertion() {
    let clock = clock();
    let google = Google::of(Steady, Arc::clone(&clock)).await;
    let mut said = python_says("query_search.py", &[&google.url("")]).await;
    let enums = said["enums"].take();
    said.as_object_mut().unwrap().remove("enums");
    assert_eq!(strange(&enums), [""; 0]);
    assert_eq!(
        said,
        json!({
            "totals": [["2026-03-28", 4.0, 55.0], ["2026-03-29", 4.0, 55.0]], "first_incomplete": "2026-03-29",
            "shoes": [["red shoes", "deu"], 3.0, 4.5], "hidden": 1.0, "aggregations": ["BY_PROPERTY", "BY_PAGE"],
            "levels": ["siteOwner", "SITE_RESTRICTED_USER", "SITE_UNVERIFIED_USER"], "refused": [400, 403],
            "sitemaps": [[SITEMAP, "2000"]], "inspected": ["PASS", "Submitted and indexed", PAGE, [SITEMAP]],
            "rich": ["Product snippets"], "unlisted": [], "undocumented": [],
        })
    );
    google.asked();

    let (file, public) = key_file();
    let key = ServiceAccountKey::from_file(file.as_bytes()).unwrap();
    let account = Account {
        id: SearchAccountId::generate(),
        workspace: WorkspaceId::generate(),
        label: key.client_email.clone(),
        credentials: Credentials::ServiceAccount(key),
        given_by: None,
    };
    let client = client(&google);
    let sites = client.sites(&account, clock.now()).await.unwrap();
    let site = |site_url: &str, permission| Site {
        site_url: site_url.to_owned(),
        permission,
    };
    assert_eq!(
        sites,
        [
            site(SITE, Permission::Owner),
            site("https://www.shop.example/", Permission::RestrictedUser),
            site("https://other.example/", Permission::UnverifiedUser),
        ]
    );
    for (dimensions, data_state, appearance) in [
        ([Dimension::Date].as_slice(), DataState::All, None),
        (
            &[
                Dimension::Query,
                Dimension::Page,
                Dimension::Country,
                Dimension::Device,
            ],
            DataState::Final,
            None,
        ),
        (&[Dimension::SearchAppearance], DataState::Final, None),
        (&[Dimension::Page], DataState::Final, Some("PRODUCT_SNIPPETS")),
        (&[Dimension::Hour], DataState::HourlyAll, None),
    ] {
        let question = SearchAnalyticsQuery {
            site_url: SITE,
            search_type: SearchType::Web,
            start: date!(2026 - 03 - 28),
            end: date!(2026 - 03 - 31),
            dimensions,
            data_state,
            appearance,
        };
        let answered = client
            .search_analytics(&account, &question, &*clock)
            .await
            .unwrap();
        assert!(!answered.rows.is_empty(), "{dimensions:?}");
    }
    let sitemaps = client.sitemaps(&account, SITE, clock.now()).await.unwrap();
    assert_eq!(sitemaps.read[0].path, SITEMAP);
    let inspected = client.inspect(&account, SITE, PAGE, clock.now()).await.unwrap();
    assert!(inspected.is_indexed());
    assert_eq!(inspected.google_canonical.as_deref(), Some(PAGE));
    let asked = google.asked();
    assert!(
        asked
            .iter()
            .any(|request| request.path.ends_with("/urlInspection/index:inspect")),
        "it is held against the document, too"
    );
    let (tokens, others): (Vec<_>, Vec<_>) = asked.iter().partition(|request| request.path == "/token");
    assert_eq!(tokens.len(), 1, "one token for all of them");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let sent: Vec<Value> = others
        .iter()
        .map(|request| json!({ "method": request.method, "path": request.path, "body": request.json() }))
        .collect();
    let (sent, form, public) = (
        file("sent.json", &json!(sent).to_string()),
        file("form", &tokens[0].body),
        file("public.pem", &public),
    );
    let said = python_says("hold_search.py", &[&sent, &form, &public]).await;
    assert_eq!(
        said,
        json!({
            "faults": [], "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "alg": "RS256", "kid": "k1",
            "iss": "pharos@shop.iam.gserviceaccount.com", "aud": google.url("token"),
            "scope": "https://www.googleapis.com/auth/webmasters.readonly", "seconds": 3_600,
        })
    );
}
