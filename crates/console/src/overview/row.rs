//! A domain's row.

use maud::{Markup, html};
use pharos_alerting::alert::Firing;
use pharos_pictures::{
    figure::{millis, number, percent},
    sparkline::sparkline,
};

use super::order::Listed;
use crate::{
    domain::alerts::{path, severity},
    nav::domain_path,
    parts::mark::{self, Tone},
    shown::shown,
    words,
};

pub(super) fn row(one: &Listed, course: Option<&[Option<f64>]>) -> Vec<Markup> {
    let site = one.site.as_ref();
    let figure = |value: Option<f64>, words: fn(f64) -> String| {
        html! {
            @match value { Some(value) => (words(value)), None => span.none { "–" span.aside { "not measured" } } }
        }
    };
    let hostname = one.domain.hostname.as_str();
    let matters = matters(one);
    vec![
        html! {
            a href=(domain_path(one.domain.id, "")) { bdi { (shown(one.name())) } }
            @if one.domain.display_name.is_some() { span.note { (hostname) } }
        },
        html! {
            @match site { Some(site) => (words::state(site.state)), None => (mark::state(Tone::Calm, "Not monitored")) }
            // Its column has no room on a narrow screen.
            @if one.needs_attention() { div.narrow.note { (matters) } }
        },
        matters,
        figure(site.and_then(|site| site.uptime_pct), percent),
        html! {
            @if site.is_some() && let Some(course) = course { (sparkline(&said(course), course)) }
        },
        figure(site.and_then(|site| site.last_response_ms), millis),
    ]
}

/// The matters that need attention: those of the site itself, and the gravest of its alerts.
fn matters(one: &Listed) -> Markup {
    html! {
        @for attention in one.site.iter().flat_map(|site| &site.attention) { div { (words::attention(*attention)) } }
        @if let Some(firing) = &one.firing {
            div {
                (severity(firing.severity)) " "
                a href=(path(one.domain.id, firing.incident)) { bdi { (shown(clause(firing, one.domain.hostname.as_str()))) } }
                @if firing.count > 1 {
                    @let all = format!("All {} alerts", number(f64::from(firing.count), 0));
                    " " a.note href=(path(one.domain.id, None)) aria-label={ (all) " of " (shown(one.name())) } { (all) }
                }
            }
        }
    }
}

/// The title of an alert without the name of the domain, which stands in the row.
fn clause<'t>(firing: &'t Firing, hostname: &str) -> &'t str {
    let named = firing.title.strip_prefix(hostname);
    named
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(&firing.title)
}

/// The course of a day in words.
fn said(course: &[Option<f64>]) -> String {
    let measured = || course.iter().flatten().copied();
    let (least, most) = (measured().reduce(f64::min), measured().reduce(f64::max));
    match least.zip(most) {
        Some((least, most)) => format!("{} to {}", millis(least), millis(most)),
        None => "not measured".to_owned(),
    }
}
