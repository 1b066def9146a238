//! How a page loaded: its pictures, its requests, and what would make it faster.

use maud::{Markup, html};
use pharos_artefacts::{
    key::ArtefactKey,
    links::{Links, PATH},
};
use pharos_domain::{identity::DomainAccess, role::Role, runs::RunStatus};
use pharos_pictures::{
    figure::millis,
    waterfall::{WaterfallBar, waterfall},
};
use pharos_synthetic::{
    result::{AuditOutcome, AuditRow, Filmstrip, Opportunity, Picture, Resource},
    run::{IMAGES_KEPT, LabRun},
};
use time::OffsetDateTime;

use super::{bytes, told};
use crate::{
    console::Console,
    parts::table::{Column, Table, figure_cell},
    refusal::Refusal,
    shown::shown,
};

/// The mark of a request that failed.
const FAILED: &str = "✕";
/// The meanings of the colours of requests.
const INKS: [(usize, &str); 5] = [
    (1, "Documents"),
    (2, "Scripts"),
    (3, "Stylesheets"),
    (4, "Images, fonts and media"),
    (5, "Others"),
];
/// How many requests are drawn.
const MOST_REQUESTS: usize = 60;

/// A test with its lists.
pub(super) struct Loaded {
    pub(super) run: LabRun,
    filmstrip: Filmstrip,
    resources: Vec<Resource>,
    opportunities: Vec<Opportunity>,
    audits: Vec<AuditRow>,
    has_pictures: bool,
}

impl Loaded {
    pub(super) async fn read(console: &Console, run: LabRun, now: OffsetDateTime) -> Result<Self, Refusal> {
        let lab = &console.parts.lab;
        let (filmstrip, resources, opportunities, audits) = tokio::try_join!(
            lab.filmstrip(&run),
            lab.resources(&run),
            lab.opportunities(&run),
            lab.audits(&run)
        )?;
        Ok(Self {
            has_pictures: run.images_until.is_some_and(|until| now < until),
            run,
            filmstrip,
            resources,
            opportunities,
            audits,
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
        if self.run.status != RunStatus::Succeeded {
            let is_open = matches!(self.run.status, RunStatus::Queued | RunStatus::Running);
            return html! {
                p.note { @if is_open { "Nothing is measured yet." } @else { "Nothing was measured." } }
                (self.report(links, access, now))
            };
        }
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
            section.card aria-labelledby={ (id) "-audits" } {
                h2 id={ (id) "-audits" } { "Failed audits" }
                (self.failed_audits())
            }
        }
    }

    fn film(&self, links: &Links, now: OffsetDateTime) -> Markup {
        if !self.has_pictures {
            return html! { p.note { "It has no pictures, or they are no longer kept." } };
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
            .map(|resource| {
                let name = shown(name(&resource.url));
                if has_failed(resource) {
                    format!("{FAILED} {name}")
                } else {
                    name
                }
            })
            .collect();
        let spans: Vec<WaterfallBar<'_>> = self
            .resources
            .iter()
            .zip(&names)
            .take(MOST_REQUESTS)
            .map(|(resource, name)| WaterfallBar {
                name: name.as_str(),
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
            ul.legend {
                @for (ink, kind) in INKS {
                    li {
                        svg.picture viewBox="0 0 10 10" aria-hidden="true" { rect.fill.{ "ink-" (ink) } width="10" height="10" rx="2" {} }
                        (kind)
                    }
                }
                @if self.resources.iter().any(has_failed) { li { (FAILED) " refused, or not answered" } }
            }
            @if self.resources.len() > MOST_REQUESTS {
                p.note { "Shown are the first " (MOST_REQUESTS) " of " (self.resources.len()) ". The API has them all." }
            }
        }
    }

    fn better(&self) -> Markup {
        let (saving, others): (Vec<&Opportunity>, Vec<&Opportunity>) =
            self.opportunities.iter().partition(|found| saves(found));
        let saving = Table {
            caption: "What would make it faster",
            columns: &[
                Column::text("What"),
                Column::figure("Saves"),
                Column::figure("Bytes").spare(),
                Column::text("Where").spare(),
            ],
            rows: saving
                .into_iter()
                .map(|found| {
                    vec![
                        html! { bdi { (told(&found.title)) } },
                        figure_cell(found.savings_ms.filter(|saved| *saved > 0.0), millis),
                        figure_cell(found.savings_bytes.map(|saved| saved as f64), bytes),
                        place(found),
                    ]
                })
                .collect(),
        };
        let others = Table {
            caption: "What may be worth a look",
            columns: &[Column::text("What"), Column::text("Where").spare()],
            rows: others
                .into_iter()
                .map(|found| vec![html! { bdi { (told(&found.title)) } }, place(found)])
                .collect(),
        };
        html! {
            (saving.show(&html! { p.note { "No insight promises to make it faster." } }))
            @if !others.rows.is_empty() {
                h3 { "What may be worth a look, and promises nothing" }
                (others.show(&html! {}))
            }
        }
    }

    /// The audits that failed, below each category that they count for, the weightiest first.
    fn failed_audits(&self) -> Markup {
        let categories = self.run.summary.iter().flat_map(|summary| &summary.categories);
        let failed: Vec<(&str, Vec<AuditRow>)> = categories
            .map(|(name, category)| {
                let failed = self
                    .audits
                    .iter()
                    .filter(|audit| audit.outcome == AuditOutcome::Failed);
                let mut of_category: Vec<AuditRow> =
                    failed.filter_map(|audit| audit.clone().within(name)).collect();
                of_category.sort_by(|one, other| other.weight.total_cmp(&one.weight));
                (category.title.as_str(), of_category)
            })
            .filter(|(_, audits)| !audits.is_empty())
            .collect();
        html! {
            @if failed.is_empty() { p.note { "No audit failed." } }
            @for (title, audits) in &failed {
                h3 { bdi { (told(title)) } }
                ul.rows {
                    @for audit in audits {
                        li {
                            p {
                                bdi { (told(&audit.title)) }
                                @if let Some(value) = &audit.display_value { span.note { " " bdi { (told(value)) } } }
                            }
                            p.note { bdi { (told(&plain(&audit.description))) } }
                        }
                    }
                }
            }
        }
    }
}

/// Whether an opportunity promises anything.
fn saves(found: &Opportunity) -> bool {
    found.savings_ms.is_some_and(|saved| saved > 0.0) || found.savings_bytes.is_some_and(|saved| saved > 0)
}

/// The first thing that an opportunity is about, and how many more.
fn place(found: &Opportunity) -> Markup {
    let first = found.items.first();
    let place = first.and_then(|item| {
        let named = item.url.as_deref().or(item.selector.as_deref());
        named.or(item.label.as_deref())
    });
    html! {
        bdi.long { (place.map(told).unwrap_or_default()) }
        @if found.items.len() > 1 { " and " (found.items.len() - 1) " more" }
    }
}

/// Lighthouse's Markdown as plain text: of a link its words alone, and no marks of code.
fn plain(markdown: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(markdown.len()), markdown);
    while let Some((before, after)) = rest.split_once('[') {
        text.push_str(before);
        let link = after.split_once("](").and_then(|(words, behind)| {
            let (_, behind) = behind.split_once(')')?;
            (!words.contains('[')).then_some((words, behind))
        });
        match link {
            Some((words, behind)) => {
                text.push_str(words);
                rest = behind;
            }
            None => {
                text.push('[');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text.replace('`', "")
}

/// Whether nobody answered a request as it was meant, such as the proxy of the lab that refused it.
fn has_failed(resource: &Resource) -> bool {
    resource.status_code.is_none_or(|status| status >= 400)
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
    match resource.status_code {
        Some(status) => told.push(status.to_string()),
        None => told.push("no answer".to_owned()),
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
    fn descriptions_are_read_without_their_markdown() {
        for (markdown, text) in [
            (
                "Use `alt`. [Learn more](https://a.example/x).",
                "Use alt. Learn more.",
            ),
            ("[a](b) and [c](d)", "a and c"),
            ("an [open one", "an [open one"),
            ("a [role] is [told](x)", "a [role] is told"),
        ] {
            assert_eq!(plain(markdown), text);
        }
    }

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
