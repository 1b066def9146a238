//! The configuration: defaults, then a TOML file, then `PHAROS_*` variables, then flags.

use std::{
    ffi::OsStr,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::{Path, PathBuf},
};

use anyhow::Context;
use figment::{
    Figment,
    providers::{Env, Format, Serialized, Toml},
};
use ipnet::IpNet;
use pharos_auth::{
    keys::secret::Environment,
    oauth::{limits::OauthLimits, resource::Resources},
    sign_in::desk::SignInLimits,
};
use pharos_domain::{identity::TrustedHops, on_behalf::OnBehalf, sealing::SealingKey, secret::Secret};
use pharos_egress::trust::TrustAnchors;
use pharos_embedded::default_data_folder;
use pharos_http::answer::Addresses;
use pharos_ingest::collector::Limits as CollectLimits;
use pharos_mcp::http::Settings as McpSettings;
use pharos_search::google::{client::Services, token::OauthClient};
use pharos_synthetic::profile::LabPlace;
use pharos_uptime::history::RegionPlace;
use serde::{Deserialize, Serialize};
use tracing_subscriber::EnvFilter;
use url::Url;

use crate::{
    flags::{GlobalFlags, ServeFlags},
    role::Role,
    settings::{self, refusal, unknown},
    tls::CertificateFiles,
};

/// The characters of the secret of MCP servers at least.
const LEAST_MCP_SECRET: usize = 32;

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// The programs that may be Chromium.
const CHROMIUM: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];
/// Those that may be Chromium's headless shell.
const HEADLESS_SHELL: [&str; 2] = ["chrome-headless-shell", "headless_shell"];
/// Debian's. The file of that name on the `PATH` is a script that starts it, and ending the script would not end the browser.
const DEBIANS_HEADLESS_SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// The configuration of a node.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The address to listen on by TLS besides.
    pub tls_listen: Option<SocketAddr>,
    /// A PEM file with the certificate of that address, and those between it and a root.
    pub tls_certificate: Option<PathBuf>,
    /// A PEM file with its key.
    pub tls_key: Option<PathBuf>,
    /// The address that metrics are served on, to whoever reaches it; without it none are recorded.
    pub admin_address: Option<SocketAddr>,
    /// The address that callers know the service by; by default `http://` and `listen`.
    pub base_url: Option<String>,
    /// The address that the `type` of problems begins with; by default `base_url` and `/docs`.
    pub docs_url: Option<String>,
    /// The resource that access tokens of the API name; by default `base_url`.
    pub api_resource: Option<String>,
    /// The resource that access tokens of the MCP server name; by default `base_url` and `/mcp`.
    pub mcp_resource: Option<String>,
    /// By which an MCP server without this database tells the API of its callers' addresses: 32 characters or more, and the same
    /// on both. Nodes have one of their own.
    pub mcp_secret: Option<Secret>,
    /// Which keys are made and accepted: `svc_live_` or `svc_dev_`.
    pub environment: Environment,
    /// PostgreSQL 15 or newer; without it Pharos runs one of its own.
    pub database_url: Option<Secret>,
    /// How many connections requests share that don't take long.
    pub database_connections: usize,
    /// How many connections requests share that read much.
    pub long_read_connections: usize,
    /// How many connections the work of schedules, jobs and upkeep shares.
    pub background_connections: usize,
    /// How many connections claims of what is due and of jobs share.
    pub claim_connections: usize,
    /// Redis, which rate limits and cached answers of several nodes share; without it each keeps its own.
    pub redis_url: Option<Secret>,
    /// How much memory cached answers may take where there is no Redis, in MiB.
    pub response_cache_mib: u64,
    /// Where Pharos keeps its own PostgreSQL and the demo's key.
    pub data_folder: PathBuf,
    /// Where `postgres` and `initdb` are, when they are not found.
    pub postgres_bin: Option<PathBuf>,
    /// The parts of Pharos that this node runs.
    pub roles: Vec<Role>,
    /// The region that this node's checks run from.
    pub region: String,
    /// The name of that region for people.
    pub region_name: Option<String>,
    /// The continent that it is on.
    pub region_continent: Option<String>,
    /// The country that it is in, as two capital letters (ISO 3166-1 alpha-2).
    pub region_country: Option<String>,
    /// How many checks run at once.
    pub check_concurrency: usize,
    /// How many jobs run at once.
    pub job_concurrency: usize,
    /// Private networks that checks may reach, in CIDR notation.
    pub probe_networks: Vec<IpNet>,
    /// A PEM file with certificate authorities that checks trust besides the web's.
    pub probe_roots: Option<PathBuf>,
    /// Where the list of the registries' RDAP services is (RFC 9224). If it is on https, so must they be.
    pub rdap_bootstrap_url: String,
    /// A key of the Chrome UX Report API, by which field data is collected; without it none is.
    pub crux_api_key: Option<Secret>,
    /// Where that API is.
    pub crux_url: String,
    /// A key of PageSpeed Insights, which does lab tests where the node has no browser for them.
    pub pagespeed_api_key: Option<Secret>,
    /// Where that API is.
    pub pagespeed_url: String,
    /// The id of an OAuth client at Google, by which people link their Search Console; service accounts need none.
    pub google_client_id: Option<String>,
    /// The secret of that client.
    pub google_client_secret: Option<Secret>,
    /// Where the API of Search Console is.
    pub google_search_url: String,
    /// Where Google gives out access tokens.
    pub google_token_url: String,
    /// Where Google asks people for their consent.
    pub google_consent_url: String,
    /// The folder of screenshots and reports, which all nodes share; by default `artefacts` below `data_folder`.
    pub artefacts_folder: Option<PathBuf>,
    /// The bucket of an S3-compatible store that artefacts lie in instead.
    pub artefacts_bucket: Option<String>,
    /// Where that store is; by default at Amazon.
    pub artefacts_endpoint: Option<String>,
    /// A PEM file with certificate authorities that it is trusted by besides the web's.
    pub artefacts_roots: Option<PathBuf>,
    /// The region that requests to it are signed for.
    pub artefacts_region: String,
    /// The id of the key by which it is reached; without one the role of the machine counts.
    pub artefacts_access_key_id: Option<String>,
    /// That key.
    pub artefacts_secret_access_key: Option<Secret>,
    /// The folder in whose `node_modules` Lighthouse lies; without it this node runs no lab tests.
    pub lab_folder: Option<PathBuf>,
    /// Whether Chromium keeps its own sandbox; only where the whole node is in one it may go without.
    pub lab_sandbox: bool,
    /// The key that passwords and cookies of tested pages are encrypted by: 32 bytes in base64, the same on all nodes. Without it
    /// a file of the data folder has one.
    pub secret_key: Option<Secret>,
    /// The mail server that alerts are sent by, such as `smtps://user:password@mail.example`; without it no mail is sent.
    pub smtp_url: Option<Secret>,
    /// The sender of those mails, such as `Pharos <pharos@mail.example>`.
    pub mail_from: Option<String>,
    /// A PEM file with certificate authorities that the mail server is trusted by besides the web's.
    pub smtp_roots: Option<PathBuf>,
    /// Chromium, which prints reports as PDF and runs lab tests; by default it is looked for on the `PATH`.
    pub chromium: Option<PathBuf>,
    /// How many apps one address may register an hour; 0, here and below: none.
    pub oauth_registrations_per_hour: u32,
    /// How many authorization requests one address may make an hour.
    pub oauth_authorizations_per_hour: u32,
    /// How often one address may ask for the consent screen and decide an hour; a completed consent takes two.
    pub oauth_consents_per_hour: u32,
    /// How many tokens one address may ask for an hour.
    pub oauth_tokens_per_hour: u32,
    /// How many revocations one address may ask for an hour.
    pub oauth_revocations_per_hour: u32,
    /// How often one address may try to sign in an hour, whatever the account.
    pub sign_ins_per_hour: u32,
    /// How often one account may be tried an hour, from wherever.
    pub sign_ins_of_account_per_hour: u32,
    /// How often one address may report a forgotten password an hour, whatever the account.
    pub forgotten_passwords_per_hour: u32,
    /// How many links, by which a password is set, are made for one account an hour, whoever requests them.
    pub links_of_account_per_hour: u32,
    /// How many of them one user may make for others an hour.
    pub links_of_maker_per_hour: u32,
    /// How many connections beacons are stored by.
    pub collect_connections: usize,
    /// How many rows of beacons one address may send an hour.
    pub collect_rows_per_hour: u32,
    /// How many rows of beacons of one site are taken an hour.
    pub collect_rows_of_site_per_hour: u32,
    /// A database of addresses in MaxMind's format (.mmdb), by which visitors get their country.
    pub country_database: Option<PathBuf>,
    /// The header in which the proxies in front name the country of a request, such as `CF-IPCountry`.
    pub country_header: Option<String>,
    /// How many proxies of one's own stand in front and append to `X-Forwarded-For`.
    pub trusted_hops: usize,
    /// How many threads answer requests; by default one a core.
    pub workers: Option<usize>,
    /// Which events are logged, as a filter of tracing.
    pub log: String,
    /// How the log is written; by default as JSON in production, else as text.
    pub log_format: Option<LogFormat>,
    /// Where spans are sent by OTLP, as protobuf over HTTP, such as `http://127.0.0.1:4318/v1/traces`; without it nothing is traced.
    pub traces_url: Option<String>,
    /// A header that goes with them, such as `Authorization: Bearer …`.
    pub traces_header: Option<Secret>,
    /// A PEM file with certificate authorities that the collector is trusted by besides the web's.
    pub traces_roots: Option<PathBuf>,
    /// How many of a thousand requests and jobs are traced.
    pub traces_per_mille: u32,
    /// Whether the proxies in front write `traceparent`, and never pass on that of a caller.
    pub traces_from_proxies: bool,
}

impl Default for Config {
    fn default() -> Self {
        let oauth = OauthLimits::default();
        let sign_in = SignInLimits::default();
        let collect = CollectLimits::default();
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 7070)),
            tls_listen: None,
            tls_certificate: None,
            tls_key: None,
            admin_address: None,
            base_url: None,
            docs_url: None,
            api_resource: None,
            mcp_resource: None,
            mcp_secret: None,
            environment: Environment::Development,
            database_url: None,
            database_connections: 16,
            long_read_connections: 16,
            background_connections: 8,
            claim_connections: 4,
            redis_url: None,
            response_cache_mib: 64,
            data_folder: default_data_folder(),
            postgres_bin: None,
            roles: vec![
                Role::Api,
                Role::Ingest,
                Role::Scheduler,
                Role::Worker,
                Role::Lab,
                Role::Mcp,
            ],
            region: "local".to_owned(),
            region_name: None,
            region_continent: None,
            region_country: None,
            check_concurrency: 512,
            job_concurrency: 32,
            probe_networks: Vec::new(),
            probe_roots: None,
            rdap_bootstrap_url: "https://data.iana.org/rdap/dns.json".to_owned(),
            crux_api_key: None,
            crux_url: pharos_vitals::crux::client::SERVICE.to_owned(),
            pagespeed_api_key: None,
            pagespeed_url: pharos_synthetic::pagespeed::SERVICE.to_owned(),
            google_client_id: None,
            google_client_secret: None,
            google_search_url: pharos_search::google::client::SERVICE.to_owned(),
            google_token_url: pharos_search::google::token::TOKEN_SERVICE.to_owned(),
            google_consent_url: pharos_search::google::consent::CONSENT_SERVICE.to_owned(),
            artefacts_folder: None,
            artefacts_bucket: None,
            artefacts_endpoint: None,
            artefacts_roots: None,
            artefacts_region: "us-east-1".to_owned(),
            artefacts_access_key_id: None,
            artefacts_secret_access_key: None,
            lab_folder: None,
            lab_sandbox: true,
            secret_key: None,
            smtp_url: None,
            mail_from: None,
            smtp_roots: None,
            chromium: None,
            oauth_registrations_per_hour: oauth.register,
            oauth_authorizations_per_hour: oauth.authorize,
            oauth_consents_per_hour: oauth.consent,
            oauth_tokens_per_hour: oauth.token,
            oauth_revocations_per_hour: oauth.revoke,
            sign_ins_per_hour: sign_in.source,
            sign_ins_of_account_per_hour: sign_in.account,
            forgotten_passwords_per_hour: sign_in.forgotten,
            links_of_account_per_hour: sign_in.links_of_account,
            links_of_maker_per_hour: sign_in.links_of_maker,
            collect_connections: 4,
            collect_rows_per_hour: collect.source,
            collect_rows_of_site_per_hour: collect.site,
            country_database: None,
            country_header: None,
            trusted_hops: 0,
            workers: None,
            // A client of the MCP server that hangs up is no error, which the protocol's crate takes it for.
            log: "warn,pharos=info,rmcp=off".to_owned(),
            log_format: None,
            traces_url: None,
            traces_header: None,
            traces_roots: None,
            traces_per_mille: 10,
            traces_from_proxies: false,
        }
    }
}

/// The sources of the configuration, in order.
#[must_use]
pub fn sources(global: &GlobalFlags, serve: &ServeFlags) -> Figment {
    let defaults = Figment::from(Serialized::defaults(Config::default()));
    after(defaults, global, serve)
}

/// Whether somebody has set this setting for a command that takes no more flags: a default is nobody's choice.
#[must_use]
pub fn is_set(name: &str, global: &GlobalFlags) -> bool {
    after(Figment::new(), global, &ServeFlags::default()).contains(name)
}

/// These sources, and after them those that somebody sets: the file, the variables, the flags.
fn after(sources: Figment, global: &GlobalFlags, serve: &ServeFlags) -> Figment {
    let names: Vec<&str> = settings::all().map(|setting| setting.name).collect();
    let mut figment = sources;
    if let Some(file) = &global.config {
        figment = figment.merge(Toml::file_exact(file));
    }
    figment
        .merge(Env::prefixed("PHAROS_").only(&names))
        .merge(Serialized::globals(global))
        .merge(Serialized::globals(serve))
}

impl Config {
    /// Reads the configuration.
    ///
    /// # Errors
    /// A value that can't be what it says, with where it came from; a setting or a variable that there is not.
    pub fn load(global: &GlobalFlags, serve: &ServeFlags) -> anyhow::Result<Self> {
        let config = Self::from_sources(&sources(global, serve))?;
        let unknown: Vec<String> = unknown::of_environment()
            .iter()
            .map(|(name, nearest)| unknown::told(name, nearest))
            .collect();
        anyhow::ensure!(unknown.is_empty(), "{}", unknown.join("\n"));
        Ok(config)
    }

    /// Reads the configuration from its sources, whatever other variables there are.
    ///
    /// # Errors
    /// A value that can't be what it says, with where it came from; a setting that there is not.
    pub fn from_sources(sources: &Figment) -> anyhow::Result<Self> {
        let config: Self = sources
            .extract()
            .map_err(|error| anyhow::anyhow!("the configuration can't be read: {}", refusal::told(error)))?;
        config.check()?;
        Ok(config)
    }

    /// Where lab tests are run from.
    #[must_use]
    pub fn lab_place(&self) -> LabPlace {
        LabPlace {
            location: self.region.clone(),
            location_name: self.region_name.clone().unwrap_or_else(|| self.region.clone()),
        }
    }

    /// The region that this node's checks run from, with what is said of it.
    #[must_use]
    pub fn place(&self) -> RegionPlace {
        RegionPlace {
            key: self.region.clone(),
            name: self.region_name.clone(),
            continent: self.region_continent.clone(),
            country: self.region_country.clone(),
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        let region_fits = (1..=40).contains(&self.region.len())
            && self
                .region
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        anyhow::ensure!(
            region_fits,
            "region is 1 to 40 of a-z, 0-9 and hyphens, not {:?}",
            self.region
        );
        let country_fits =
            |country: &String| country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase());
        anyhow::ensure!(
            self.region_country.as_ref().is_none_or(country_fits),
            "region_country is two capital letters such as DE, not {:?}",
            self.region_country
        );
        anyhow::ensure!(
            !self.roles.is_empty(),
            "roles names at least one of api, ingest, scheduler, worker, lab, mcp"
        );
        anyhow::ensure!(
            self.listen.port() == 0 || self.admin_address != Some(self.listen),
            "admin_address is another than listen, {}",
            self.listen
        );
        settings::check(self)?;
        let tls = [
            self.tls_listen.is_some(),
            self.tls_certificate.is_some(),
            self.tls_key.is_some(),
        ];
        anyhow::ensure!(
            tls.iter().all(|is_set| *is_set == tls[0]),
            "tls_listen, tls_certificate and tls_key are set together: the address, its certificate, and the key of that"
        );
        anyhow::ensure!(
            self.tls_listen.is_none() || self.is_https(),
            "with tls_listen goes base_url: the https:// address that the certificate is for"
        );
        let has_path =
            |url: &String| Url::parse(url).is_ok_and(|url| !url.path().trim_matches('/').is_empty());
        anyhow::ensure!(
            self.mcp_resource.as_ref().is_none_or(has_path),
            "mcp_resource is a URL with a path, such as https://pharos.example/mcp, unlike {:?}",
            self.mcp_resource
        );
        anyhow::ensure!(
            self.mcp_secret
                .as_ref()
                .is_none_or(|secret| secret.reveal().len() >= LEAST_MCP_SECRET),
            "mcp_secret has {LEAST_MCP_SECRET} characters or more"
        );
        self.log_filter()?;
        self.google_client()?;
        if let Some(key) = &self.secret_key {
            SealingKey::of_text(key.reveal()).context("secret_key")?;
        }
        anyhow::ensure!(
            self.artefacts_access_key_id.is_some() == self.artefacts_secret_access_key.is_some(),
            "artefacts_access_key_id and artefacts_secret_access_key are set together"
        );
        anyhow::ensure!(
            self.country_header.is_none() || self.trusted_hops > 0,
            "country_header is what your own proxies write; set trusted_hops to how many there are"
        );
        anyhow::ensure!(
            !self.traces_from_proxies || self.trusted_hops > 0,
            "traces_from_proxies is about your own proxies; set trusted_hops to how many there are"
        );
        anyhow::ensure!(
            self.smtp_url.is_some() == self.mail_from.is_some(),
            "smtp_url and mail_from are set together: the mail server, and whom its mails are from"
        );
        Ok(())
    }

    /// Whether callers open an address of `https://`.
    fn is_https(&self) -> bool {
        let url = self.base_url.as_deref();
        url.is_some_and(|url| url.starts_with("https://"))
    }

    /// The address to listen on by TLS, with the files of its certificate.
    #[must_use]
    pub fn tls(&self) -> Option<(SocketAddr, CertificateFiles)> {
        let files = CertificateFiles {
            certificate: self.tls_certificate.clone()?,
            key: self.tls_key.clone()?,
        };
        Some((self.tls_listen?, files))
    }

    /// The list of RDAP services.
    ///
    /// # Errors
    /// `rdap_bootstrap_url` is not a URL of http or https.
    pub fn rdap_bootstrap(&self) -> anyhow::Result<Url> {
        let url = Url::parse(&self.rdap_bootstrap_url).ok();
        url.filter(|url| matches!(url.scheme(), "https" | "http"))
            .with_context(|| {
                format!(
                    "rdap_bootstrap_url is an https:// or http:// URL, unlike {:?}",
                    self.rdap_bootstrap_url
                )
            })
    }

    /// The API of the Chrome UX Report.
    ///
    /// # Errors
    /// `crux_url` is not a URL of http or https.
    pub fn crux_service(&self) -> anyhow::Result<Url> {
        let url = Url::parse(&self.crux_url).ok();
        url.filter(|url| matches!(url.scheme(), "https" | "http"))
            .with_context(|| {
                format!(
                    "crux_url is an https:// or http:// URL, unlike {:?}",
                    self.crux_url
                )
            })
    }

    /// The API of PageSpeed Insights.
    ///
    /// # Errors
    /// `pagespeed_url` is not a URL of http or https.
    pub fn pagespeed_service(&self) -> anyhow::Result<Url> {
        let url = Url::parse(&self.pagespeed_url).ok();
        url.filter(|url| matches!(url.scheme(), "https" | "http"))
            .with_context(|| {
                format!(
                    "pagespeed_url is an https:// or http:// URL, unlike {:?}",
                    self.pagespeed_url
                )
            })
    }

    /// The folder of screenshots and reports.
    #[must_use]
    pub fn artefacts_folder(&self) -> PathBuf {
        let folder = self.artefacts_folder.clone();
        folder.unwrap_or_else(|| self.data_folder.join("artefacts"))
    }

    /// Chromium: the one that is set, or the first on the `PATH` by the names that systems give it.
    #[must_use]
    pub fn chromium(&self) -> Option<PathBuf> {
        self.chromium
            .clone()
            .or_else(|| first(&CHROMIUM, &std::env::var_os("PATH")?))
    }

    /// The browser that prints: the one that is configured; else the headless shell, which prints the same in less memory; else
    /// the one that is found.
    #[must_use]
    pub fn printing_browser(&self) -> Option<PathBuf> {
        if self.chromium.is_some() {
            return self.chromium.clone();
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        headless_shell(&path, Path::new(DEBIANS_HEADLESS_SHELL)).or_else(|| self.chromium())
    }

    /// The API of Search Console, where tokens for it are got, and where people consent.
    ///
    /// # Errors
    /// `google_search_url`, `google_token_url` or `google_consent_url` is not a URL of http or https.
    pub fn google_services(&self) -> anyhow::Result<Services> {
        let service = |name: &str, text: &str| {
            let url = Url::parse(text).ok();
            url.filter(|url| matches!(url.scheme(), "https" | "http"))
                .with_context(|| format!("{name} is an https:// or http:// URL, unlike {text:?}"))
        };
        Ok(Services {
            api: service("google_search_url", &self.google_search_url)?,
            token: service("google_token_url", &self.google_token_url)?,
            consent: service("google_consent_url", &self.google_consent_url)?,
        })
    }

    /// The filter of the log.
    ///
    /// # Errors
    /// `log` is none.
    pub fn log_filter(&self) -> anyhow::Result<EnvFilter> {
        EnvFilter::try_new(&self.log).with_context(|| format!("log is {:?}, which is no filter", self.log))
    }

    /// The OAuth client at Google.
    ///
    /// # Errors
    /// One of `google_client_id` and `google_client_secret` is set alone.
    pub fn google_client(&self) -> anyhow::Result<Option<OauthClient>> {
        match (&self.google_client_id, &self.google_client_secret) {
            (Some(id), Some(secret)) => Ok(Some(OauthClient {
                id: id.clone(),
                secret: secret.clone(),
            })),
            (None, None) => Ok(None),
            _ => anyhow::bail!("google_client_id and google_client_secret are set together"),
        }
    }

    /// The resources that access tokens are for.
    #[must_use]
    pub fn resources(&self) -> Resources {
        let Addresses { base_url, .. } = self.addresses();
        let Resources { issuer, api, mcp } = Resources::at(&base_url);
        let or = |given: &Option<String>, default: String| {
            given
                .as_deref()
                .map_or(default, |url| url.trim_end_matches('/').to_owned())
        };
        Resources {
            issuer,
            api: or(&self.api_resource, api),
            mcp: or(&self.mcp_resource, mcp),
        }
    }

    /// Where the MCP server is, and where it calls the API: on this node, if it answers here.
    #[must_use]
    pub fn mcp(&self, on_behalf: OnBehalf) -> McpSettings {
        let base_url = self.addresses().base_url;
        let api = if self.roles.contains(&Role::Api) {
            let mut here = self.listen;
            if here.ip().is_unspecified() {
                here.set_ip(match here.ip() {
                    IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                    IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
                });
            }
            format!("http://{here}")
        } else {
            base_url.clone()
        };
        McpSettings {
            api,
            base_url,
            resource: self.resources().mcp,
            hops: TrustedHops(self.trusted_hops),
            on_behalf: Some(on_behalf),
            trust: TrustAnchors::web(),
        }
    }

    /// The addresses that answers name.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        let base_url = self
            .base_url
            .clone()
            .unwrap_or_else(|| format!("http://{}", self.listen));
        let base_url = base_url.trim_end_matches('/').to_owned();
        let docs_url = self
            .docs_url
            .clone()
            .unwrap_or_else(|| format!("{base_url}/docs"));
        Addresses {
            docs_url: docs_url.trim_end_matches('/').to_owned(),
            base_url,
        }
    }
}

/// The first of these names that is in a folder of the path.
fn first(names: &[&str], path: &OsStr) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
}

fn headless_shell(path: &OsStr, debians: &Path) -> Option<PathBuf> {
    first(&HEADLESS_SHELL, path).or_else(|| debians.is_file().then(|| debians.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn reports_are_printed_by_the_headless_shell_where_there_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, debians) = (folder.path().as_os_str(), folder.path().join("of-debian"));
        fs::write(folder.path().join("chromium"), "").unwrap();
        assert_eq!(headless_shell(path, &debians), None);
        fs::write(&debians, "").unwrap();
        assert_eq!(headless_shell(path, &debians), Some(debians.clone()));
        let of_path = folder.path().join("headless_shell");
        fs::write(&of_path, "").unwrap();
        assert_eq!(headless_shell(path, &debians), Some(of_path));

        let chosen = Config {
            chromium: Some(folder.path().join("chromium")),
            ..Config::default()
        };
        assert_eq!(chosen.printing_browser(), chosen.chromium);
    }

    #[test]
    fn a_default_is_not_set_and_a_flag_or_a_line_of_the_file_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pharos.toml");
        fs::write(&file, "region = \"eu\"\n").unwrap();
        let by_file = GlobalFlags {
            config: Some(file.clone()),
            data_folder: None,
        };
        assert!(is_set("region", &by_file) && !is_set("data_folder", &by_file));
        fs::write(&file, "data_folder = \"/srv/pharos\"\n").unwrap();
        assert!(is_set("data_folder", &by_file));

        let by_flag = GlobalFlags {
            config: None,
            data_folder: Some("/srv/pharos".into()),
        };
        assert!(is_set("data_folder", &by_flag) && !is_set("region", &by_flag));
    }
}
