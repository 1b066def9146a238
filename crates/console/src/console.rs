//! The services and settings that the pages need.

use std::{fmt, sync::Arc};

use pharos_account::{
    admin::{
        audit::AuditStore, domains::DomainAdmin, members::MemberAdmin, users::UserAdmin,
        workspaces::WorkspaceAdmin,
    },
    credits::CreditStore,
    domains::DomainStore,
    quotas::QuotaStore,
    refusals::RefusalStore,
    verification::OwnershipCheck,
};
use pharos_alerting::{
    catalogue::Catalogue as AlertMetrics,
    delivery::channel::ChannelStore,
    store::{AlertStore, NotificationStore, RuleStore},
};
use pharos_analytics::{
    experiments::ExperimentStore,
    store::{ActionStore, PathStore, SiteStore, VisitStore},
};
use pharos_artefacts::links::Links;
use pharos_auth::{
    keys::{manage::KeyStore, secret::Environment},
    oauth::{server::AuthorizationServer, store::GrantStore},
    sign_in::{desk::SignInDesk, link_mail::LinkMailer, reach::UserReach, store::SignInStore},
};
use pharos_crawl::{
    hosts::HostStore, intervals::IntervalStore, robots::monitor::store::RobotsStore,
    sitemap::monitor::store::SitemapStore,
};
use pharos_domain::{
    browser_names::BrowserNames,
    clock::Clock,
    collect::site::SiteKeys,
    identity::TrustedHops,
    jobs::JobAdmin,
    kept_answers::KeptAnswers,
    page_facts::PageLab,
    ports::{MissingPort, Ports},
    runs::RunStore,
    site_address::SiteAddresses,
    sitemap_urls::SitemapUrls,
    switches::SwitchStore,
    unsubscribe::Unsubscribe,
};
use pharos_egress::address_policy::AddressPolicy;
use pharos_http::metering::RateLimiter;
use pharos_reporting::{
    catalogue::Catalogue,
    mails::store::ReportSending,
    recipients::store::{RecipientAdmin, RecipientLinks},
    store::{ReportRunStore, TemplateStore},
};
use pharos_search::{
    google::client::GoogleClient,
    gsc::{
        accounts::AccountStore, analysis::AnalysisReads, config::ConfigStore, consent::AskedConsents,
        curve::CurveReads, days::DayReads, directories::DirectoryReads, property::PropertyStore,
        rankings::RankingReads, values::ValueReads,
    },
    indexing::store::{reads::IndexingReads, runs::InspectorRuns, urls::IndexingUrls},
};
use pharos_synthetic::store::LabStore;
use pharos_uptime::{
    alert_metrics::MetricStore,
    certificate::store::CertificateStore,
    history::HistoryStore,
    registration::store::RegistrationStore,
    status_page::StatusPageStore,
    store::{IncidentStore, MonitorStore},
};
use pharos_vitals::{
    causes::VitalsCauses, crux::store::CruxStore, errors::VitalsErrors, impact::ImpactReads,
    pages::PageReads, source_maps::SourceMapStore, store::VitalsSites,
};
use url::Url;

use crate::{
    cookies::Cookies, courses::Courses, permits::PagePermits, repeated::Repeated, status_cache::PageCache,
    token::TokenKey,
};

/// Where users decide on what apps ask for.
pub const CONSENT_PATH: &str = "/console/consent";
/// The path of the link by which a user sets a password. A slash and the secret follow it.
pub const WELCOME_PATH: &str = "/console/welcome";

/// The ports to what is known of sites.
#[derive(Clone)]
pub struct Monitors {
    /// Monitors, and how each stands.
    pub monitors: Arc<dyn MonitorStore>,
    /// The checks of the past, added up.
    pub history: Arc<dyn HistoryStore>,
    /// Incidents with their course.
    pub incidents: Arc<dyn IncidentStore>,
    /// Certificates as they were seen.
    pub certificates: Arc<dyn CertificateStore>,
    /// Registrations of names.
    pub registrations: Arc<dyn RegistrationStore>,
    /// The facts of many sites at once.
    pub many: Arc<dyn MetricStore>,
    /// Status pages.
    pub status_pages: Arc<dyn StatusPageStore>,
}

impl Monitors {
    /// Takes its ports from `ports`.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            monitors: ports.get()?,
            history: ports.get()?,
            incidents: ports.get()?,
            certificates: ports.get()?,
            registrations: ports.get()?,
            many: ports.get()?,
            status_pages: ports.get()?,
        })
    }
}

/// The ports to robots.txt and sitemaps.
#[derive(Clone)]
pub struct Crawl {
    /// The stored robots.txt files.
    pub robots: Arc<dyn RobotsStore>,
    /// Sitemaps.
    pub sitemaps: Arc<dyn SitemapStore>,
    /// The further hosts that domains list.
    pub hosts: Arc<dyn HostStore>,
    /// How often domains are checked.
    pub intervals: Arc<dyn IntervalStore>,
    /// Where the sites of domains lie.
    pub addresses: Arc<dyn SiteAddresses>,
}

impl Crawl {
    /// Takes its ports from `ports`.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            robots: ports.get()?,
            sitemaps: ports.get()?,
            hosts: ports.get()?,
            intervals: ports.get()?,
            addresses: ports.get()?,
        })
    }
}

/// The ports to modules that browsers send data to: settings, visits, errors of pages, and pages with what other modules say of
/// them.
#[derive(Clone)]
pub struct Collection {
    /// Web analytics.
    pub analytics: Arc<dyn SiteStore>,
    /// The figures of visits.
    pub visits: Arc<dyn VisitStore>,
    /// Events.
    pub actions: Arc<dyn ActionStore>,
    /// The ways that visitors take.
    pub paths: Arc<dyn PathStore>,
    /// Real-user monitoring.
    pub vitals: Arc<dyn VitalsSites>,
    /// The causes of what visitors feel.
    pub causes: Arc<dyn VitalsCauses>,
    /// The pages that hold visitors up.
    pub impact: Arc<dyn ImpactReads>,
    /// Errors of scripts.
    pub errors: Arc<dyn VitalsErrors>,
    /// The maps by which their stacks are shown.
    pub source_maps: Arc<dyn SourceMapStore>,
    /// Pages, as visitors feel them.
    pub pages: Arc<dyn PageReads>,
    /// Field data of the Chrome UX Report.
    pub field_data: Arc<dyn CruxStore>,
    /// Pages in the lab.
    pub lab: Arc<dyn PageLab>,
}

impl Collection {
    /// Takes its ports from `ports`.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            analytics: ports.get()?,
            visits: ports.get()?,
            actions: ports.get()?,
            paths: ports.get()?,
            vitals: ports.get()?,
            causes: ports.get()?,
            impact: ports.get()?,
            errors: ports.get()?,
            source_maps: ports.get()?,
            pages: ports.get()?,
            field_data: ports.get()?,
            lab: ports.get()?,
        })
    }
}

/// The ports to Search Console and to its figures.
#[derive(Clone)]
pub struct Search {
    /// The accounts at Google, and what they are linked to.
    pub accounts: Arc<dyn AccountStore>,
    /// The linked properties.
    pub properties: Arc<dyn PropertyStore>,
    /// The consents that people were asked for.
    pub consents: Arc<dyn AskedConsents>,
    /// Asks Google as this installation.
    pub google: Arc<GoogleClient>,
    /// The settings of domains' search.
    pub configs: Arc<dyn ConfigStore>,
    /// Figures by day.
    pub days: Arc<dyn DayReads>,
    /// Queries and pages.
    pub values: Arc<dyn ValueReads>,
    /// How likely results are clicked.
    pub curves: Arc<dyn CurveReads>,
    /// The reads that analyses are made of.
    pub analyses: Arc<dyn AnalysisReads>,
    /// Queries that came, went or moved.
    pub rankings: Arc<dyn RankingReads>,
    /// Pages by directory.
    pub directories: Arc<dyn DirectoryReads>,
    /// The URLs that are inspected.
    pub urls: Arc<dyn IndexingUrls>,
    /// The findings of inspections.
    pub index: Arc<dyn IndexingReads>,
    /// The URLs that sitemaps list.
    pub sitemaps: Arc<dyn SitemapUrls>,
    /// The inspections that people asked for.
    pub inspections: Arc<dyn InspectorRuns>,
}

impl Search {
    /// Takes its ports from `ports`.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            accounts: ports.get()?,
            properties: ports.get()?,
            consents: ports.get()?,
            google: ports.get()?,
            configs: ports.get()?,
            days: ports.get()?,
            values: ports.get()?,
            curves: ports.get()?,
            analyses: ports.get()?,
            rankings: ports.get()?,
            directories: ports.get()?,
            urls: ports.get()?,
            index: ports.get()?,
            sitemaps: ports.get()?,
            inspections: ports.get()?,
        })
    }
}

/// The ports to people, workspaces and keys.
#[derive(Clone)]
pub struct Accounts {
    /// API keys.
    pub keys: Arc<dyn KeyStore>,
    /// The prefix that new keys get.
    pub environment: Environment,
    /// Members of workspaces.
    pub members: Arc<dyn MemberAdmin>,
    /// Balances, and the calls that were paid for.
    pub credits: Arc<dyn CreditStore>,
    /// The limits of plans besides credits.
    pub quotas: Arc<dyn QuotaStore>,
    /// The last refused requests.
    pub refusals: Arc<dyn RefusalStore>,
    /// The audit trail.
    pub audit: Arc<dyn AuditStore>,
    /// Workspaces.
    pub workspaces: Arc<dyn WorkspaceAdmin>,
    /// People.
    pub users: Arc<dyn UserAdmin>,
    /// The links by which people set passwords.
    pub sign_in: Arc<dyn SignInStore>,
}

impl Accounts {
    /// Takes its ports from `ports`.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports, environment: Environment) -> Result<Self, MissingPort> {
        Ok(Self {
            keys: ports.get()?,
            environment,
            members: ports.get()?,
            credits: ports.get()?,
            quotas: ports.get()?,
            refusals: ports.get()?,
            audit: ports.get()?,
            workspaces: ports.get()?,
            users: ports.get()?,
            sign_in: ports.get()?,
        })
    }
}

/// The ports to reports.
#[derive(Clone)]
pub struct Reports {
    /// Templates.
    pub templates: Arc<dyn TemplateStore>,
    /// Reports that were made.
    pub runs: Arc<dyn ReportRunStore>,
    /// Who gets them.
    pub recipients: Arc<dyn RecipientAdmin>,
    /// The changes that readers make by the links in their mails.
    pub by_link: Arc<dyn RecipientLinks>,
    /// Sends them by hand.
    pub sending: Arc<dyn ReportSending>,
}

impl Reports {
    /// Takes its ports from `ports`.
    ///
    /// # Errors
    /// One of them is missing.
    pub fn new(ports: &Ports) -> Result<Self, MissingPort> {
        Ok(Self {
            templates: ports.get()?,
            runs: ports.get()?,
            recipients: ports.get()?,
            by_link: ports.get()?,
            sending: ports.get()?,
        })
    }
}

/// The services and settings that the pages need. The server wires them once.
#[derive(Clone)]
pub struct Parts {
    /// People, workspaces, keys.
    pub accounts: Accounts,
    /// Lets users in.
    pub desk: Arc<SignInDesk>,
    /// Names the browsers that users sign in with.
    pub browsers: Arc<dyn BrowserNames>,
    /// Knows what apps ask for, and takes decisions.
    pub server: Arc<AuthorizationServer>,
    /// The grants of connected apps.
    pub grants: Arc<dyn GrantStore>,
    /// The workspaces and domains that users reach.
    pub reach: Arc<dyn UserReach>,
    /// Mails links by which passwords are set; `None`: no mail server is configured.
    pub link_mailer: Option<Arc<dyn LinkMailer>>,
    /// The domains of workspaces, as reads see them.
    pub sites: Arc<dyn DomainStore>,
    /// How sites stand.
    pub monitors: Monitors,
    /// robots.txt and sitemaps.
    pub crawl: Crawl,
    /// The widgets that modules show of domains.
    pub widgets: Arc<Catalogue>,
    /// The lab tests of pages.
    pub lab: Arc<dyn LabStore>,
    /// Work that people asked for.
    pub runs: Arc<dyn RunStore>,
    /// Reports.
    pub reports: Reports,
    /// Signs links to files: of reports, and of lab tests.
    pub links: Arc<Links>,
    /// The alerts that fired.
    pub alerts: Arc<dyn AlertStore>,
    /// Experiments on pages.
    pub experiments: Arc<dyn ExperimentStore>,
    /// Notifications, and who has read them.
    pub notifications: Arc<dyn NotificationStore>,
    /// The rules that alerts come from.
    pub rules: Arc<dyn RuleStore>,
    /// The metrics that rules may watch.
    pub alert_metrics: AlertMetrics,
    /// The channels that notifications are delivered to.
    pub channels: Arc<dyn ChannelStore>,
    /// The jobs that send deliveries.
    pub jobs: Arc<dyn JobAdmin>,
    /// The stores of modules for the beacons that visitors' browsers send.
    pub collection: Collection,
    /// Search Console.
    pub search: Search,
    /// The answers of the API that changes outdate.
    pub answers: Arc<dyn KeptAnswers>,
    /// Where probes may go.
    pub policy: AddressPolicy,
    /// The domains of workspaces.
    pub domains: Arc<dyn DomainAdmin>,
    /// Looks whether domains are their workspaces'.
    pub ownership: Arc<dyn OwnershipCheck>,
    /// The keys by which pages of sites send.
    pub site_keys: Arc<dyn SiteKeys>,
    /// The switches of the installation.
    pub switches: Arc<dyn SwitchStore>,
    /// Ends alert mails for their readers.
    pub unsubscribe: Arc<dyn Unsubscribe>,
    /// Counts how often the consent screen is asked for.
    pub limiter: Arc<dyn RateLimiter>,
    /// How often per hour one network may request the consent screen and decide, both counted together.
    pub consents_per_hour: u32,
    /// The clock that limits and revocations go by.
    pub clock: Arc<dyn Clock>,
    /// The proxies in front.
    pub hops: TrustedHops,
    /// The address that users know the service by.
    pub base_url: String,
    /// The secret that the tokens of forms are derived from: the same on all nodes.
    pub browser_secret: [u8; 32],
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}

/// The console of a node. Every worker thread configures its service from it.
#[derive(Clone, Debug)]
pub struct Console {
    pub(crate) parts: Parts,
    pub(crate) origin: String,
    pub(crate) cookies: Cookies,
    pub(crate) tokens: Arc<TokenKey>,
    /// Derives the PKCE verifiers of consents that Pharos requests from others, each from its state.
    pub(crate) verifiers: Arc<TokenKey>,
    pub(crate) status_cache: Arc<PageCache>,
    pub(crate) courses: Arc<Courses>,
    /// Permits for pages of modules. Each such page reads much, on the connections that the API has for long reads.
    pub(crate) page_permits: Arc<PagePermits>,
    /// The same for overviews, for the monitoring of a domain, and for status pages, which anybody can ask for. They read on
    /// connections that all other pages need, too.
    pub(crate) site_permits: Arc<PagePermits>,
    /// The answers to forms that make a secret.
    pub(crate) repeated: Repeated,
}

impl Console {
    /// A console of these parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        let origin = Url::parse(&parts.base_url).map_or_else(
            |_| parts.base_url.clone(),
            |url| url.origin().ascii_serialization(),
        );
        Self {
            cookies: Cookies::of(&origin),
            tokens: Arc::new(TokenKey::of_forms(&parts.browser_secret)),
            verifiers: Arc::new(TokenKey::of_verifiers(&parts.browser_secret)),
            status_cache: Arc::default(),
            courses: Arc::default(),
            page_permits: Arc::default(),
            site_permits: Arc::new(PagePermits::about_sites()),
            repeated: Repeated::default(),
            origin,
            parts,
        }
    }
}
