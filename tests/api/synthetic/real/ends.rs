//! Loads that end before their time, and all that belongs to them with them.

use std::{net::SocketAddr, path::Path, process::Stdio, time::Duration};

use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver};
use pharos_synthetic::{
    lab::{LOAD_WITHIN, LoadError, MOST_BYTES, proxy::Proxy},
    page::PageSettings,
};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, Command},
    time::{Instant, sleep, timeout},
};

use super::{PATIENCE, chromium, folder, lab, left, nothing_is_left, ordered, site, waited, within};
use crate::harness::newer_node;

/// A page that never answers, one that never ends, and one whose script never ends: the loads are ended, and nothing of them
/// stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_that_hangs_is_ended_with_all_that_belongs_to_it() {
    let (address, _) = site(&[
        ("/", "hang", ""),
        (
            "/more",
            "endless",
            "<!doctype html><title>More</title><h1>More</h1>",
        ),
        (
            "/endless",
            "text/html",
            "<!doctype html><title>Endless</title><script>for (;;) {}</script>",
        ),
    ])
    .await;
    let (lab, work) = lab("hangs", address, Duration::from_secs(6));
    let load = async |path: &str| {
        let page = PageSettings::of(format!("http://{address}{path}"));
        ordered(&lab, &page, "desktop").await.unwrap_err()
    };
    let errors: [LoadError; 3] = tokio::join!(load("/"), load("/more"), load("/endless")).into();
    for error in errors {
        assert!(matches!(error, LoadError::Timeout(_)), "{error}");
    }
    nothing_is_left(&work).await;
}

/// Sends a signal to the browser of a load, as soon as it listens.
pub(super) async fn signal_browser(work: &Path, signal: &str) {
    let own = work.join(std::process::id().to_string());
    let deadline = Instant::now() + PATIENCE;
    let browser = loop {
        let listens = std::fs::read_dir(&own)
            .into_iter()
            .flatten()
            .flatten()
            .any(|load| load.path().join("profile/DevToolsActivePort").exists());
        let found = std::fs::read_dir("/proc").unwrap().flatten().find(|entry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line);
            // Its children say what type they are of.
            line.contains(&format!("--user-data-dir={}", own.display())) && !line.contains("--type=")
        });
        match found {
            Some(entry) if listens => break entry.file_name().into_string().unwrap(),
            _ => assert!(Instant::now() < deadline, "the browser does not start"),
        }
        sleep(Duration::from_millis(50)).await;
    };
    let sent = Command::new("sh")
        .args(["-c", &format!("kill -{signal} {browser}")])
        .status()
        .await
        .unwrap();
    assert!(sent.success());
}

/// A browser that dies, and one that stands still, in the middle of a load.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_crashes_or_stands_still_ends_its_load_with_the_reason() {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let page = PageSettings::of(format!("http://{address}/"));
    for (signal, within, reasons) in [
        ("KILL", LOAD_WITHIN, ["Chromium ended by itself (SIGKILL)"; 2]),
        // Lighthouse may tire of it first.
        (
            "STOP",
            Duration::from_secs(30),
            [
                "was not measured within 30 seconds",
                "Waiting for DevTools protocol response",
            ],
        ),
    ] {
        let (lab, work) = lab(signal, address, within);
        let (result, ()) = tokio::join!(ordered(&lab, &page, "desktop"), signal_browser(&work, signal));
        let error = result.unwrap_err().to_string();
        assert!(reasons.iter().any(|reason| error.contains(reason)), "{error}");
        nothing_is_left(&work).await;
    }
}

/// A script of 5 GB is cut off, and figures of a part of the page are none of the page.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_too_heavy_is_not_measured_by_halves() {
    let (address, _) = site(&[
        (
            "/",
            "text/html",
            "<!doctype html><title>Heavy</title><h1>Heavy</h1><script src=\"/huge.js\"></script>",
        ),
        ("/huge.js", "huge", "text/javascript"),
    ])
    .await;
    let (lab, work) = lab("heavy", address, LOAD_WITHIN);
    let page = PageSettings::of(format!("http://{address}/"));
    let error = ordered(&lab, &page, "desktop").await.unwrap_err();
    assert!(matches!(error, LoadError::TooHeavy), "{error}");
    nothing_is_left(&work).await;
}

/// Starts a script of a load, as a node does.
fn start(script: &Path, home: &Path) -> Child {
    Command::new(newer_node())
        .arg(script)
        .env("HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap()
}

/// The order to load a page of an address through a proxy, with so many MiB of memory and of disk.
pub(super) fn order(
    proxy: SocketAddr,
    address: SocketAddr,
    load: &Path,
    [memory_mib, disk_mib]: [u32; 2],
) -> String {
    let order = json!({
        "lighthouse": folder(), "chromium": chromium(), "proxy": proxy.to_string(), "folder": load,
        // Whoever runs the tests may be root; these are about the end alone.
        "sandbox": false, "memory_mib": memory_mib, "disk_mib": disk_mib, "url": format!("http://{address}/"), "settings": {},
    });
    format!("{order}\n")
}

/// As much as a load may take in earnest.
pub(super) const ENOUGH: [u32; 2] = [3_072, 1_024];

/// A load that may take so much ends with this reason.
async fn is_ended(work: &Path, most: [u32; 2], reason: &str) {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let told = told(work, &order(address, address, work, most)).await;
    assert!(told.contains(reason), "{told}");
}

/// The answer to an order; nothing is left of the load then.
pub(super) async fn told(work: &Path, order: &str) -> String {
    told_by(&folder().join("run.mjs"), work, order).await
}

/// The answer of this script.
async fn told_by(script: &Path, work: &Path, order: &str) -> String {
    let mut child = start(script, work);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(order.as_bytes()).await.unwrap();
    let mut told = String::new();
    let mut stdout = child.stdout.take().unwrap();
    timeout(PATIENCE, stdout.read_to_string(&mut told))
        .await
        .unwrap()
        .unwrap();
    child.wait().await.unwrap();
    waited(|| left(work, &[])).await;
    std::fs::remove_dir_all(work).unwrap();
    told
}

/// No browser is so small.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_that_takes_too_much_memory_is_ended_and_says_so() {
    let work = std::env::temp_dir().join(format!("pharos-lab-memory-{}", std::process::id()));
    std::fs::create_dir_all(&work).unwrap();
    let reason = "it took more than 50 MiB of memory, and the browser was ended";
    is_ended(&work, [50, ENOUGH[1]], reason).await;
}

/// A page sends itself 64 MiB again and again, and reads none of it: what is on its way lies in memory that no process has mapped.
const SENDS: &str = r#"<!doctype html><html lang="en"><head><title>Sends</title></head><body><h1>Sends</h1><script>
const [from, to] = [new BroadcastChannel('large'), new BroadcastChannel('large')];
to.onmessage = () => {};
const large = new Uint8Array(64 * 1024 * 1024).fill(7);
setTimeout(() => { for (let count = 0; count < 100; count++) from.postMessage(large); }, 500);
</script></body></html>"#;

#[tokio::test(flavor = "multi_thread")]
async fn memory_that_is_on_its_way_from_one_process_to_another_is_weighed() {
    let (address, _) = site(&[("/", "text/html", SENDS)]).await;
    let policy = AddressPolicy::public().permitting_exactly(address);
    let proxy = Proxy::start(NameResolver::system().unwrap(), policy, MOST_BYTES)
        .await
        .unwrap();
    let work = std::env::temp_dir().join(format!("pharos-lab-sends-{}", std::process::id()));
    std::fs::create_dir_all(&work).unwrap();
    // More than a browser has by itself, and than the page keeps.
    let told = told(&work, &order(proxy.address(), address, &work, [1_500, ENOUGH[1]])).await;
    assert!(told.contains("it took more than 1500 MiB of memory"), "{told}");
}

/// A page can have a browser store what no network brought: here it lies in the profile before the browser starts.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_that_takes_too_much_disk_is_ended_and_says_so() {
    let work = std::env::temp_dir().join(format!("pharos-lab-disk-{}", std::process::id()));
    let storage = work.join("profile/Default/IndexedDB");
    std::fs::create_dir_all(&storage).unwrap();
    std::fs::write(storage.join("stored"), vec![1; 8 * 1024 * 1024]).unwrap();
    let reason = "it took more than 8 MiB of disk, and the browser was ended";
    is_ended(&work, [ENOUGH[0], 8], reason).await;
}

/// As a page that goes to another again and again has Lighthouse fail: the reason is told all the same.
#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_nobody_waits_for_is_the_reason_that_is_told() {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let work = std::env::temp_dir().join(format!("pharos-lab-aside-{}", std::process::id()));
    std::fs::create_dir_all(&work).unwrap();
    let script = std::fs::read_to_string(folder().join("run.mjs")).unwrap();
    let fails = "setTimeout(() => Promise.reject(new Error('the page went to another')), 3_000);";
    let file = work.join("run.mjs");
    std::fs::write(&file, format!("{fails}\n{script}")).unwrap();
    let told = told_by(&file, &work, &order(address, address, &work, ENOUGH)).await;
    assert_eq!(
        told,
        r#"{"failure":{"code":null,"message":"the page went to another"}}"#
    );
}

/// A node that is killed closes the pipe that its loads listen to: they end by themselves, and remove what they wrote,
/// although much fails by then, and nobody reads of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_ends_with_the_node_that_began_it() {
    let (address, _) = site(&[("/", "hang", "")]).await;
    let work = std::env::temp_dir().join(format!("pharos-lab-orphan-{}", std::process::id()));
    let load = work.join("load");
    std::fs::create_dir_all(&load).unwrap();
    let script = std::fs::read_to_string(folder().join("run.mjs")).unwrap();
    let fails = "process.stdin.once('end', () => setInterval(() => { throw new Error('the browser is gone'); }, 20));";
    let file = work.join("run.mjs");
    std::fs::write(&file, format!("{fails}\n{script}")).unwrap();
    let mut child = start(&file, &load);
    let pipes = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(order(address, address, &load, ENOUGH).as_bytes())
        .await
        .unwrap();
    let port = load.join("profile/DevToolsActivePort");
    waited(|| (!port.exists()).then(|| "the browser does not start".to_owned())).await;
    drop((stdin, pipes));
    let ended = timeout(PATIENCE, child.wait()).await;
    if ended.is_err() {
        child.kill().await.unwrap();
    }
    assert!(ended.is_ok(), "it does not end by itself");
    waited(|| left(&work, &within(&load)).or_else(|| load.exists().then(|| "its folder stays".to_owned())))
        .await;
    std::fs::remove_dir_all(&work).unwrap();
}
