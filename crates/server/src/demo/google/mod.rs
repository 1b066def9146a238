//! The Google of the demo: it gives out tokens and answers questions about the shop, as Search Console and the Chrome UX Report
//! would.

pub mod consent;
pub mod field_data;
mod inspect;
mod inspected;
mod lamps;
pub mod play;

use std::{
    net::{Ipv4Addr, SocketAddr, TcpListener},
    sync::Arc,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    http::{StatusCode, header::LOCATION},
    web,
};
use anyhow::Context;
use pharos_domain::{audit::Actor, ids::DomainId, secret::Secret};
use pharos_egress::address_policy::AddressPolicy;
use pharos_search::{
    google::account::Credentials,
    gsc::{
        accounts::{AccountStore, NewAccount, NewLink},
        property::{Permission, PropertyStore},
    },
};
use pharos_vitals::crux::{store::CruxCollection, target::NewTarget};
use time::OffsetDateTime;

use self::{
    consent::{Consents, Said},
    field_data::FieldData,
    lamps::Lamps,
    play::{Asked, Play},
};
use super::{
    Demo, is_first,
    shop::goods::GOODS,
    site::{SHOPS, Site},
};
use crate::config::Config;

/// The port that is tried first, so that it keeps its address between two starts.
const PORT: u16 = 7072;
/// How many pages the shop's sitemap lists, about.
const LISTED: u32 = 2_000;
/// The largest question, in bytes.
const BODY: usize = 64 * 1024;
/// Its OAuth client, and the secret of that.
const CLIENT: &str = "demo";
/// The account that consents on its page.
const EMAIL: &str = "demo@pharos.example";
/// The name of its account, so that nobody takes it for Google's.
const LABEL: &str = "Played by --demo: no account at Google";
/// The label of pages whose field data are followed, so that nobody takes the figures for Google's.
const FOLLOWED: &str = "Played by --demo: no figures of Google";

/// The running play. It ends with the process.
#[derive(Debug)]
pub struct Google {
    address: SocketAddr,
}

impl Google {
    /// Starts it on the loopback address, with the first shop of the site as its property, of which the sitemap was submitted. Call
    /// it within the runtime.
    ///
    /// # Errors
    /// There is no loopback address to listen on.
    pub fn start(site: &Site) -> anyhow::Result<Self> {
        let at = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = at(PORT)
            .or_else(|_| at(0))
            .context("the demo's Google can't listen on 127.0.0.1")?;
        let address = listener.local_addr()?;
        let play = web::Data::new(Play {
            sites: vec![(property(), "SITE_OWNER")],
            sitemaps: vec![(property(), site.searched_sitemap(), LISTED)],
            facts: Arc::new(Lamps {
                shop: site.url(SHOPS[0].host),
            }),
            consents: Consents::new(CLIENT, CLIENT, EMAIL),
        });
        let field_data = web::Data::new(FieldData {
            host: SHOPS[0].host.to_owned(),
            pages: pages().collect(),
        });
        let server = HttpServer::new(move || {
            App::new()
                .app_data(play.clone())
                .app_data(field_data.clone())
                .app_data(web::PayloadConfig::new(BODY))
                .default_service(web::to(answer))
        })
        .workers(1)
        .disable_signals()
        .shutdown_timeout(0)
        .listen(listener)?;
        actix_web::rt::spawn(server.run());
        Ok(Self { address })
    }

    /// The policy that lets requests reach it.
    #[must_use]
    pub fn permit(&self, policy: AddressPolicy) -> AddressPolicy {
        policy.permitting_exactly(self.address)
    }

    /// The configuration by which it is asked, unless the operator has a client at Google, or a key of the Chrome UX Report.
    #[must_use]
    pub fn configured(&self, config: &Config) -> Config {
        let at = |path: &str| format!("http://{}/{path}", self.address);
        let mut config = config.clone();
        if config.google_client_id.is_none() {
            config.google_client_id = Some(CLIENT.to_owned());
            config.google_client_secret = Some(Secret::from(CLIENT.to_owned()));
            config.google_search_url = at("");
            config.google_token_url = at("token");
            config.google_consent_url = at(consent::PATH.trim_start_matches('/'));
        }
        if config.crux_api_key.is_none() {
            config.crux_api_key = Some(Secret::from("demo".to_owned()));
            config.crux_url = at("");
        }
        config
    }
}

/// The paths of the pages that are in the report.
fn pages() -> impl Iterator<Item = String> {
    let products = GOODS.iter().map(|good| format!("/product/{}", good.id));
    ["/".to_owned()].into_iter().chain(products)
}

fn property() -> String {
    format!("sc-domain:{}", SHOPS[0].host)
}

async fn answer(
    request: HttpRequest,
    body: web::Bytes,
    play: web::Data<Play>,
    field_data: web::Data<FieldData>,
) -> HttpResponse {
    if request.path() == consent::PATH {
        let now = OffsetDateTime::now_utc();
        return match play.consents.answer(request.query_string(), &body, now) {
            Said::Page(status, page) => HttpResponse::build(status_of(status))
                .content_type("text/html; charset=utf-8")
                .body(page),
            Said::Redirect(to) => HttpResponse::Found().insert_header((LOCATION, to)).finish(),
        };
    }
    let bearer = request
        .headers()
        .get("authorization")
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    let asked = Asked {
        method: request.method().as_str(),
        path: request.path(),
        bearer,
        body: &body,
    };
    let now = OffsetDateTime::now_utc();
    let (status, answer) = if asked.path.starts_with("/v1/records:") {
        field_data.answer(asked.path, request.query_string(), &body, now)
    } else {
        play.answer(&asked, now)
    };
    HttpResponse::build(status_of(status)).json(answer)
}

fn status_of(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Links the first shop to its property, once, with inspections from before.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn link(demo: &Demo<'_>) -> anyhow::Result<()> {
    let Demo {
        ports,
        site,
        workspace,
        now,
        ..
    } = *demo;
    let Some(shop) = demo.shops.iter().find(|shop| is_first(shop)) else {
        return Ok(());
    };
    if ports.get::<dyn PropertyStore>()?.property(shop).await?.is_some() {
        return Ok(());
    }
    let accounts = ports.get::<dyn AccountStore>()?;
    let actor = Actor::system();
    let known = accounts.list(workspace).await?;
    let account = match known.into_iter().find(|account| account.label == LABEL) {
        Some(account) => account.id,
        None => {
            let new = NewAccount {
                workspace,
                label: LABEL.to_owned(),
                credentials: Credentials::Oauth {
                    refresh_token: Secret::from("demo".to_owned()),
                },
                created_by: None,
            };
            accounts.add(&new, &actor, now).await?
        }
    };
    let domain: DomainId = shop.id();
    let link = NewLink {
        domain,
        account,
        site_url: property(),
        permission: Permission::Owner,
        linked_by: None,
    };
    accounts.link(&link, &actor, now).await?;
    // URLs are gathered of a property that is linked.
    inspected::remember(ports, domain, &property(), &site.url(SHOPS[0].host), now).await
}

/// Follows the field data of some pages of the first shop, once.
///
/// # Errors
/// A port is missing, or the store failed.
pub(crate) async fn follow(demo: &Demo<'_>) -> anyhow::Result<()> {
    let Some(shop) = demo.new.iter().find(|shop| is_first(shop)) else {
        return Ok(());
    };
    let base = demo.site.url(shop.domain().hostname.as_str());
    let base = base.trim_end_matches('/');
    let followed = pages().take(3).map(|path| NewTarget {
        url: format!("{base}{path}"),
        label: Some(FOLLOWED.to_owned()),
    });
    let workspace = shop.workspace().workspace().id;
    let collection = demo.ports.get::<dyn CruxCollection>()?;
    let adopted = collection
        .adopt(shop.id(), workspace, &followed.collect::<Vec<_>>(), demo.now)
        .await;
    adopted.context("the field data of the demo's pages")
}
