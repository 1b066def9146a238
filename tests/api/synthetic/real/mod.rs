//! The real thing: Lighthouse on Chromium, as a node runs them.

mod ends;
mod figures;
mod inside;
mod killed;
mod queue;
mod secrets;
mod ways;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver};
use pharos_synthetic::{
    lab::{Lab, LabSettings, LoadError, LoadOrder},
    page::PageSettings,
    profile::Profile,
    secrets::PageSecrets,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
    time::{Instant, sleep},
};

/// As long as something may take on a busy machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// The folder in whose `node_modules` Lighthouse lies.
pub(crate) fn folder() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().join("crates/synthetic/core/lab")
}

pub(crate) fn chromium() -> PathBuf {
    std::env::var_os("PHAROS_TEST_CHROMIUM").map_or_else(|| "/usr/bin/chromium".into(), PathBuf::from)
}

/// A lab of its own, which reaches this address of the machine and nothing else of it.
pub(super) fn lab(name: &str, site: SocketAddr, load_within: Duration) -> (Lab, PathBuf) {
    let work = std::env::temp_dir().join(format!("pharos-lab-{name}-{}", std::process::id()));
    let settings = LabSettings {
        folder: folder(),
        chromium: Some(chromium()),
        sandbox: true,
        work: work.clone(),
        load_within,
    };
    let policy = AddressPolicy::public().permitting_exactly(site);
    let lab = Lab::open(settings, NameResolver::system().unwrap(), policy).unwrap();
    (lab, work)
}

/// Loads a page in a profile, as a node orders it.
async fn ordered(lab: &Lab, page: &PageSettings, profile: &str) -> Result<Vec<u8>, LoadError> {
    let order = LoadOrder {
        page,
        secrets: &PageSecrets::default(),
        profile: Profile::named(profile).unwrap(),
    };
    lab.result(order).await
}

/// A site with these pages, which counts who comes.
pub(crate) async fn site(
    pages: &'static [(&'static str, &'static str, &'static str)],
) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let counted = Arc::clone(&counted);
            tokio::spawn(async move {
                let mut head = vec![0; 16_384];
                let read = stream.read(&mut head).await.unwrap_or(0);
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                counted.fetch_add(1, Ordering::SeqCst);
                let wanted = head.split(' ').nth(1).unwrap_or_default();
                let wanted = wanted.split('?').next().unwrap_or_default();
                let found = pages.iter().find(|(path, ..)| *path == wanted);
                let answer = match found {
                    Some((_, "hang", _)) => {
                        sleep(PATIENCE).await;
                        return;
                    }
                    Some((_, "endless", begin)) => {
                        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
                        let mut answered = stream.write_all(format!("{head}{begin}").as_bytes()).await;
                        while answered.is_ok() {
                            sleep(Duration::from_millis(100)).await;
                            answered = stream.write_all(b"<p>More</p>").await;
                        }
                        return;
                    }
                    Some((_, "huge", kind)) => {
                        let head = format!(
                            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: 5000000000\r\nConnection: close\r\n\r\n"
                        );
                        let chunk = vec![b' '; 65_536];
                        let mut answered = stream.write_all(head.as_bytes()).await;
                        while answered.is_ok() {
                            answered = stream.write_all(&chunk).await;
                        }
                        return;
                    }
                    Some((_, "redirect", to)) => format!(
                        "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    ),
                    Some((_, kind, body)) => format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    ),
                    None => {
                        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
                    }
                };
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            });
        }
    });
    (address, count)
}

/// The processes whose command line names a folder.
pub(super) fn processes_of(folder: &Path) -> Vec<String> {
    let name = folder.to_str().unwrap();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(name) {
            found.push(line);
        }
    }
    found
}

/// Waits until nothing stands in the way any more. Each wait has all of the patience, however long those before it took.
pub(super) async fn waited(in_the_way: impl Fn() -> Option<String>) {
    let deadline = Instant::now() + PATIENCE;
    while let Some(what) = in_the_way() {
        assert!(Instant::now() < deadline, "{what}");
        sleep(Duration::from_millis(50)).await;
    }
}

/// The processes of a folder and these folders, as long as there are any.
pub(super) fn left(of: &Path, folders: &[PathBuf]) -> Option<String> {
    let processes = processes_of(of);
    let is_any = !processes.is_empty() || !folders.is_empty();
    is_any.then(|| format!("{processes:?}, {folders:?}"))
}

/// The folders and files in a folder; none where it is not there.
pub(super) fn within(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Waits until nothing is left of the loads of a folder: no process, and no profile.
pub(super) async fn nothing_is_left(work: &Path) {
    let own = work.join(std::process::id().to_string());
    waited(|| left(work, &within(&own))).await;
    std::fs::remove_dir_all(work).unwrap();
}

const PAGE: &str = r#"<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="A shop">
<link rel="stylesheet" href="/style.css?token=secret"></head>
<body><main><h1>Shop</h1><p>All kinds of shoes</p></main><script src="/busy.js"></script></body></html>"#;
