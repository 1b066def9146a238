//! Artefacts in a bucket, on moto: a store that speaks Amazon's protocol and checks who signs.

use std::process::Stdio;

use bytes::Bytes;
use pharos_artefacts::{bucket::S3Bucket, key::ArtefactKey, store::Artefacts};
use pharos_egress::trust::TrustAnchors;
use serde::Deserialize;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

use crate::{
    harness::{TestApp, clients, python},
    synthetic::{SHOP, get, measured, track},
};

/// A store, for as long as this lives.
pub(crate) struct Store {
    pub(crate) bucket: S3Bucket,
    _child: Child,
}

/// The store's description of itself.
#[derive(Deserialize)]
struct StoreDescription {
    port: u16,
    bucket: String,
    id: String,
    secret: String,
}

impl Store {
    pub(crate) async fn start() -> Self {
        let mut child = Command::new(python())
            .arg(clients("serve_s3.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("run `cargo xtask test`");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let told = lines.next_line().await.unwrap().expect("a store at work");
        let StoreDescription {
            port,
            bucket,
            id,
            secret,
        } = serde_json::from_str(&told).unwrap();
        Self {
            bucket: S3Bucket {
                name: bucket,
                endpoint: Some(format!("http://127.0.0.1:{port}")),
                region: "us-east-1".to_owned(),
                key: Some((id, secret)),
                trust: TrustAnchors::web(),
            },
            _child: child,
        }
    }
}

pub(crate) fn key(text: &str) -> ArtefactKey {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_bucket_keeps_artefacts_as_a_folder_does() {
    let store = Store::start().await;
    let artefacts = Artefacts::in_bucket(&store.bucket).unwrap();
    artefacts.look().await.unwrap();
    let (one, other, theirs) = (
        key("lab/run/one.jpg"),
        key("lab/run/other.jpg"),
        key("report/one.jpg"),
    );
    assert_eq!(artefacts.get(&one).await.unwrap(), None);
    for key in [&one, &other, &theirs] {
        artefacts.put(key, Bytes::from_static(b"first")).await.unwrap();
    }
    let large = Bytes::from(vec![7; 9 * 1024 * 1024]);
    artefacts.put(&one, large.clone()).await.unwrap();
    assert_eq!(artefacts.get(&one).await.unwrap(), Some(large));
    artefacts.delete(&one).await.unwrap();
    artefacts.delete(&one).await.unwrap();
    assert_eq!(artefacts.get(&one).await.unwrap(), None);
    artefacts.delete_all(&key("lab/ru")).await.unwrap();
    assert!(artefacts.get(&other).await.unwrap().is_some(), "a part of a name");
    artefacts.delete_all(&key("lab")).await.unwrap();
    assert_eq!(artefacts.get(&other).await.unwrap(), None);
    assert!(artefacts.get(&theirs).await.unwrap().is_some(), "another prefix");
    artefacts.delete_all(&key("report")).await.unwrap();
    assert_eq!(artefacts.get(&theirs).await.unwrap(), None);

    // Whoever does not sign by the key is refused, and what is refused is not told as missing.
    let forged = S3Bucket {
        key: store
            .bucket
            .key
            .clone()
            .map(|(id, _)| (id, "swordfish".to_owned())),
        ..store.bucket.clone()
    };
    let forged = Artefacts::in_bucket(&forged).unwrap();
    assert!(forged.look().await.is_err() && forged.get(&one).await.is_err());
    let missing = S3Bucket {
        name: "somebody-elses".to_owned(),
        ..store.bucket.clone()
    };
    assert!(Artefacts::in_bucket(&missing).unwrap().look().await.is_err());
    let away = S3Bucket {
        endpoint: Some("http://127.0.0.1:9".to_owned()),
        ..store.bucket.clone()
    };
    assert!(Artefacts::in_bucket(&away).unwrap().look().await.is_err());
}

/// From the test of a page to its picture, by the link that the API gives.
#[tokio::test]
async fn links_lead_to_what_lies_in_a_bucket() {
    let store = Store::start().await;
    let artefacts = Artefacts::in_bucket(&store.bucket).unwrap();
    let app = TestApp::keeping(artefacts.clone()).await;
    let page = track(&app, "shoes").await;
    let run = measured(&app, &page, SHOP).await;
    let told = get(&app, &format!("runs/{run}")).await;
    let link = told["screenshot_url"].as_str().unwrap();
    let path = format!("/{}", &link[link.find("/artefacts/").unwrap()..]);
    let shown = app.request("GET", &path).send_unchecked().await;
    assert_eq!(shown.status, 200);
    assert!(shown.body.starts_with(&[0xff, 0xd8]), "a JPEG");
    artefacts.delete_all(&key("synthetic")).await.unwrap();
    let gone = app.request("GET", &path).send_unchecked().await;
    assert_eq!(gone.status, 410);
}
