//! The demo site: three small shops and the tag of somebody else on one port, told apart by their names.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener},
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    http::{
        StatusCode,
        header::{HeaderName, HeaderValue},
    },
    web,
};
use anyhow::Context;
use pharos_egress::address_policy::AddressPolicy;
use time::OffsetDateTime;

use super::shop::{self, Frame};

/// A shop of the demo.
#[derive(Clone, Copy, Debug)]
pub struct Shop {
    /// The name that it answers to.
    pub host: &'static str,
    /// Its name for visitors.
    pub name: &'static str,
    /// Its name in Pharos, where its figures are shown.
    pub label: &'static str,
    /// How it behaves.
    mood: Mood,
}

#[derive(Clone, Copy, Debug)]
enum Mood {
    /// Answers at once.
    Steady,
    /// Takes its time in every third minute.
    Slow,
    /// Is down for the first two minutes of every ten.
    Flaky,
}

/// The shops. The first is the one that the welcome names.
pub const SHOPS: [Shop; 3] = [
    Shop {
        host: "demo.localhost",
        name: "Demo shop",
        label: "Demo shop (history is generated)",
        mood: Mood::Steady,
    },
    Shop {
        host: "slow.demo.localhost",
        name: "Demo shop, slow at times",
        label: "Demo shop, slow at times",
        mood: Mood::Slow,
    },
    Shop {
        host: "flaky.demo.localhost",
        name: "Demo shop, down at times",
        label: "Demo shop, down at times",
        mood: Mood::Flaky,
    },
];

/// The name of another site, which serves the shops a tag: to browsers it is a third party.
pub(super) const TAGS: &str = "tags.localhost";

/// The name by which the shops tell in `Server-Timing` how long an answer took them.
pub(super) const TIMING: &str = "shop";

/// The port that is tried first, so that the site keeps its address between two starts.
pub(super) const PORT: u16 = 7071;

/// How large the body of a form is at most, in bytes.
const FORM: usize = 4096;

/// The running site. It ends with the process.
#[derive(Debug)]
pub struct Site {
    port: u16,
    trackers: Arc<OnceLock<Trackers>>,
}

/// The addresses of the scripts that measure the shops, by the shops' names.
pub type Trackers = BTreeMap<String, String>;

impl Site {
    /// Starts the site on the loopback addresses. Call it within the runtime.
    ///
    /// # Errors
    /// There is no loopback address to listen on.
    pub fn start() -> anyhow::Result<Self> {
        let v4 = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let first = v4(PORT)
            .or_else(|_| v4(0))
            .context("the demo site can't listen on 127.0.0.1")?;
        let port = first.local_addr()?.port();
        let trackers = Arc::<OnceLock<Trackers>>::default();
        let known = web::Data::from(trackers.clone());
        let mut server = HttpServer::new(move || {
            App::new()
                .app_data(known.clone())
                .app_data(web::PayloadConfig::new(FORM))
                .default_service(web::to(page))
        })
        .workers(1)
        .disable_signals()
        .shutdown_timeout(0)
        .listen(first)?;
        // A machine without IPv6 has no ::1; the checks then use 127.0.0.1.
        if let Ok(second) = TcpListener::bind((Ipv6Addr::LOCALHOST, port)) {
            server = server.listen(second)?;
        }
        actix_web::rt::spawn(server.run());
        Ok(Self { port, trackers })
    }

    /// The address of a shop.
    #[must_use]
    pub fn url(&self, host: &str) -> String {
        format!("http://{host}:{}/", self.port)
    }

    /// The sitemap of the shop that search data are played for.
    #[must_use]
    pub fn searched_sitemap(&self) -> String {
        format!("{}sitemap.xml", self.url(SHOPS[0].host))
    }

    /// Puts these scripts into the shops' pages from now on. The first call counts.
    pub fn measure(&self, trackers: Trackers) {
        // A second call would name the same scripts: keys of sites stay.
        let _ = self.trackers.set(trackers);
    }

    /// The policy that lets checks reach this site, and nothing else on this machine.
    #[must_use]
    pub fn permit(&self, policy: AddressPolicy) -> AddressPolicy {
        let loopback = [
            SocketAddr::from((Ipv4Addr::LOCALHOST, self.port)),
            (Ipv6Addr::LOCALHOST, self.port).into(),
        ];
        let policy = loopback
            .into_iter()
            .fold(policy, AddressPolicy::permitting_exactly);
        let names = SHOPS.iter().map(|shop| shop.host).chain([TAGS]);
        names.fold(policy, AddressPolicy::permitting_name)
    }
}

/// The policy that lets the lab's browser load the scripts that measure the shops, and send what they measure: from and to this
/// node alone, which listens there.
#[must_use]
pub fn permit_measuring(policy: AddressPolicy, listen: SocketAddr) -> AddressPolicy {
    let policy = policy.permitting_exactly(listen);
    if listen.ip().is_unspecified() {
        policy
            .permitting_exactly((Ipv4Addr::LOCALHOST, listen.port()).into())
            .permitting_exactly((Ipv6Addr::LOCALHOST, listen.port()).into())
    } else {
        policy
    }
}

async fn page(request: HttpRequest, form: String, trackers: web::Data<OnceLock<Trackers>>) -> HttpResponse {
    let begun = Instant::now();
    let asked = request.connection_info().host().to_owned();
    let (host, port) = asked.split_at(asked.find(':').unwrap_or(asked.len()));
    if host == TAGS {
        return shop::tag();
    }
    let Some(shop) = SHOPS.iter().find(|shop| shop.host == host) else {
        return HttpResponse::NotFound().body("No shop has this name.\n");
    };
    let minute = OffsetDateTime::now_utc().minute();
    let (status, pause) = match shop.mood {
        Mood::Flaky if minute % 10 < 2 => (StatusCode::SERVICE_UNAVAILABLE, Duration::ZERO),
        Mood::Slow if minute % 3 == 2 => (StatusCode::OK, Duration::from_millis(700)),
        Mood::Steady | Mood::Slow | Mood::Flaky => (StatusCode::OK, Duration::from_millis(15)),
    };
    actix_web::rt::time::sleep(pause).await;
    if !status.is_success() {
        return HttpResponse::build(status).body("Closed for a moment.\n");
    }
    let tag = format!("http://{TAGS}{port}/tag.js");
    let frame = Frame {
        name: shop.name,
        tracker: trackers
            .get()
            .and_then(|trackers| trackers.get(shop.host))
            .map(String::as_str),
        tag: &tag,
    };
    let mut response = shop::answer(&frame, &request, &form).await;
    let took = begun.elapsed().as_secs_f64() * 1_000.0;
    if let Ok(timing) = HeaderValue::from_str(&format!("{TIMING};dur={took:.1}")) {
        let headers = response.headers_mut();
        headers.insert(HeaderName::from_static("server-timing"), timing);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts_of_the_shops_are_reached_in_the_lab_and_nothing_beside_them() {
        let allowed = |listen: &str, asked: &str| {
            let policy = permit_measuring(AddressPolicy::public(), listen.parse().unwrap());
            policy.allows(asked.parse().unwrap())
        };
        assert!(allowed("127.0.0.1:7070", "127.0.0.1:7070"));
        assert!(!allowed("127.0.0.1:7070", "127.0.0.1:7072"));
        assert!(allowed("0.0.0.0:7070", "127.0.0.1:7070"));
        assert!(allowed("[::]:7070", "[::1]:7070"));
        assert!(!allowed("0.0.0.0:7070", "10.0.0.1:7070"));
    }
}
