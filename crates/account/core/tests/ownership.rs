//! Tokens are found where a site shows them, and nowhere else.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has to fail")]

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use pharos_account::verification::{FILE_PATH, Method, NotShown, OwnershipCheck, OwnershipToken, SiteCheck};
use pharos_domain::{hostname::Hostname, ids::DomainId};
use pharos_egress::{
    address_policy::AddressPolicy,
    resolver::NameResolver,
    testing::{
        dns::{Dns, RecordType, Reply},
        server::{Server, Step, answer, path_of, redirect},
    },
    trust::TrustAnchors,
};
use time::OffsetDateTime;

/// The answers of the site by path, the texts of the record, and what looks at both.
struct Lab {
    check: SiteCheck,
    server: Server,
    pages: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    texts: Arc<Mutex<Vec<String>>>,
    token: OwnershipToken,
}

impl Lab {
    async fn open() -> Self {
        Self::permitting(true).await
    }

    /// A site on http, whose address the policy permits or does not.
    async fn permitting(permits: bool) -> Self {
        let pages: Arc<Mutex<HashMap<String, Vec<u8>>>> = Arc::default();
        let texts: Arc<Mutex<Vec<String>>> = Arc::default();
        let (known, said) = (Arc::clone(&pages), Arc::clone(&texts));
        let server = Server::start(move |head| {
            let found = known.lock().unwrap().get(path_of(head)).cloned();
            vec![Step::Send(found.unwrap_or_else(|| answer(404, &[], "nothing")))]
        })
        .await;
        let dns = Dns::start(move |query| match query.kind {
            RecordType::TXT if query.name == "_pharos.shop.example" => {
                Reply::Texts(said.lock().unwrap().clone())
            }
            RecordType::TXT => Reply::NoSuchName,
            _ => Reply::to(&["127.0.0.1"]),
        })
        .await;
        let mut policy = AddressPolicy::public();
        if permits {
            policy = policy.permitting_exactly(server.address);
        }
        let resolver = NameResolver::with_servers(&[dns.address]).unwrap();
        // Nothing listens for https.
        let https = closed().port();
        let check = SiteCheck::new(resolver, policy, &TrustAnchors::web())
            .unwrap()
            .at_ports(server.address.port(), https);
        Self {
            check,
            server,
            pages,
            texts,
            token: OwnershipToken::of(DomainId::generate()),
        }
    }

    fn lay(&self, path: &str, answer: Vec<u8>) {
        self.pages.lock().unwrap().insert(path.to_owned(), answer);
    }

    async fn look(&self, method: Method) -> Result<(), NotShown> {
        let hostname: Hostname = "shop.example".parse().unwrap();
        self.check
            .look(&hostname, &self.token, method, OffsetDateTime::now_utc())
            .await
    }

    fn at(&self, host: &str, path: &str) -> String {
        format!("http://{host}:{}{path}", self.server.address.port())
    }
}

/// An address that refuses connections.
fn closed() -> SocketAddr {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap()
}

#[tokio::test]
async fn a_record_is_found_by_its_whole_text() {
    let lab = Lab::open().await;
    let none = lab.look(Method::Dns).await;
    assert!(matches!(none, Err(NotShown::NoRecord { .. })), "{none:?}");
    let other = OwnershipToken::of(DomainId::generate());
    *lab.texts.lock().unwrap() = vec![other.line(), format!("{}0", lab.token.line()), String::new()];
    let wrong = lab.look(Method::Dns).await;
    assert!(matches!(wrong, Err(NotShown::NoRecord { .. })), "{wrong:?}");
    lab.texts.lock().unwrap().push(lab.token.line());
    lab.look(Method::Dns).await.unwrap();
}

#[tokio::test]
async fn a_file_holds_the_text_alone() {
    let lab = Lab::open().await;
    let none = lab.look(Method::File).await;
    assert!(
        matches!(none, Err(NotShown::Status { status: 404, .. })),
        "{none:?}"
    );
    lab.lay(
        FILE_PATH,
        answer(200, &[], format!("<p>{}</p>", lab.token.line())),
    );
    let page = lab.look(Method::File).await;
    assert!(matches!(page, Err(NotShown::OtherFile { .. })), "{page:?}");
    lab.lay(FILE_PATH, answer(404, &[], lab.token.line()));
    let missing = lab.look(Method::File).await;
    assert!(matches!(missing, Err(NotShown::Status { .. })), "{missing:?}");
    lab.lay(FILE_PATH, answer(200, &[], format!("{}\r\n", lab.token.line())));
    lab.look(Method::File).await.unwrap();
}

#[tokio::test]
async fn a_tag_stands_in_the_head_of_the_first_page() {
    let lab = Lab::open().await;
    lab.lay("/", answer(200, &[], format!("<body>{}", lab.token.tag())));
    let none = lab.look(Method::Tag).await;
    assert!(matches!(none, Err(NotShown::NoTag { .. })), "{none:?}");
    lab.lay("/", answer(200, &[], format!("<head>{}</head>", lab.token.tag())));
    lab.look(Method::Tag).await.unwrap();
    // A tag beyond the part of the page that is read does not count.
    let far = format!("<head><!-- {} -->{}", "-".repeat(300_000), lab.token.tag());
    lab.lay("/", answer(200, &[], far));
    let none = lab.look(Method::Tag).await;
    assert!(matches!(none, Err(NotShown::NoTag { .. })), "{none:?}");
}

#[tokio::test]
async fn redirects_are_followed_on_the_site_alone() {
    let lab = Lab::open().await;
    let shown = answer(200, &[], lab.token.line());
    lab.lay(FILE_PATH, redirect(302, &lab.at("www.shop.example", "/token")));
    lab.lay("/token", shown);
    lab.look(Method::File).await.unwrap();
    for elsewhere in [
        lab.at("evil.example", "/token"),
        lab.at("shop.example.evil.example", "/token"),
        format!("http://shop.example:{}/token", closed().port()),
        "http://shop.example/token".to_owned(),
        lab.at("shop.example", FILE_PATH),
    ] {
        lab.lay(FILE_PATH, redirect(302, &elsewhere));
        let led = lab.look(Method::File).await;
        assert!(
            matches!(led, Err(NotShown::Elsewhere { .. })),
            "{elsewhere}: {led:?}"
        );
    }
}

#[tokio::test]
async fn an_address_that_the_policy_refuses_is_never_asked() {
    let lab = Lab::permitting(false).await;
    lab.lay(FILE_PATH, answer(200, &[], lab.token.line()));
    for method in [Method::File, Method::Tag] {
        let refused = lab.look(method).await;
        assert!(matches!(refused, Err(NotShown::NoAnswer { .. })), "{refused:?}");
        let said = refused.unwrap_err().to_string();
        assert!(!said.contains("127.0.0.1"), "{said}");
    }
    assert_eq!(lab.server.heads(), Vec::<String>::new());
}
