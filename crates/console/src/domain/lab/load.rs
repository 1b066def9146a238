//! How a page loaded: its pictures, its requests, and what would make it faster.

use maud::{Markup, html};
use pharos_artefacts::{
    key::ArtefactKey,
    links::{Links, PATH},
};
use pharos_domain::{identity::DomainAccess, role::Role};
use pharos_pictures::{
    figure::millis,
    waterfall::{Span, waterfall},
};
use pharos_synthetic::{
    result::{Filmstrip, Opportunity, Picture, Resource},
    run::{IMAGES_KEPT, LabRun},
};
use time::OffsetDateTime;

use super::bytes;
use crate::{
    console::Console,
    parts::{
        notice,
        table::{Column, Table, figure_cell},
    },
    refusal::Refusal,
    shown::shown,
};

/// How many requests are drawn.
const MOST_REQUESTS: usize = 60;

/// A test with its lists.
pub(super) struct Loaded {
    pub(super) run: LabRun,
    filmstrip: Filmstrip,
    resources: Vec<Resource>,
    opportunities: Vec<Opportunity>,
    has_pictures: bool,
}

impl Loaded {
    pub(super) async fn read(console: &Console, run: LabRun, now: OffsetDateTime) -> Result<Self, Refusal> {
        let lab = &console.parts.lab;
        let (filmstrip, resources, opportunities) =
            tokio::try_join!(lab.filmstrip(&run), lab.resources(&run), lab.opportunities(&run))?;
        Ok(Self {
            has_pictures: run.images_until.is_some_and(|until| now < until),
            run,
            filmstrip,
            resources,
            opportunities,
        })
    }

    /// Its pictures, requests and opportunities. `id` is the only one of the page, plain letters.
    pub(super) fn show(
        &self,
        console: &Console,
        access: &DomainAccess,
        id: &str,
        now: OffsetDateTime,
    ) -> Markup {
        let links = &console.parts.links;
        html! {
            section.card aria-labelledby={ (id) "-film" } {
                h2 id={ (id) "-film" } { "How it looked" }
                (self.film(links, now))
                (self.report(links, access, now))
            }
            section.card aria-labelledby={ (id) "-requests" } {
                h2 id={ (id) "-requests" } { "Requests" }
                (self.requests(id))
            }
            section.card aria-labelledby={ (id) "-better" } {
                h2 id={ (id) "-better" } { "What would make it faster" }
                (self.better())
            }
        }
    }

    fn film(&self, links: &Links, now: OffsetDateTime) -> Markup {
        if !self.has_pictures {
            return html! { p.note { "Its pictures are not there, or no longer kept." } };
        }
        let whole = self.filmstrip.full_page_screenshot.as_ref();
        let whole = whole.and_then(|whole| address(links, &whole.key, now));
        html! {
            @if self.filmstrip.frames.is_empty() { p.note { "There are no pictures." } }
            ol.film {
                @for frame in &self.filmstrip.frames {
                    @let time = millis(frame.timing_ms as f64);
                    li {
                        (image(links, &frame.picture, &format!("The page after {time}"), now))
                        span.note { (time) }
                    }
                }
            }
            @if let Some(whole) = whole { p { a href=(whole) { "The whole page" } } }
        }
    }

    /// All that Lighthouse wrote, which a test that failed has, too.
    fn report(&self, links: &Links, access: &DomainAccess, now: OffsetDateTime) -> Markup {
        // It has URLs with their queries, which nobody else is shown.
        let is_admin = access.workspace().workspace().role >= Role::Admin;
        let is_kept = self
            .run
            .finished_at
            .is_some_and(|ended| now < ended + IMAGES_KEPT);
        let report = self.filmstrip.report.as_deref().filter(|_| is_admin && is_kept);
        let report = report.and_then(|key| address(links, key, now));
        html! {
            @if let Some(report) = report {
                p { a href=(report) download="lhr.json.gz" { "All that Lighthouse wrote" } " (JSON, compressed)" }
            }
        }
    }

    fn requests(&self, id: &str) -> Markup {
        let names: Vec<String> = self
            .resources
            .iter()
            .map(|resource| shown(name(&resource.url)))
            .collect();
        let spans: Vec<Span<'_>> = self
            .resources
            .iter()
            .zip(&names)
            .take(MOST_REQUESTS)
            .map(|(resource, name)| Span {
                name,
                time: resource.start_ms.zip(resource.end_ms),
                ink: ink(&resource.resource_type),
                note: note(resource),
            })
            .collect();
        if spans.is_empty() {
            return html! { p.note { "There were none." } };
        }
        html! {
            (waterfall(&format!("{id}-waterfall"), "Requests of the page", &spans, millis))
            @if self.resources.len() > MOST_REQUESTS {
                p.note { "Shown are the first " (MOST_REQUESTS) " of " (self.resources.len()) ". The API has them all." }
            }
        }
    }

    fn better(&self) -> Markup {
        let table = Table {
            caption: "What would make it faster",
            columns: &[
                Column::text("What"),
                Column::figure("Saves"),
                Column::figure("Bytes").spare(),
                Column::text("Where").spare(),
            ],
            rows: self
                .opportunities
                .iter()
                .map(|found| {
                    let first = found.items.first();
                    let place = first.and_then(|item| {
                        let named = item.url.as_deref().or(item.selector.as_deref());
                        named.or(item.label.as_deref())
                    });
                    vec![
                        html! { bdi { (shown(&found.title)) } },
                        figure_cell(found.savings_ms, millis),
                        figure_cell(found.savings_bytes.map(|saved| saved as f64), bytes),
                        html! {
                            bdi { (place.map(shown).unwrap_or_default()) }
                            @if found.items.len() > 1 { " and " (found.items.len() - 1) " more" }
                        },
                    ]
                })
                .collect(),
        };
        table.show(&notice::empty(
            "Lighthouse found nothing",
            &html! { p { "No insight promises to make it faster." } },
        ))
    }
}

/// The address of an artefact on this host: links begin with ours.
fn address(links: &Links, key: &str, now: OffsetDateTime) -> Option<String> {
    let key: ArtefactKey = key.parse().ok()?;
    let (link, _) = links.link(&key, now);
    let at = link.find(&format!("{PATH}/"))?;
    link.get(at..).map(str::to_owned)
}

fn image(links: &Links, picture: &Picture, told: &str, now: OffsetDateTime) -> Markup {
    html! {
        @if let Some(address) = address(links, &picture.key, now) {
            img src=(address) alt=(told) width=(picture.width) height=(picture.height) loading="lazy";
        }
    }
}

/// The last part of a URL's path, by which people know a file; of a page its whole path.
fn name(url: &str) -> &str {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    match path.trim_end_matches('/').rsplit_once('/') {
        Some((_, last)) if !last.is_empty() => last,
        _ => path,
    }
}

fn ink(kind: &str) -> usize {
    match kind {
        "document" => 1,
        "script" => 2,
        "stylesheet" => 3,
        "image" | "font" | "media" => 4,
        _ => 5,
    }
}

fn note(resource: &Resource) -> String {
    let mut told = vec![
        resource.resource_type.clone(),
        bytes(resource.transfer_bytes as f64),
    ];
    if let Some(status) = resource.status_code {
        told.push(status.to_string());
    }
    if resource.render_blocking {
        told.push("blocks painting".to_owned());
    }
    if resource.is_third_party {
        told.push("of somebody else".to_owned());
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_named_by_the_end_of_its_path() {
        for (url, named) in [
            ("https://shop.example/a/style.css", "style.css"),
            ("https://shop.example/shoes/", "shoes"),
            ("https://shop.example/", "shop.example/"),
            ("data:image", "data:image"),
        ] {
            assert_eq!(name(url), named);
        }
    }
}
