//! The status page, its incidents, and their feed (RSS 2.0).

use maud::{DOCTYPE, Markup, PreEscaped, html};
use pharos_http::icon;
use pharos_pictures::{days::strip, figure::percent};
use pharos_uptime::{status::State, status_page::STATUS_DAYS};
use time::{OffsetDateTime, format_description::well_known::Rfc2822};

use super::known::{INCIDENTS, Known, KnownSite, PublicIncident};
use crate::{
    domain::pictures,
    page::moment,
    parts::mark::{self, Tone},
    shown::shown,
    words,
};

/// How many days of a page have their figures in words, all sites together: the page stays light.
const MOST_TOLD_DAYS: usize = 200;
/// With more sites than these a bar is of several days, and none has its figures in words.
const MOST_BY_DAY: usize = 30;
/// How many days a bar is of then.
const DAYS_OF_A_BAR: usize = 5;
/// How many incidents stand on the page itself. A page of its own has the older ones, too.
const MOST_INCIDENTS: usize = 20;
/// How many incidents the feed has.
const MOST_ITEMS: usize = 50;

pub(super) fn page(known: &Known, style: &str, script: &str) -> Markup {
    let content = html! {
        div.head { h1 { bdi { (shown(&known.title)) } } }
        (overall(&known.sites))
        @if known.sites.len() > MOST_BY_DAY {
            p.note { "Each bar is " (DAYS_OF_A_BAR) " days, and looks like the worst of them." }
        }
        @for (at, site) in known.sites.iter().enumerate() { (self::site(at, site, known.sites.len())) }
        h2 { "Incidents of the last " (STATUS_DAYS) " days" }
        (incident_list(&known.incidents[..known.incidents.len().min(MOST_INCIDENTS)]))
        @if known.incidents.len() > MOST_INCIDENTS {
            p { a href={ (address(known)) "/incidents" } { "Older incidents" } }
        }
    };
    frame(known, "", style, script, &content)
}

/// All incidents that are known of, on a page of their own.
pub(super) fn incidents(known: &Known, style: &str, script: &str) -> Markup {
    let content = html! {
        div.head { h1 { "Incidents of the last " (STATUS_DAYS) " days" } }
        p { a href=(address(known)) { bdi { (shown(&known.title)) } } }
        (incident_list(&known.incidents))
        @if known.incidents.len() == INCIDENTS { p.note { "These are the newest " (INCIDENTS) "." } }
    };
    frame(known, "Incidents: ", style, script, &content)
}

fn address(known: &Known) -> String {
    format!("/status/{}", known.slug.as_str())
}

/// A page of these sites. `about` stands before the title.
fn frame(known: &Known, about: &str, style: &str, script: &str, content: &Markup) -> Markup {
    let title = shown(&known.title);
    let feed = format!("{}/feed.xml", address(known));
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (about) (title) }
                (icon::link())
                link rel="stylesheet" href=(style);
                link rel="alternate" type="application/rss+xml" title={ (title) ": incidents" } href=(feed);
                script src=(script) defer {}
            }
            body.public {
                a.skip href="#main" { "Skip to the content" }
                main id="main" tabindex="-1" {
                    (content)
                    footer {
                        p.note { "As of " (moment(known.made_at)) ". Days are UTC. " a href=(feed) { "Incidents as RSS" } }
                        p.note { "Watched by Pharos" }
                    }
                }
            }
        }
    }
}

fn incident_list(incidents: &[PublicIncident]) -> Markup {
    html! {
        @if incidents.is_empty() {
            p.none { "There were none." }
        } @else {
            ul.rows { @for incident in incidents { li { (self::incident(incident)) } } }
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

/// A site of so many on the page.
fn site(at: usize, site: &KnownSite, sites: usize) -> Markup {
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
                (bars(site, sites))
                div.ends.note {
                    span { (STATUS_DAYS) " days ago" }
                    span { (said(site)) }
                    span { "today" }
                }
            }
        }
    }
}

/// The days of a site.
fn bars(site: &KnownSite, sites: usize) -> Markup {
    let about = format!("{STATUS_DAYS} days of {}: {}", shown(&site.name), said(site));
    if sites > MOST_BY_DAY {
        let bars = site.days.rchunks(DAYS_OF_A_BAR).filter_map(|days| {
            let worst = days.iter().map(|(_, time, _)| pictures::tone(*time)).max();
            worst.map(|tone| (tone, String::new()))
        });
        let mut bars: Vec<_> = bars.collect();
        bars.reverse();
        return strip(&about, &bars, 0);
    }
    let days = site.days.iter();
    let days: Vec<_> = days
        .map(|(date, time, outages)| (pictures::tone(*time), pictures::told(*date, *time, *outages)))
        .collect();
    strip(&about, &days, MOST_TOLD_DAYS / sites.max(1))
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
                "was down for " span.figure { (words::length(end - incident.started_at)) } ", from " (moment(incident.started_at)) " " (mark::state(Tone::Calm, "Over"))
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
                @for incident in known.incidents.iter().take(MOST_ITEMS) {
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
