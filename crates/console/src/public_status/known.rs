//! The content of a status page: the sites, their days, and the incidents that people noticed.

use std::collections::HashMap;

use pharos_domain::{
    ids::{DomainId, IncidentId},
    window::{DateRange, Granularity},
};
use pharos_uptime::{
    availability::{Availability, past::Past},
    incident::Severity,
    knowledge::MonitorKnowledge,
    status::{State, state},
    status_page::{STATUS_DAYS, Slug},
};
use time::{Date, OffsetDateTime, UtcOffset};

use crate::{console::Console, refusal::Refusal};

/// How many incidents are shown at most, the newest.
pub(super) const INCIDENTS: usize = 200;

/// A status page with what is known of its sites.
pub(super) struct Known {
    pub(super) slug: Slug,
    pub(super) title: String,
    pub(super) sites: Vec<KnownSite>,
    /// The newest first.
    pub(super) incidents: Vec<PublicIncident>,
    pub(super) made_at: OffsetDateTime,
}

/// A site on it.
pub(super) struct KnownSite {
    pub(super) name: String,
    /// `None`: nothing monitors it.
    pub(super) state: Option<State>,
    pub(super) uptime_pct: Option<f64>,
    pub(super) days: Vec<(Date, Availability, u32)>,
}

/// An outage of a site on it.
pub(super) struct PublicIncident {
    pub(super) id: IncidentId,
    pub(super) site: String,
    pub(super) started_at: OffsetDateTime,
    pub(super) resolved_at: Option<OffsetDateTime>,
}

impl Known {
    /// The page of that address, if there is one. The number of statements does not depend on that of sites.
    pub(super) async fn read(
        console: &Console,
        slug: &Slug,
        now: OffsetDateTime,
    ) -> Result<Option<Self>, Refusal> {
        let monitors = &console.parts.monitors;
        let Some(page) = monitors.status_pages.public(slug).await? else {
            return Ok(None);
        };
        let window = DateRange::ending(now.to_offset(UtcOffset::UTC).date(), STATUS_DAYS.into());
        let asked: HashMap<DomainId, OffsetDateTime> =
            page.sites.iter().map(|(id, _)| (*id, window.start())).collect();
        // There is much to be read of sites that fail by turns, and a workspace has many pages.
        let reading = async { Ok::<_, Refusal>(monitors.many.known(&asked).await?) };
        let known = console.site_permits.read(page.workspace, reading).await?;
        let mut incidents: Vec<PublicIncident> = page
            .sites
            .iter()
            .filter_map(|(id, name)| Some((name, known.get(id)?)))
            .flat_map(|(name, known)| outages(name, known))
            .collect();
        incidents.sort_by_key(|incident| std::cmp::Reverse(incident.started_at));
        incidents.truncate(INCIDENTS);
        let sites = page
            .sites
            .into_iter()
            .map(|(id, name)| KnownSite::new(name, known.get(&id), window, now))
            .collect();
        Ok(Some(Self {
            slug: slug.clone(),
            title: page.title,
            sites,
            incidents,
            made_at: now,
        }))
    }
}

/// The outages of a site. That it refuses the prober is nothing that its visitors notice.
fn outages<'a>(name: &'a str, known: &'a MonitorKnowledge) -> impl Iterator<Item = PublicIncident> + 'a {
    let outages = known
        .incidents
        .iter()
        .filter(|incident| incident.severity == Severity::Outage);
    outages.map(|incident| PublicIncident {
        id: incident.id,
        site: name.to_owned(),
        started_at: incident.started_at,
        resolved_at: incident.resolved_at,
    })
}

impl KnownSite {
    fn new(name: String, known: Option<&MonitorKnowledge>, window: DateRange, now: OffsetDateTime) -> Self {
        let Some(known) = known else {
            return Self {
                name,
                state: None,
                uptime_pct: None,
                days: Vec::new(),
            };
        };
        let past = Past::new(known, now);
        let dates: Vec<Date> = window
            .buckets(Granularity::Day)
            .map(|bucket| bucket.start.date())
            .collect();
        let mut edges: Vec<OffsetDateTime> = dates.iter().map(|date| date.midnight().assume_utc()).collect();
        edges.push(window.end());
        let days = dates
            .into_iter()
            .zip(past.between(&edges))
            .map(|(date, (time, outages))| (date, time, outages))
            .collect();
        Self {
            name,
            state: Some(state(known, now).0),
            uptime_pct: past.availability(window.time_range()).uptime_pct(),
            days,
        }
    }
}
