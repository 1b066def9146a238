//! The status page and its feed (RSS 2.0).

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pharos_pictures::{days::strip, figure::percent};
use pharos_uptime::{status::State, status_page::STATUS_DAYS};
use time::{OffsetDateTime, format_description::well_known::Rfc2822};

use super::known::{Known, KnownSite, PublicIncident};
use crate::{
    domain::pictures,
    page::moment,
    parts::mark::{self, Tone},
    shown::shown,
    words,
};

/// How many days of a page have their figures in words, all sites together: the page stays light.
const MOST_TOLD_DAYS: usize = 200;
/// With more sites than these no day has.
const MOST_TOLD_SITES: usize = 50;

pub(super) fn page(known: &Known, style: &str, script: &str) -> Markup {
    let title = shown(&known.title);
    let feed = format!("/status/{}/feed.xml", known.slug.as_str());
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="stylesheet" href=(style);
                link rel="alternate" type="application/rss+xml" title={ (title) ": incidents" } href=(feed);
                script src=(script) defer {}
            }
            body.public {
                a.skip href="#main" { "Skip to the content" }
                main id="main" tabindex="-1" {
                    div.head { h1 { bdi { (title) } } }
                    (overall(&known.sites))
                    @for (at, site) in known.sites.iter().enumerate() { (self::site(at, site, told(known.sites.len()))) }
                    h2 { "Incidents of the last " (STATUS_DAYS) " days" }
                    @if known.incidents.is_empty() {
                        p.none { "There were none." }
                    } @else {
                        ul.rows { @for incident in &known.incidents { li { (self::incident(incident)) } } }
                    }
                    footer {
                        p.note { "As of " (moment(known.made_at)) ". Days are UTC. " a href=(feed) { "Incidents as RSS" } }
                        p.note { "Watched by Pharos" }
                    }
                }
            }
        }
    }
}

/// All sites in one sentence.
fn overall(sites: &[KnownSite]) -> Markup {
    let down = sites
        .iter()
        .filter(|site| site.state == Some(State::Down))
        .count();
    let is_any = |states: &[State]| {
        sites
            .iter()
            .any(|site| site.state.is_some_and(|state| states.contains(&state)))
    };
    let (tone, said) = if sites.is_empty() {
        (Tone::Calm, "No site is shown here.".to_owned())
    } else if down == sites.len() {
        (Tone::Bad, "All sites are down.".to_owned())
    } else if down == 1 {
        (Tone::Bad, "One site is down.".to_owned())
    } else if down > 1 {
        (Tone::Bad, format!("{down} sites are down."))
    } else if is_any(&[State::Maintenance]) {
        (Tone::Planned, "Maintenance is under way.".to_owned())
    } else if is_any(&[State::Degraded]) {
        (Tone::Warn, "Some sites are slow.".to_owned())
    } else if is_any(&[State::Up, State::Blocked]) {
        (Tone::Good, "All sites work.".to_owned())
    } else {
        (Tone::Calm, "The state is not known at the moment.".to_owned())
    };
    html! { div.card.overall { (mark::state(tone, &said)) } }
}

/// How many days of each site have their figures in words, where there are so many sites.
fn told(sites: usize) -> usize {
    if sites > MOST_TOLD_SITES {
        0
    } else {
        MOST_TOLD_DAYS / sites.max(1)
    }
}

fn site(at: usize, site: &KnownSite, told: usize) -> Markup {
    // That a site refuses the prober is nothing that its visitors notice.
    let state = site
        .state
        .map(|state| if state == State::Blocked { State::Up } else { state });
    let id = format!("site{at}");
    html! {
        section.card aria-labelledby={ (id) "-head" } {
            div.head {
                h2 id={ (id) "-head" } { bdi { (shown(&site.name)) } }
                @match state { Some(state) => (words::state(state)), None => (mark::state(Tone::Calm, "Not monitored")) }
            }
            @if !site.days.is_empty() {
                @let days: Vec<_> = site.days.iter().map(|(date, time, outages)| (pictures::tone(*time), pictures::told(*date, *time, *outages))).collect();
                (strip(&id, &format!("{STATUS_DAYS} days of {}", site.name), &said(site), &days, told))
                div.ends.note {
                    span { (STATUS_DAYS) " days ago" }
                    span { (said(site)) }
                    span { "today" }
                }
            }
        }
    }
}

fn said(site: &KnownSite) -> String {
    match site.uptime_pct {
        Some(uptime) => format!("{} available", percent(uptime)),
        None => "not observed yet".to_owned(),
    }
}

fn incident(incident: &PublicIncident) -> Markup {
    html! {
        strong { bdi { (shown(&incident.site)) } } " "
        @match incident.resolved_at {
            Some(end) => {
                "was down for " (words::length(end - incident.started_at)) ", from " (moment(incident.started_at)) " " (mark::state(Tone::Calm, "Over"))
            }
            None => { "is down since " (moment(incident.started_at)) " " (mark::state(Tone::Bad, "Open")) }
        }
    }
}

pub(super) fn feed(known: &Known, base_url: &str) -> Markup {
    let address = format!("{base_url}/status/{}", known.slug.as_str());
    let date = |at: OffsetDateTime| at.format(&Rfc2822).unwrap_or_default();
    html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"))
        rss version="2.0" {
            channel {
                title { (shown(&known.title)) }
                (PreEscaped("<link>")) (address) (PreEscaped("</link>"))
                description { "Incidents of the last " (STATUS_DAYS) " days" }
                lastBuildDate { (date(known.made_at)) }
                @for incident in &known.incidents {
                    item {
                        title {
                            (shown(&incident.site))
                            @if incident.resolved_at.is_some() { " was down" } @else { " is down" }
                        }
                        (PreEscaped("<link>")) (address) (PreEscaped("</link>"))
                        guid isPermaLink="false" { (incident.id) @if incident.resolved_at.is_some() { "-over" } }
                        pubDate { (date(incident.resolved_at.unwrap_or(incident.started_at))) }
                        description {
                            @match incident.resolved_at {
                                Some(end) => { "Over after " (words::length(end - incident.started_at)) "." }
                                None => { "Open." }
                            }
                        }
                    }
                }
            }
        }
    }
}
