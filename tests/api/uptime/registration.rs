//! GET /domains/{domain_id}/ssl/domain

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration as StdDuration,
};

use pharos_due::work::DueClaim;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver, trust::TrustAnchors};
use pharos_uptime::registration::{
    rdap::RdapClient,
    store::{AskedRegistration, Learned},
    watch::RegistrationWatch,
};
use serde_json::{Value, json};
use time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::{Instant, sleep},
};

use super::path;
use crate::harness::{Node, Reply, TestApp};

/// A registry on this machine (RFC 9083), and the list that names it (RFC 9224).
struct Registry {
    address: SocketAddr,
    answer: Arc<Mutex<(u16, Value)>>,
}

impl Registry {
    async fn open(answer: Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let answer = Arc::new(Mutex::new((200, answer)));
        let shown = Arc::clone(&answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, address, Arc::clone(&shown)));
            }
        });
        Self { address, answer }
    }

    fn show(&self, status: u16, answer: Value) {
        *self.answer.lock().unwrap() = (status, answer);
    }

    fn list(&self) -> String {
        format!("http://{}/dns.json", self.address)
    }
}

async fn serve(mut stream: TcpStream, address: SocketAddr, shown: Arc<Mutex<(u16, Value)>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let (status, body) = if head.starts_with(b"GET /dns.json ") {
        let services = json!([[["example"], [format!("http://{address}/")]]]);
        (200, json!({ "version": "1.0", "services": services }))
    } else if head.starts_with(b"GET /domain/shop.example ") {
        shown.lock().unwrap().clone()
    } else {
        (404, json!({ "errorCode": 404 }))
    };
    let body = body.to_string();
    let answer = format!(
        "HTTP/1.1 {status} Status\r\ncontent-type: application/rdap+json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
}

/// A registry's answer about shop.example. The app's day is 2026-03-31.
fn shop(expires_at: &str, statuses: &[&str], nameservers: &[&str]) -> Value {
    let nameservers: Vec<Value> = nameservers
        .iter()
        .map(|name| json!({ "objectClassName": "nameserver", "ldhName": name }))
        .collect();
    json!({
        "objectClassName": "domain",
        "ldhName": "shop.example",
        "handle": "2138514_DOMAIN-EX",
        "status": statuses,
        "events": [
            { "eventAction": "registration", "eventDate": "2014-06-02T08:00:00Z" },
            { "eventAction": "expiration", "eventDate": expires_at }
        ],
        "nameservers": nameservers,
        "secureDNS": { "delegationSigned": true, "dsData": [{ "keyTag": 12_345 }] },
        "entities": [
            {
                "roles": ["registrant"],
                "vcardArray": ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", "Joe User"]]]
            },
            {
                "roles": ["registrar"],
                "publicIds": [{ "type": "IANA Registrar ID", "identifier": "9999" }],
                "vcardArray": ["vcard", [["version", {}, "text", "4.0"], ["fn", {}, "text", "Example Registrar"]]]
            }
        ]
    })
}

fn usual() -> Value {
    shop(
        "2027-06-02T08:00:00Z",
        &["client transfer prohibited"],
        &["NS1.shop.example"],
    )
}

/// The watch that asks the registry for this app.
fn watch(app: &TestApp, registry: &Registry) -> RegistrationWatch {
    let policy = AddressPolicy::public().permitting_exactly(registry.address);
    let (resolver, list) = (NameResolver::system().unwrap(), registry.list().parse().unwrap());
    let client = RdapClient::new(resolver, policy, &TrustAnchors::web(), list).unwrap();
    RegistrationWatch {
        store: Arc::clone(&app.stores.registrations),
        client: Arc::new(client),
        clock: app.clock.clone(),
    }
}

/// Has the app ask a registry of its own, which says that its domain is registered until then.
pub(crate) async fn ask(app: &TestApp, expires_at: &str) {
    let registry = Registry::open(shop(expires_at, &[], &[])).await;
    assert_eq!(watch(app, &registry).round().await.unwrap(), 1);
}

/// The same of a registry that calls the registrar by this name.
pub(crate) async fn ask_of(app: &TestApp, registrar: &str) {
    let mut answer = usual();
    answer["entities"][1]["vcardArray"][1][1][3] = json!(registrar);
    let registry = Registry::open(answer).await;
    assert_eq!(watch(app, &registry).round().await.unwrap(), 1);
}

/// Has the app find out that there is nobody to ask about its domain.
pub(crate) async fn learn(app: &TestApp) {
    let (registrations, now) = (&app.stores.registrations, app.now());
    registrations.enrol(now, 1).await.unwrap();
    for due in registrations
        .claim(&DueClaim::of_now(now, Duration::HOUR, 1))
        .await
        .unwrap()
    {
        let asked = AskedRegistration {
            name: due.name,
            leased_until: due.leased_until,
            asked_at: now,
            next_check_at: now + Duration::DAY,
            learned: Learned::NoService,
        };
        registrations.complete(&[asked]).await.unwrap();
    }
}

async fn configure(app: &TestApp, settings: Value) {
    app.put(&path(app, "config"), &app.world.key, &settings)
        .send()
        .await
        .ok();
}

async fn view(app: &TestApp) -> Reply {
    let path = format!("/domains/{}/ssl/domain", app.world.domain);
    app.get(&path, &app.world.key).send().await
}

async fn days_in_status(app: &TestApp) -> Value {
    let status = app.get(&path(app, "status"), &app.world.key).send().await.ok();
    status["domain_days_remaining"].clone()
}

#[tokio::test]
async fn a_registration_is_not_found_without_a_monitor_or_before_the_registry_was_asked() {
    let app = TestApp::start().await;
    view(&app).await.problem(404, "uptime-not-found");
    configure(&app, json!({})).await;
    view(&app).await.problem(404, "check-data-not-found");
    assert_eq!(days_in_status(&app).await, Value::Null);
}

#[tokio::test]
async fn what_the_registry_says_is_shown_and_its_registrant_is_not() {
    let app = TestApp::start().await;
    let registry = Registry::open(usual()).await;
    configure(&app, json!({})).await;
    assert_eq!(watch(&app, &registry).round().await.unwrap(), 1);
    let shown = view(&app).await;
    assert!(!String::from_utf8_lossy(&shown.body).contains("Joe User"));
    assert_eq!(
        shown.ok(),
        json!({
            "registrable_domain": "shop.example",
            "unicode_name": null,
            "handle": "2138514_DOMAIN-EX",
            "state": "active",
            "registered_at": "2014-06-02T08:00:00Z",
            "expires_at": "2027-06-02T08:00:00Z",
            "last_changed_at": null,
            "transferred_at": null,
            "rdap_updated_at": null,
            "days_remaining": 427,
            "statuses": ["client_transfer_prohibited"],
            "transfer_locked": true,
            "registrar_name": "Example Registrar",
            "registrar_iana_id": "9999",
            "registrar_url": null,
            "abuse_email": null,
            "nameservers": ["ns1.shop.example"],
            "dnssec_signed": true,
            "ds_records_count": 1,
            "source": "rdap",
            "source_url": format!("http://{}/domain/shop.example", registry.address),
            "checked_at": "2026-03-31T09:15:00Z",
            "changes": []
        })
    );
    assert_eq!(days_in_status(&app).await, 427);
    app.clock.advance(Duration::days(427));
    assert_eq!(days_in_status(&app).await, 0);
    assert_eq!(view(&app).await.ok()["state"], "expiring_soon");
    app.clock.advance(Duration::DAY);
    assert_eq!(view(&app).await.ok()["state"], "expired");
    assert_eq!(days_in_status(&app).await, -1);
}

#[tokio::test]
async fn a_registration_expires_soon_from_the_monitors_largest_day_on() {
    let app = TestApp::start().await;
    let registry = Registry::open(usual()).await;
    configure(&app, json!({ "domain_warn_days": [7, 426] })).await;
    watch(&app, &registry).round().await.unwrap();
    assert_eq!(view(&app).await.ok()["state"], "active");
    app.clock.advance(Duration::DAY);
    assert_eq!(view(&app).await.ok()["state"], "expiring_soon");
}

#[tokio::test]
async fn changes_are_seen_from_answer_to_answer_and_a_failure_is_none() {
    let app = TestApp::start().await;
    let registry = Registry::open(usual()).await;
    configure(&app, json!({})).await;
    let watch = watch(&app, &registry);
    watch.round().await.unwrap();

    app.clock.advance(Duration::DAY);
    registry.show(500, json!({ "errorCode": 500 }));
    assert_eq!(watch.round().await.unwrap(), 1);
    let kept = view(&app).await.ok();
    assert_eq!(
        (&kept["checked_at"], &kept["changes"]),
        (&json!("2026-03-31T09:15:00Z"), &json!([]))
    );
    assert_eq!(kept["registrar_name"], "Example Registrar");

    app.clock.advance(Duration::hours(1) - Duration::SECOND);
    assert_eq!(watch.round().await.unwrap(), 0);
    app.clock.advance(Duration::SECOND);
    registry.show(
        200,
        shop(
            "2027-06-02T08:00:00Z",
            &["redemption period", "pending delete"],
            &["ns2.shop.example", "ns1.shop.example"],
        ),
    );
    assert_eq!(watch.round().await.unwrap(), 1);
    let changed = view(&app).await.ok();
    assert_eq!(changed["state"], "redemption");
    let at = "2026-04-01T10:15:00Z";
    assert_eq!(
        changed["changes"],
        json!([
            {
                "detected_at": at, "field": "nameservers",
                "before": "ns1.shop.example", "after": "ns1.shop.example, ns2.shop.example"
            },
            {
                "detected_at": at, "field": "statuses",
                "before": "client_transfer_prohibited", "after": "pending_delete, redemption_period"
            }
        ])
    );
}

#[tokio::test]
async fn a_registry_that_never_answered_leaves_everything_open() {
    let app = TestApp::start().await;
    let registry = Registry::open(Value::Null).await;
    registry.show(404, json!({ "errorCode": 404 }));
    configure(&app, json!({})).await;
    watch(&app, &registry).round().await.unwrap();
    let open = view(&app).await.ok();
    assert_eq!(
        (&open["source"], &open["state"]),
        (&json!("none"), &json!("unknown"))
    );
    for unknown in [
        "expires_at",
        "days_remaining",
        "transfer_locked",
        "registrar_name",
        "dnssec_signed",
        "ds_records_count",
        "source_url",
        "checked_at",
    ] {
        assert_eq!(open[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(days_in_status(&app).await, Value::Null);
}

/// The real program, its address policy, and its own pace.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_asks_by_itself_once_a_monitor_is_enabled() {
    let app = TestApp::start().await;
    let registry = Registry::open(usual()).await;
    let _node = Node::start(
        &["--roles", "api,scheduler"],
        &[
            ("PHAROS_DATABASE_URL", app.database.url()),
            ("PHAROS_RDAP_BOOTSTRAP_URL", &registry.list()),
            ("PHAROS_PROBE_NETWORKS", "[\"127.0.0.1/32\"]"),
        ],
    );
    configure(&app, json!({})).await;
    let deadline = Instant::now() + StdDuration::from_secs(30);
    loop {
        let reply = view(&app).await;
        if reply.status == 200 {
            assert_eq!(reply.ok()["registrar_name"], "Example Registrar");
            return;
        }
        assert!(Instant::now() < deadline, "{:?}", reply.json());
        sleep(StdDuration::from_millis(100)).await;
    }
}
