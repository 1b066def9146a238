//! One beacon, from the request to its answer.

use std::{fmt, net::IpAddr, sync::Arc};

use pharos_domain::{
    clock::Clock,
    collect::{
        Beacon, BeaconStore, VisitorId,
        client::Client,
        event::Events,
        site::{CollectionSettings, SiteKey},
        view::View,
    },
    hourly_limit::{HourlyAdmission, HourlyLimit, HourlyLimiter, HourlyRequest},
    identity::Source,
    ids::DomainId,
    settings::{Faults, SettingFault},
    store::StoreError,
};
use time::{Duration, OffsetDateTime};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{
    beacon::{Content, Envelope, Members, Received, SentFor, has_host, parse},
    bots::{BotStore, Bots},
    client::{Agents, Hints, Places, country_code},
    metrics,
    queue::{Bounds, Queue},
    sites::{Known, SiteBook, SiteStore},
    traces,
    visitor::{SaltStore, Salts, Sender},
    writer::Writer,
};

/// How long a beacon waits to be durable until its sender is told to come again.
const STORED_WITHIN: std::time::Duration = std::time::Duration::from_secs(30);

/// How many rows a request counts for at least: to look its site up, to know its id again and to find its session is work as well.
const LEAST_ROWS: u32 = 10;

/// How many bytes a row counts for at least in the queue and in a batch, about as many as the tracker takes to tell what stands in
/// one. A list of objects with a single short member each comes to hundreds of rows in a few kilobytes.
const BYTES_OF_ROW: usize = 200;

/// How many rows of beacons may come an hour. Rows are what fills the store, however few beacons they come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From one address.
    pub source: u32,
    /// For one site.
    pub site: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            source: 360_000,
            site: 36_000_000,
        }
    }
}

/// The stores and services that a collector works with.
pub struct Parts {
    /// Finds sites.
    pub sites: Arc<dyn SiteStore>,
    /// Keeps salts.
    pub salts: Arc<dyn SaltStore>,
    /// Counts bots.
    pub bots: Arc<dyn BotStore>,
    /// Stores what visitors do.
    pub events: Arc<dyn BeaconStore<Events>>,
    /// Stores what they feel.
    pub vitals: Arc<dyn BeaconStore<View>>,
    /// Knows where addresses are.
    pub places: Places,
    /// Counts requests.
    pub limiter: Arc<dyn HourlyLimiter>,
    /// How many it lets in.
    pub limits: Limits,
    /// How much may wait.
    pub bounds: Bounds,
    /// The database's clock.
    pub clock: Arc<dyn Clock>,
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}

/// A request with a beacon. Neither `Debug` nor a log shows what it says of a person.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The body, at most 64 KiB.
    pub body: &'a [u8],
    /// Where it comes from.
    pub source: Source,
    /// The header `User-Agent`.
    pub user_agent: Option<&'a str>,
    /// Client hints.
    pub hints: Hints<'a>,
    /// The host of `Origin`, else of `Referer`, where the request has one of them. A value that is no address of the web is an
    /// empty host.
    pub origin: Option<&'a str>,
    /// The header `X-Pharos-Site-Secret`.
    pub secret: Option<&'a str>,
    /// The country that a trusted proxy names.
    pub country: Option<&'a str>,
    /// Whether the browser asks not to be tracked: `DNT: 1` or `Sec-GPC: 1`.
    pub asks_not_to_be_tracked: bool,
}

impl fmt::Debug for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").finish_non_exhaustive()
    }
}

/// The outcome of a beacon that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is durable.
    Stored,
    /// The site does not want it: its module is off, or the settings leave it out.
    LeftOut,
    /// A bot sent it. It was counted.
    Bot,
}

/// Why a beacon was refused. Nothing of it is stored.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The body is at fault.
    #[error("the beacon has faults")]
    Faults(Vec<SettingFault>),
    /// No site has this key or secret.
    #[error("no such site")]
    UnknownSite,
    /// A page of this host sent it, and the host is none of the site's.
    #[error("{0} is no host of the site")]
    ForeignHost(String),
    /// More rows come from the address, or of the site, than may.
    #[error("too many rows of beacons")]
    TooMany {
        /// When to come again.
        retry_after_seconds: u32,
    },
    /// Too many wait, or they can't be stored at the moment.
    #[error("beacons can't be stored at the moment")]
    Unstored,
    /// A store can't be read.
    #[error(transparent)]
    Store(Arc<StoreError>),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
}

impl From<Arc<StoreError>> for Refusal {
    fn from(error: Arc<StoreError>) -> Self {
        Self::Store(error)
    }
}

/// Takes beacons.
pub struct Collector {
    book: SiteBook,
    salts: Salts,
    bots: Bots,
    agents: Agents,
    places: Places,
    limiter: Arc<dyn HourlyLimiter>,
    limits: Limits,
    clock: Arc<dyn Clock>,
    events: Arc<Queue<Events>>,
    vitals: Arc<Queue<View>>,
}

impl fmt::Debug for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector")
            .field("events", &self.events)
            .field("vitals", &self.vitals)
            .finish_non_exhaustive()
    }
}

/// The writers of the beacons that a collector takes.
#[derive(Debug)]
pub struct Writers {
    /// The writer of visitors' events.
    pub events: Writer<Events>,
    /// The writer of real-user measurements.
    pub vitals: Writer<View>,
}

/// The lanes of a collector, by the content of beacons.
pub trait Lane<T> {
    /// Where beacons of that content wait.
    fn queue(&self) -> &Queue<T>;
}

impl Lane<Events> for Collector {
    fn queue(&self) -> &Queue<Events> {
        &self.events
    }
}

impl Lane<View> for Collector {
    fn queue(&self) -> &Queue<View> {
        &self.vitals
    }
}

impl Collector {
    /// A collector, and the writers that store what it takes.
    #[must_use]
    pub fn new(parts: Parts) -> (Self, Writers) {
        let Parts {
            sites,
            salts,
            bots,
            events,
            vitals,
            places,
            limiter,
            limits,
            bounds,
            clock,
        } = parts;
        let queues = (Arc::new(Queue::new(bounds)), Arc::new(Queue::new(bounds)));
        let writers = Writers {
            events: Writer::new(Arc::clone(&queues.0), Arc::clone(&events)),
            vitals: Writer::new(Arc::clone(&queues.1), Arc::clone(&vitals)),
        };
        let collector = Self {
            book: SiteBook::new(sites, events, vitals),
            salts: Salts::new(salts),
            bots: Bots::new(bots),
            agents: Agents::default(),
            places,
            limiter,
            limits,
            clock,
            events: queues.0,
            vitals: queues.1,
        };
        (collector, writers)
    }

    /// The facts about the site of a key, for a request for the site's script. Such requests are limited as beacons are, since
    /// an unknown key costs a read of the store.
    ///
    /// # Errors
    /// Too many were asked for, or a store failed.
    pub async fn site(&self, key: &SiteKey, source: Source) -> Result<Option<Arc<Known>>, Refusal> {
        let network = source.network();
        self.admit("collect-script", self.limits.source, network.as_bytes(), 0)
            .await?;
        Ok(self.book.by_key(key).await?)
    }

    /// Takes a beacon, and returns once it is durable. A valid beacon is stored even if the caller stops waiting.
    ///
    /// # Errors
    /// Why it was refused.
    pub async fn collect<T: Content>(&self, request: &Request<'_>) -> Result<Outcome, Refusal>
    where
        Self: Lane<T>,
    {
        let collected = self.take::<T>(request).await;
        match &collected {
            // The writer counts what is stored, and what could not be.
            Ok(Outcome::Stored) => {}
            Ok(Outcome::LeftOut) => metrics::ended(T::KIND, "left_out"),
            Ok(Outcome::Bot) => metrics::ended(T::KIND, "bot"),
            Err(_) => metrics::ended(T::KIND, "refused"),
        }
        collected
    }

    async fn take<T: Content>(&self, request: &Request<'_>) -> Result<Outcome, Refusal>
    where
        Self: Lane<T>,
    {
        let parsed = parse(request.body);
        let rows = parsed.as_ref().map_or(0, |body| T::rows(Members(body)));
        let of_secret = self.admit_sender(request, rows).await?;
        let mut body = parsed.map_err(Refusal::Faults)?;
        let mut faults = Faults::default();
        let envelope = Envelope::read(Members(&body), &mut faults);
        let known = match of_secret {
            Some(known) => Some(known),
            None => self.of_key(&envelope, &mut faults).await?,
        };
        let Some(known) = known else {
            return Err(faults
                .or(|| ())
                .map_or_else(Refusal::Faults, |()| Refusal::UnknownSite));
        };
        let site = &known.site;
        let Some(settings) = T::settings(&known) else {
            return faults.or(|| Outcome::LeftOut).map_err(Refusal::Faults);
        };
        if let Some(host) = request.origin.filter(|host| !has_host(site, settings, host)) {
            return Err(Refusal::ForeignHost(host.to_owned()));
        }
        let at = self.clock.now();
        let sender = WhoSent::of(request, envelope.client);
        traces::take_out(&mut body, sender.address, sender.user_agent.as_deref());
        let received = Received {
            site,
            settings,
            at,
            load: envelope.load,
        };
        let content = T::read(Members(&body), &received, &mut faults);
        // While the beacon waits, its content is kept alone: a member that nobody reads may be many times its bytes once it is JSON.
        drop(body);
        faults.or(|| ()).map_err(Refusal::Faults)?;
        let (Some(content), Some(id)) = (content, envelope.beacon) else {
            return Ok(Outcome::LeftOut);
        };

        let agent = self
            .agents
            .of(sender.user_agent.as_deref().unwrap_or_default(), request.hints);
        // A browser always names itself.
        if agent.is_bot || (sender.user_agent.is_none() && request.secret.is_none()) {
            self.bots.count(site.domain);
            return Ok(Outcome::Bot);
        }
        let place = sender
            .address
            .map(|address| self.places.find(address))
            .unwrap_or_default();
        // A proxy names the country of the server that sent this, which is not its visitors'.
        let of_proxy = request.country.filter(|_| request.secret.is_none());
        let country = place.country.or_else(|| of_proxy.and_then(country_code));
        if leaves_out(settings, sender.address, country.as_deref())
            || (settings.respect_dnt && request.asks_not_to_be_tracked)
        {
            return Ok(Outcome::LeftOut);
        }
        // Taken last: anybody who reads the site's key in a page can send what is refused or left out, and that must not use up what
        // its visitors have.
        self.admit("collect-site", self.limits.site, site.domain.0.as_bytes(), rows)
            .await?;
        let client = Client {
            device: agent.device,
            browser: agent.browser.clone(),
            browser_version: agent.browser_version.clone(),
            os: agent.os.clone(),
            os_version: agent.os_version.clone(),
            country,
            region: place.region,
            city: place.city,
            screen: envelope.screen,
        };
        let whole = Whole {
            id,
            domain: site.domain,
            at,
            client,
            content,
        };
        let bytes = request.body.len().max(rows * BYTES_OF_ROW);
        let beacons = self.of_days(whole, &sender).await?;
        let stored = Lane::<T>::queue(self)
            .push(site.domain, beacons, bytes)
            .map_err(|_| Refusal::Unstored)?;
        match timeout(STORED_WITHIN, stored).await {
            Ok(Ok(())) => Ok(Outcome::Stored),
            // It may still be stored; sent again with its id it counts once.
            Ok(Err(_)) | Err(_) => Err(Refusal::Unstored),
        }
    }

    /// Admits who sends a request with so many rows, and finds the site of its secret, where it has one.
    async fn admit_sender(&self, request: &Request<'_>, rows: usize) -> Result<Option<Arc<Known>>, Refusal> {
        let network = request.source.network();
        let remembered = match request.secret {
            Some(secret) => self.book.remembered(secret).await,
            None => None,
        };
        // A server speaks for all its visitors, so that it may send as many as its site. But any text can claim to be a secret, and
        // each new one costs a read: until its site is known, it is counted as a visitor is.
        if remembered.is_none() {
            self.admit("collect", self.limits.source, network.as_bytes(), rows)
                .await?;
        }
        let Some(secret) = request.secret else {
            return Ok(None);
        };
        let known = match remembered {
            Some(known) => known,
            None => {
                let found = self.book.by_secret(secret).await?;
                found.ok_or(Refusal::UnknownSite)?
            }
        };
        self.admit("collect-server", self.limits.site, network.as_bytes(), rows)
            .await?;
        Ok(Some(known))
    }

    /// The site that a browser names by its key.
    async fn of_key(&self, envelope: &Envelope, faults: &mut Faults) -> Result<Option<Arc<Known>>, Refusal> {
        if envelope.client.is_some() {
            faults.add(
                "client",
                "only of a server, which sends the header X-Pharos-Site-Secret",
            );
        }
        match &envelope.site {
            Some(key) => Ok(self.book.by_key(key).await?),
            None => {
                faults.add("site", "the site's key, pst_ and 22 letters and digits");
                Ok(None)
            }
        }
    }

    /// Takes so many rows of a limit. A request that has more than the whole of it takes the whole: it has to come in at last if
    /// it comes again when it is told to.
    async fn admit(
        &self,
        name: &'static str,
        per_hour: u32,
        subject: &[u8],
        rows: usize,
    ) -> Result<(), Refusal> {
        let weight = u32::try_from(rows).unwrap_or(u32::MAX).max(LEAST_ROWS);
        let request = HourlyRequest {
            limit: HourlyLimit { name, per_hour },
            subject,
            // Where the limit is 0 nothing comes in.
            weight: weight.min(per_hour.max(1)),
            now: self.clock.now(),
        };
        match self.limiter.admit_hourly(&request).await {
            HourlyAdmission::Admitted => Ok(()),
            HourlyAdmission::Refused { retry_after_seconds } => Err(Refusal::TooMany { retry_after_seconds }),
        }
    }

    /// The beacon, or two if it has events on both sides of a midnight: the visitor is another on each day.
    async fn of_days<T: Content>(
        &self,
        whole: Whole<T>,
        sender: &WhoSent,
    ) -> Result<Vec<Beacon<T>>, StoreError> {
        let Whole {
            id,
            domain,
            at,
            client,
            content,
        } = whole;
        let today = at.date();
        let sender = Sender {
            site: domain,
            address: sender.address,
            user_agent: sender.user_agent.as_deref().unwrap_or_default(),
        };
        let yesterday = self
            .salts
            .visitor((at - Duration::DAY).date(), at, sender)
            .await?;
        let (before, after) = match yesterday {
            Some(_) => content.split(today.midnight().assume_utc()),
            None => (None, Some(content)),
        };
        let now = match &after {
            Some(_) => Some(self.today(at, sender).await?),
            None => None,
        };
        let of_day = |id, visitor, content| Beacon {
            id,
            domain,
            visitor,
            received_at: at,
            client: client.clone(),
            content,
        };
        // All of a beacon that is of the day before keeps its id: it may have come within that day already, and may come
        // again once that day's visitor is gone.
        let of_before = if after.is_some() { day_before(id) } else { id };
        let before = yesterday
            .zip(before)
            .map(|(visitor, content)| of_day(of_before, visitor, content));
        let after = now
            .zip(after)
            .map(|(visitor, content)| of_day(id, visitor, content));
        Ok(before.into_iter().chain(after).collect())
    }

    async fn today(&self, at: OffsetDateTime, sender: Sender<'_>) -> Result<VisitorId, StoreError> {
        let visitor = self.salts.visitor(at.date(), at, sender).await?;
        // This node is some milliseconds ahead of the database, where the day has not begun.
        visitor.ok_or_else(|| StoreError::Unavailable("the day has not begun".into()))
    }

    /// Stops taking beacons. Those that wait are still stored.
    pub fn close(&self) {
        self.events.close();
        self.vitals.close();
    }

    /// Records how many beacons wait.
    pub fn sample(&self) {
        metrics::queued(Events::KIND, self.events.waiting().0);
        metrics::queued(View::KIND, self.vitals.waiting().0);
    }

    /// Drops salts that are due, and writes how many beacons of bots there were.
    ///
    /// # Errors
    /// The store failed; what could not be done is done the next time.
    pub async fn tidy(&self) -> Result<(), StoreError> {
        let forgotten = self.salts.forget(self.clock.now()).await;
        self.bots.flush().await.and(forgotten)
    }
}

struct Whole<T> {
    id: Uuid,
    domain: DomainId,
    at: OffsetDateTime,
    client: Client,
    content: T,
}

/// Who sent it, or for whom.
struct WhoSent {
    address: Option<IpAddr>,
    user_agent: Option<String>,
}

impl WhoSent {
    fn of(request: &Request<'_>, sent_for: Option<SentFor>) -> Self {
        // The address of a server is not its visitors'.
        if request.secret.is_some() {
            let SentFor { address, user_agent } = sent_for.unwrap_or_default();
            return Self { address, user_agent };
        }
        Self {
            address: request.source.0,
            user_agent: request
                .user_agent
                .and_then(|agent| crate::beacon::clean(agent, crate::beacon::MOST_OF_AGENT)),
        }
    }
}

/// Whether the settings leave out what comes from there.
fn leaves_out(settings: &CollectionSettings, address: Option<IpAddr>, country: Option<&str>) -> bool {
    let address = address.map(|address| address.to_canonical());
    address.is_some_and(|address| {
        settings
            .excluded_networks
            .iter()
            .any(|network| network.contains(&address))
    }) || country.is_some_and(|country| {
        settings
            .excluded_countries
            .iter()
            .any(|excluded| excluded == country)
    })
}

/// The id for a beacon's part about the day before, if it has a part about the day too. It is another than the beacon's own,
/// and always the same. It is far from its own, since some senders count their ids.
fn day_before(id: Uuid) -> Uuid {
    Uuid::from_u128(id.as_u128() ^ 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834)
}

#[cfg(test)]
mod tests;
