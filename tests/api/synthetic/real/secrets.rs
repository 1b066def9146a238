//! Pages that are not public: their password and their cookie reach the host of the page, and nobody else.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver};
use pharos_synthetic::{
    lab::{LOAD_WITHIN, Lab, LabSettings, LoadOrder},
    lhr,
    page::{Category, PageSettings},
    profile::Profile,
    secrets::{BasicAuth, PageSecrets},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use super::{chromium, folder, nothing_is_left};

/// `staging` and `hunter2-and-more`, as a browser sends them.
const AUTHORIZATION: &str = "Authorization: Basic c3RhZ2luZzpodW50ZXIyLWFuZC1tb3Jl";
/// The answer to who sends none.
const ASKS: &str = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"shop\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// A host, with the heads of the requests that came.
pub(super) struct Host {
    pub(super) address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Host {
    pub(super) async fn open(ip: &str, answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((ip, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let heads: Arc<Mutex<Vec<String>>> = Arc::default();
        let (heard, answer) = (Arc::clone(&heads), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (heard, answer) = (Arc::clone(&heard), Arc::clone(&answer));
                tokio::spawn(async move {
                    let mut head = vec![0; 16_384];
                    let read = stream.read(&mut head).await.unwrap_or(0);
                    let head = String::from_utf8_lossy(&head[..read]).into_owned();
                    let said = answer(&head);
                    heard.lock().unwrap().push(head);
                    let _ = stream.write_all(said.as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        Self { address, heads }
    }

    /// The heads of the requests for a path.
    pub(super) fn heads(&self, path: &str) -> Vec<String> {
        let heads = self.heads.lock().unwrap();
        let of_path = heads.iter().filter(|head| head.split(' ').nth(1) == Some(path));
        of_path.cloned().collect()
    }
}

pub(super) fn answer(kind: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

fn work(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("pharos-lab-{name}-{}", std::process::id()))
}

/// A lab that may go to these two.
fn lab(work: &Path, [one, other]: [SocketAddr; 2]) -> Lab {
    let settings = LabSettings {
        folder: folder(),
        chromium: Some(chromium()),
        sandbox: true,
        work: work.to_owned(),
        load_within: LOAD_WITHIN,
    };
    let policy = AddressPolicy::public()
        .permitting_exactly(one)
        .permitting_exactly(other);
    Lab::open(settings, NameResolver::system().unwrap(), policy).unwrap()
}

fn password() -> BasicAuth {
    BasicAuth {
        username: "staging".to_owned(),
        password: "hunter2-and-more".to_owned().into(),
    }
}

/// The host leads to another of its ports, as from http to https, and asks there again.
#[tokio::test(flavor = "multi_thread")]
async fn the_password_reaches_the_host_of_the_page_at_each_of_its_ports() {
    let aside = Host::open("127.0.0.1", |head| {
        if head.contains(AUTHORIZATION) {
            answer(
                "text/html",
                r#"<!doctype html><html lang="en"><head><title>Staging</title></head><body><h1>Staging</h1></body></html>"#,
            )
        } else {
            ASKS.to_owned()
        }
    })
    .await;
    let leads = format!(
        "HTTP/1.1 302 Found\r\nLocation: http://{}/orders\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        aside.address
    );
    let own = Host::open("127.0.0.1", move |head| {
        if head.contains(AUTHORIZATION) {
            leads.clone()
        } else {
            ASKS.to_owned()
        }
    })
    .await;
    let work = work("ports");
    let lab = lab(&work, [own.address, aside.address]);
    let page = PageSettings {
        categories: vec![Category::Performance],
        ..PageSettings::of(format!("http://{}/account", own.address))
    };
    let secrets = PageSecrets {
        basic_auth: Some(password()),
        ..PageSecrets::default()
    };
    let order = LoadOrder {
        page: &page,
        secrets: &secrets,
        profile: Profile::named("desktop").unwrap(),
    };
    let result = lab.result(order).await.unwrap();
    nothing_is_left(&work).await;
    assert_eq!(lhr::read(&result).unwrap().summary.runtime_error, None);
    let heads = aside.heads("/orders");
    assert!(heads.iter().any(|head| head.contains(AUTHORIZATION)), "{heads:?}");
}

/// The other host asks for a password as well, and the page tells what it was sent. A script that is blocked is asked for by nobody.
#[tokio::test(flavor = "multi_thread")]
async fn password_and_cookie_reach_the_host_of_the_page_alone() {
    let other = Host::open("127.0.0.2", |_| ASKS.to_owned()).await;
    let page = format!(
        r#"<!doctype html><html lang="en"><head><title>Staging</title><script src="/kept.js"></script>
<script src="/blocked.js"></script></head><body><h1>Staging</h1><img src="http://{}/pixel" alt="Other">
<script>console.error(`I was sent ${{document.cookie}}`); fetch('/hunter2-and-more').catch(() => {{}});</script></body></html>"#,
        other.address
    );
    let own = Host::open("127.0.0.1", move |head| {
        if !head.contains(AUTHORIZATION) {
            ASKS.to_owned()
        } else if head.contains(".js ") {
            answer("text/javascript", "")
        } else {
            answer("text/html", &page)
        }
    })
    .await;
    let work = work("secrets");
    let lab = lab(&work, [own.address, other.address]);
    let page = PageSettings {
        categories: vec![Category::Performance],
        blocked_url_patterns: vec!["*/blocked.js".to_owned()],
        ..PageSettings::of(format!("http://{}/account/orders", own.address))
    };
    let secrets = PageSecrets {
        basic_auth: Some(password()),
        cookie: Some("session=very-secret; lang=en".to_owned().into()),
    };
    let order = LoadOrder {
        page: &page,
        secrets: &secrets,
        profile: Profile::named("desktop").unwrap(),
    };
    let result = lab.result(order).await.unwrap();
    nothing_is_left(&work).await;
    assert_eq!(lhr::read(&result).unwrap().summary.runtime_error, None);
    for path in ["/account/orders", "/kept.js"] {
        let heads = own.heads(path);
        let is_let_in = heads.iter().any(|head| {
            head.contains(AUTHORIZATION) && head.contains("session=very-secret") && head.contains("lang=en")
        });
        assert!(is_let_in, "{path}: {heads:?}");
    }
    assert_eq!(own.heads("/blocked.js"), [""; 0]);
    let others = other.heads("/pixel");
    assert!(!others.is_empty(), "the other host is asked");
    for head in others {
        assert!(
            !head.to_lowercase().contains("authorization") && !head.contains("very-secret"),
            "{head}"
        );
    }
    assert!(
        !own.heads("/hunter2-and-more").is_empty(),
        "the page tells the password"
    );
    let told = String::from_utf8_lossy(&result);
    assert!(told.contains("/REDACTED"), "{told}");
    assert!(!told.contains("hunter2") && !told.contains("very-secret"));
}
