//! A domain's row.

use maud::{Markup, html};
use pharos_pictures::{
    figure::{millis, percent},
    sparkline::sparkline,
};

use super::order::Listed;
use crate::{
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
    vec![
        html! {
            a href=(domain_path(one.domain.id, "")) { bdi { (shown(one.name())) } }
            @if one.domain.display_name.is_some() { span.note { (hostname) } }
        },
        html! {
            @match site { Some(site) => (words::state(site.state)), None => (mark::state(Tone::Calm, "Not monitored")) }
        },
        html! {
            @for attention in site.iter().flat_map(|site| &site.attention) { div { (words::attention(*attention)) } }
        },
        figure(site.and_then(|site| site.uptime_pct), percent),
        html! {
            @if site.is_some() && let Some(course) = course { (sparkline(&said(course), course)) }
        },
        figure(site.and_then(|site| site.last_response_ms), millis),
    ]
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
