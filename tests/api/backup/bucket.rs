//! Artefacts in a bucket, which are in the file as those of a folder are.

use std::{collections::BTreeMap, fs, io, net::SocketAddr, path::Path, process::Output, sync::Arc};

use bytes::Bytes;
use pharos_artefacts::{bucket::S3Bucket, key::ArtefactKey, store::Artefacts};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use super::{Empty, Place, contents, done, refused, signal, tables};
use crate::{
    artefacts::{Store, key},
    harness::TestApp,
};

/// Artefacts as nodes keep them, short and long.
fn some() -> BTreeMap<ArtefactKey, Bytes> {
    [
        ("synthetic/a/frame-0.jpg", Bytes::from_static(b"a frame")),
        ("synthetic/a/lhr.json.gz", Bytes::from(vec![7; 1 << 20])),
        ("reporting/march.pdf", Bytes::from_static(b"a report")),
    ]
    .map(|(name, content)| (key(name), content))
    .into()
}

async fn put(artefacts: &Artefacts, all: &BTreeMap<ArtefactKey, Bytes>) {
    for (key, content) in all {
        artefacts.put(key, content.clone()).await.unwrap();
    }
}

async fn held(artefacts: &Artefacts) -> BTreeMap<ArtefactKey, Bytes> {
    let mut held = BTreeMap::new();
    for listed in artefacts.list().await.unwrap() {
        let content = artefacts.get(&listed.key).await.unwrap().unwrap();
        held.insert(listed.key, content);
    }
    held
}

/// A place whose artefacts lie in the bucket.
fn place(url: &str, bucket: &S3Bucket) -> Place {
    let (id, secret) = bucket.key.clone().unwrap();
    Place {
        bucket: vec![
            ("PHAROS_ARTEFACTS_BUCKET", bucket.name.clone()),
            ("PHAROS_ARTEFACTS_ENDPOINT", bucket.endpoint.clone().unwrap()),
            ("PHAROS_ARTEFACTS_REGION", bucket.region.clone()),
            ("PHAROS_ARTEFACTS_ACCESS_KEY_ID", id),
            ("PHAROS_ARTEFACTS_SECRET_ACCESS_KEY", secret),
        ],
        ..Place::at(url)
    }
}

fn run(place: &Place, arguments: &[&str]) -> Output {
    tokio::task::block_in_place(|| place.run(arguments))
}

fn told(output: &Output) -> Value {
    serde_json::from_str(&done(output)).unwrap()
}

/// The file does not know what its artefacts lay in.
#[tokio::test(flavor = "multi_thread")]
async fn artefacts_of_a_bucket_come_back_into_a_bucket_and_into_a_folder() {
    let app = TestApp::start().await;
    let store = Store::start().await;
    let artefacts = Artefacts::in_bucket(&store.bucket).unwrap();
    put(&artefacts, &some()).await;
    let old = place(app.database.url(), &store.bucket);
    let file = old.file("backup");
    let path = file.to_str().unwrap();
    let made = told(&run(&old, &["backup", path, "--json"]));
    assert_eq!(made["bucket"], "pharos-artefacts");
    assert_eq!(made["artefacts"], 3);
    assert_eq!(made["artefact_bytes"], (1 << 20) + 15);
    assert_eq!(made["artefacts_gone"], 0);

    // Into an empty folder.
    let empty = Empty::create().await;
    let folder = Place::at(&empty.url);
    let restored = told(&run(&folder, &["restore", path, "--json"]));
    assert_eq!(
        (&restored["artefacts"], &restored["bucket"]),
        (&json!(3), &Value::Null)
    );
    let of_folder = contents(&folder.data().join("artefacts"));
    assert_eq!(of_folder.len(), 3);
    for (key, content) in some() {
        assert_eq!(of_folder[Path::new(key.as_str())], content, "{key}");
    }

    // Over a bucket that has changed since.
    artefacts.delete(&key("reporting/march.pdf")).await.unwrap();
    let later = (key("reporting/april.pdf"), Bytes::from_static(b"later"));
    artefacts.put(&later.0, later.1.clone()).await.unwrap();
    let damaged = key("synthetic/a/frame-0.jpg");
    artefacts
        .put(&damaged, Bytes::from_static(b"damaged"))
        .await
        .unwrap();
    let before = held(&artefacts).await;
    let bucket = place(&empty.url, &store.bucket);
    let why = refused(&run(&bucket, &["restore", path]));
    assert!(
        why.contains("3 artefacts (1.0 MB) in the bucket pharos-artefacts"),
        "{why}"
    );
    assert_eq!(held(&artefacts).await, before);
    let said = done(&run(&bucket, &["restore", path, "--replace"]));
    assert!(
        said.contains("with 3 artefacts in the bucket pharos-artefacts"),
        "{said}"
    );
    assert_eq!(held(&artefacts).await, some());
    assert_eq!(
        artefacts
            .get(&key(".restoring/reporting/march.pdf"))
            .await
            .unwrap(),
        None
    );
    assert!(!bucket.data().join("artefacts").exists(), "no folder is made");
    assert_eq!(tables(&empty.url).await, tables(app.database.url()).await);
    empty.drop().await;
}

/// The artefacts that were put aside go, and only where the bucket can be reached.
#[tokio::test(flavor = "multi_thread")]
async fn a_restore_into_a_bucket_that_is_killed_leaves_the_old_artefacts() {
    let app = TestApp::start().await;
    let store = Store::start().await;
    let artefacts = Artefacts::in_bucket(&store.bucket).unwrap();
    put(&artefacts, &some()).await;
    let old = place(app.database.url(), &store.bucket);
    let file = old.file("backup");
    done(&run(&old, &["backup", file.to_str().unwrap()]));
    artefacts.delete(&key("reporting/march.pdf")).await.unwrap();
    let before = held(&artefacts).await;

    let empty = Empty::create().await;
    let mut new = place(&empty.url, &store.bucket);
    let mut running = tokio::task::block_in_place(|| new.begin_restore(&file, &["--replace"]));
    signal(&running, "KILL");
    tokio::task::block_in_place(|| running.wait().unwrap());
    // However far it came.
    let aside = key("reporting/aside.pdf");
    artefacts
        .put_aside(&aside, Bytes::from_static(b"aside"))
        .await
        .unwrap();
    let settings = std::mem::take(&mut new.bucket);
    let why = refused(&run(&new, &["migrate"]));
    assert!(
        why.contains("a restore into the bucket pharos-artefacts was killed here"),
        "{why}"
    );
    new.bucket = settings;
    done(&run(&new, &["migrate"]));
    assert!(!new.data().join("restore.json").exists());
    assert_eq!(held(&artefacts).await, before);
    let aside = key(&format!(".restoring/{aside}"));
    assert_eq!(artefacts.get(&aside).await.unwrap(), None);
    empty.drop().await;
}

/// A proxy between Pharos and a store: it passes everything on, and deletes an artefact just before it is read.
struct Between {
    store: SocketAddr,
    artefacts: Artefacts,
    gone: ArtefactKey,
}

impl Between {
    async fn listen(self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let this = Arc::new(self);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let this = Arc::clone(&this);
                tokio::spawn(async move { this.pass(client).await });
            }
        });
        address
    }

    async fn pass(&self, mut client: TcpStream) -> io::Result<()> {
        let mut store = TcpStream::connect(self.store).await?;
        let (mut asked, mut answered) = (vec![0; 64 << 10], vec![0; 64 << 10]);
        loop {
            tokio::select! {
                read = client.read(&mut asked) => {
                    let asked = &asked[..read?];
                    if asked.is_empty() {
                        return Ok(());
                    }
                    if self.is_read(asked) {
                        self.artefacts.delete(&self.gone).await.unwrap();
                    }
                    store.write_all(asked).await?;
                }
                read = store.read(&mut answered) => {
                    let answered = &answered[..read?];
                    if answered.is_empty() {
                        return Ok(());
                    }
                    client.write_all(answered).await?;
                }
            }
        }
    }

    fn is_read(&self, request: &[u8]) -> bool {
        let head = String::from_utf8_lossy(request);
        let line = head.lines().next().unwrap_or_default();
        line.starts_with("GET ") && line.ends_with(&format!("/{} HTTP/1.1", self.gone))
    }
}

/// Nodes delete what has reached its age while a backup is made.
#[tokio::test(flavor = "multi_thread")]
async fn an_artefact_that_is_deleted_before_it_is_read_is_left_out_and_told() {
    let app = TestApp::start().await;
    let store = Store::start().await;
    let artefacts = Artefacts::in_bucket(&store.bucket).unwrap();
    put(&artefacts, &some()).await;
    let gone = key("reporting/march.pdf");
    let endpoint = store.bucket.endpoint.clone().unwrap();
    let to = endpoint.trim_start_matches("http://").parse().unwrap();
    let between = Between {
        store: to,
        artefacts: artefacts.clone(),
        gone: gone.clone(),
    };
    let bucket = S3Bucket {
        endpoint: Some(format!("http://{}", between.listen().await)),
        ..store.bucket.clone()
    };
    let old = place(app.database.url(), &bucket);
    let file = old.file("backup");
    let said = done(&run(&old, &["backup", file.to_str().unwrap()]));
    assert!(
        said.contains("2 artefacts") && said.contains("Not in it: 1 artefacts that were deleted meanwhile"),
        "{said}"
    );
    let mut rest = some();
    rest.remove(&gone);
    assert_eq!(held(&artefacts).await, rest);

    let empty = Empty::create().await;
    let new = Place::at(&empty.url);
    done(&run(&new, &["restore", file.to_str().unwrap()]));
    assert_eq!(contents(&new.data().join("artefacts")).len(), 2);
    empty.drop().await;
}

/// A file without its artefacts would be taken for whole.
#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_that_does_not_answer_leaves_no_file_and_the_old_data() {
    let app = TestApp::start().await;
    let store = Store::start().await;
    let whole = place(app.database.url(), &store.bucket);
    let file = whole.file("backup");
    let path = file.to_str().unwrap();
    done(&run(&whole, &["backup", path]));
    let missing = S3Bucket {
        name: "somebody-elses".to_owned(),
        ..store.bucket.clone()
    };
    let old = place(app.database.url(), &missing);
    let none = old.file("backup");
    let why = refused(&run(&old, &["backup", none.to_str().unwrap()]));
    assert!(
        why.contains("no backup was made") && why.contains("listing the artefacts"),
        "{why}"
    );
    let left = fs::read_dir(old.folder.path()).unwrap().count();
    assert!(!none.exists() && left == 0, "nothing is left");

    let empty = Empty::create().await;
    let new = place(&empty.url, &missing);
    let why = refused(&run(&new, &["restore", path]));
    assert!(
        why.contains("the data are as they were") && why.contains("listing the artefacts"),
        "{why}"
    );
    assert!(!new.data().join("restore.json").exists());
    assert_eq!(empty.beside().await, [&*empty.name]);
    empty.drop().await;
}
