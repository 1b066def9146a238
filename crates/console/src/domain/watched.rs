//! The pages and files of a module that people put on its list: pages with field data, URLs of Google's index, sitemaps.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_crawl::sitemap::monitor::address::watched;
use pharos_domain::{
    credits::{Charged, SettleError},
    identity::DomainAccess,
    ids::{CruxUrlId, IndexingUrlId},
    line::one_line,
    module::Module,
    page::{ListKey, PageRequest},
    role::Role,
    settings::{ChangeError, Faults as Judge, SettingFault},
};
use pharos_search::indexing::{
    store::urls::UrlFilter,
    target::{self as index, MOST_AT_ONCE},
};
use pharos_vitals::crux::target::{self as field_data, NewTarget, TargetStatus};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    frame,
    index_urls::{self, URLS},
    named,
    settings::{Changed, changed, entries::tell, judged},
};
use crate::{
    console::Console,
    enter::AtDomain,
    form::Form,
    nav::domain_path,
    page::go,
    parts::{
        form::{Faults, Field},
        mark::{self, Tone},
        notice,
        table::{Column, Part, Table},
    },
    query::in_query,
    refusal::Refusal,
    shown::shown,
};

/// Who changes the lists, as at the API.
const CHANGERS: Role = Role::Member;
/// How many URLs of the index a page shows: those that a search finds.
const SHOWN: usize = 50;

/// A list, by the module that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    FieldData,
    Index,
    Sitemaps,
}

/// Something on a list.
struct Item {
    id: Uuid,
    url: String,
    label: Option<String>,
    state: Markup,
}

/// The fields as they are typed.
#[derive(Default)]
struct Typed {
    url: String,
    label: String,
    urls: String,
}

impl List {
    /// The list of a module; `None`: it has none.
    pub(super) fn of(module: Module) -> Option<Self> {
        match module {
            Module::Crux => Some(Self::FieldData),
            Module::Indexing => Some(Self::Index),
            Module::Sitemap => Some(Self::Sitemaps),
            _ => None,
        }
    }

    /// The list at a path, if the plan has its module.
    fn at(here: &AtDomain, module: &str) -> Result<Self, Refusal> {
        let module: Module = module.parse().map_err(|_| Refusal::NoPage)?;
        here.needs(module)?;
        Self::of(module).ok_or(Refusal::NoPage)
    }

    fn module(self) -> Module {
        match self {
            Self::FieldData => Module::Crux,
            Self::Index => Module::Indexing,
            Self::Sitemaps => Module::Sitemap,
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::FieldData => "Pages that are followed",
            Self::Index => "URLs that are inspected",
            Self::Sitemaps => "Sitemaps that are watched",
        }
    }

    /// How things get on it, besides by the form.
    fn meaning(self) -> &'static str {
        match self {
            Self::FieldData => {
                "The report is asked for each of them once a day, beside the site as a whole. Taking one out forgets its figures."
            }
            Self::Index => {
                "They come from sitemaps, from search and from here, and are inspected in rotation. What is taken out comes back by \
                 this form alone, and its inspections are forgotten."
            }
            Self::Sitemaps => {
                "They come from robots.txt, from indexes and from here. What is taken out is found by nothing but this form; the \
                 changes that were found stay."
            }
        }
    }

    pub(super) fn path(self, here: &AtDomain) -> String {
        domain_path(here.id(), &format!("{}/watched", self.module().as_str()))
    }

    /// The rows on it; for the index, those that a search finds.
    async fn items(self, console: &Console, here: &AtDomain, search: &str) -> Result<Vec<Item>, Refusal> {
        let (parts, access) = (&console.parts, &here.access);
        Ok(match self {
            Self::FieldData => {
                let pages = parts.collection.field_data.pages(access).await?;
                let items = pages.into_iter().map(|page| Item {
                    id: page.target.id.0,
                    url: page.target.url.unwrap_or_default(),
                    label: page.target.label,
                    state: of_report(page.target.status),
                });
                items.collect()
            }
            Self::Index => {
                let filter = UrlFilter {
                    search: Some(search).filter(|search| !search.is_empty()),
                    ..UrlFilter::default()
                };
                let first = PageRequest {
                    limit: SHOWN,
                    after: None,
                    list: ListKey::new("console.indexing", here.id().0),
                };
                let page = parts.search.urls.list(access, &filter, &first).await?;
                let items = page.items.into_iter().map(|known| Item {
                    id: known.id.0,
                    url: known.url,
                    label: None,
                    state: index_urls::state(known.newest.map(|(_, inspection)| inspection.verdict)),
                });
                items.collect()
            }
            Self::Sitemaps => {
                let files = parts.crawl.sitemaps.files(access, None).await?;
                let items = files.into_iter().map(|file| Item {
                    id: file.id,
                    url: file.url,
                    label: None,
                    state: of_fetch(file.status.is_failure(), file.status.name()),
                });
                items.collect()
            }
        })
    }
}

fn of_report(status: TargetStatus) -> Markup {
    match status {
        TargetStatus::Active => mark::state(Tone::Good, "In the report"),
        TargetStatus::NoData => mark::state(Tone::Calm, "Not in the report"),
        TargetStatus::Paused => mark::state(Tone::Calm, "Held back"),
        TargetStatus::Error => mark::state(Tone::Warn, "The last request failed"),
    }
}

fn of_fetch(is_failure: bool, name: &str) -> Markup {
    let tone = if is_failure { Tone::Bad } else { Tone::Calm };
    mark::state(tone, &name.replace('_', " "))
}

/// GET /console/domains/{domain_id}/{module}/watched
pub(crate) async fn show(
    request: HttpRequest,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let (id, module) = path.into_inner();
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    let list = List::at(&here, &module)?;
    let query = request.query_string();
    page(
        &console,
        &here,
        list,
        query,
        &Typed::default(),
        &Faults::default(),
    )
    .await
}

/// POST /console/domains/{domain_id}/{module}/watched: something is put on the list, or taken out.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let (id, module) = path.into_inner();
    let here = console.at_domain(&request, &id, CHANGERS).await?;
    here.user.check(&sent, &console)?;
    let list = List::at(&here, &module)?;
    let typed = Typed {
        url: sent.one("url").trim().to_owned(),
        label: sent.one("label").trim().to_owned(),
        urls: sent.one(URLS).to_owned(),
    };
    let outcome = match sent.one("do") {
        "add" => {
            here.writable()?;
            told(list, add(&console, &here, list, &typed).await)?
        }
        // Whose subscription has ended may still end what they have.
        "remove" => {
            let item: Uuid = sent.one("item").parse().map_err(|_| Refusal::NoForm)?;
            let removed = remove(&console, &here, list, item).await;
            if removed.as_ref().is_ok_and(|was_there| !was_there) {
                return Err(Refusal::NoPage);
            }
            judged(removed.map_err(ChangeError::from))?
        }
        _ => return Err(Refusal::NoForm),
    };
    if let Changed::Faulty(faults) = outcome {
        return page(&console, &here, list, "", &typed, &faults).await;
    }
    for module in [list.module(), Module::Platform] {
        console.parts.answers.outdated(here.id(), module).await;
    }
    let done = if sent.one("do") == "add" {
        "added"
    } else {
        "removed"
    };
    Ok(go(&format!("{}?{done}", list.path(&here))))
}

/// The outcome of putting something on a list.
fn told(list: List, added: Result<(), ChangeError>) -> Result<Changed, Refusal> {
    let mut faults = Faults::default();
    match added {
        Err(ChangeError::Faults(found)) => tell("", found, &mut faults),
        Err(ChangeError::Quota(full)) => {
            let field = if list == List::Index { URLS } else { "url" };
            let why = format!(
                "The plan has no room for more ({} of {} are used): take one out first.",
                full.used, full.limit
            );
            faults.add(field, why);
        }
        added => return judged(added),
    }
    Ok(Changed::Faulty(faults))
}

fn noting(console: &Console, here: &AtDomain, list: List, details: Value) -> Charged<DomainAccess> {
    changed(console, here, list.module(), details)
}

/// The one fault of a member.
fn fault(member: &str, why: impl Into<String>) -> ChangeError {
    ChangeError::Faults(vec![SettingFault::new(format!("/{member}"), why)])
}

/// Puts on the list what was typed, by the rules of the API.
async fn add(console: &Console, here: &AtDomain, list: List, typed: &Typed) -> Result<(), ChangeError> {
    let (parts, access) = (&console.parts, &here.access);
    let (hostname, now) = (&access.domain().hostname, parts.clock.now());
    match list {
        List::FieldData => {
            let mut judge = Judge::default();
            let url = field_data::page("url", &typed.url, hostname, &mut judge);
            let label = Some(typed.label.as_str()).filter(|label| !label.is_empty());
            let label = field_data::label(label, &mut judge);
            let page = judge.or(|| NewTarget {
                url: url.unwrap_or_default(),
                label,
            });
            let page = page.map_err(ChangeError::Faults)?;
            let store = &parts.collection.field_data;
            if store.origin(access).await?.is_none() {
                let why = "Nothing is collected of the site yet: whoever runs this Pharos gives it a key of the report first.";
                return Err(fault("url", why));
            }
            let noted = noting(console, here, list, json!({ "url": page.url }));
            store.follow(&noted, &page, now).await?;
        }
        List::Index => {
            let Some(site_url) = parts
                .search
                .urls
                .site(access)
                .await?
                .and_then(|site| site.site_url)
            else {
                return Err(fault(URLS, "Connect Search Console first: it inspects them."));
            };
            let lines = index_urls::lines(&typed.urls);
            if lines.is_empty() || lines.len() > MOST_AT_ONCE {
                return Err(fault(URLS, format!("1 to {MOST_AT_ONCE} URLs, one a line.")));
            }
            let mut judge = Judge::default();
            let urls = index::urls(URLS, &lines, &site_url, &mut judge);
            let urls = judge.or(|| urls).map_err(ChangeError::Faults)?;
            let noted = noting(console, here, list, json!({ "urls": urls.len() }));
            parts.search.urls.add(&noted, &urls, now).await?;
        }
        List::Sitemaps => {
            let site = parts.crawl.addresses.of(&[here.id()]).await?.remove(&here.id());
            let url = watched(&typed.url, hostname, site.as_deref()).map_err(|why| fault("url", why))?;
            let noted = noting(console, here, list, json!({ "url": url.as_str() }));
            if parts.crawl.sitemaps.add(&noted, &url, now).await?.is_none() {
                let why = "As many files are watched as can be: take one out first.";
                return Err(fault("url", why));
            }
        }
    }
    Ok(())
}

/// Takes something out. `false`: it is not on the list.
async fn remove(console: &Console, here: &AtDomain, list: List, item: Uuid) -> Result<bool, SettleError> {
    let parts = &console.parts;
    let now = parts.clock.now();
    let noted = noting(console, here, list, json!({ "id": item, "deleted": true }));
    match list {
        List::FieldData => {
            let store = &parts.collection.field_data;
            store.unfollow(&noted, CruxUrlId(item), now).await
        }
        List::Index => parts.search.urls.remove(&noted, IndexingUrlId(item), now).await,
        List::Sitemaps => parts.crawl.sitemaps.stop(&noted, item, now).await,
    }
}

async fn page(
    console: &Console,
    here: &AtDomain,
    list: List,
    query: &str,
    typed: &Typed,
    faults: &Faults,
) -> Result<HttpResponse, Refusal> {
    let search = in_query(query, "q").unwrap_or_default();
    // PostgreSQL's texts have no NUL, and addresses have nothing that is unseen.
    let search: String = one_line(&search).chars().take(200).collect();
    let (domain, items) = tokio::try_join!(named(console, here), list.items(console, here, &search))?;
    let part = Part::of(&items, query);
    let may_change = here.role() >= CHANGERS;
    let path = list.path(here);
    let mut columns = vec![Column::text("Address"), Column::text("Stands")];
    if may_change {
        columns.push(Column::text("Change"));
    }
    let table = Table {
        caption: list.title(),
        columns: &columns,
        rows: part
            .items
            .iter()
            .map(|item| row(here, &path, item, may_change))
            .collect(),
    };
    let content = html! {
        @match query {
            "added" => (notice::done("It is on the list.")),
            "removed" => (notice::done("It was taken out.")),
            _ => {}
        }
        h2 { (list.title()) }
        p { (list.meaning()) }
        @if list == List::Index { (find(&path, &search)) }
        (table.show(&notice::empty("Nothing is on this list", &html! {})))
        (part.pages(&path))
        @if list == List::Index && items.len() == SHOWN { p.note { "The first " (SHOWN) ". Find others by a part of their address." } }
        @if may_change && here.writable().is_ok() {
            (faults.summary())
            (form(here, list, &path, typed, faults))
        }
    };
    Ok(frame(here, &domain.title, list.module().as_str())
        .part(list.title())
        .status(faults.status())
        .with(&content))
}

fn find(path: &str, search: &str) -> Markup {
    html! {
        div.range {
            form method="get" action=(path) role="search" {
                label for="q" { "Find" }
                input id="q" name="q" type="search" value=(search) maxlength="200" autocomplete="off";
                button.quiet type="submit" { "Find" }
            }
        }
    }
}

fn row(here: &AtDomain, path: &str, item: &Item, may_change: bool) -> Vec<Markup> {
    let url = shown(&item.url);
    let mut row = vec![
        html! {
            @if let Some(label) = &item.label { bdi { (shown(label)) } " " span.note { bdi { (url) } } }
            @else { bdi { (url) } }
        },
        item.state.clone(),
    ];
    if may_change {
        row.push(html! {
            form method="post" action=(path) {
                (here.user.token_field())
                input type="hidden" name="do" value="remove";
                input type="hidden" name="item" value=(item.id);
                div.actions { button.quiet type="submit" aria-label={ "Take out " (url) } { "Take out" } }
            }
        });
    }
    row
}

fn form(here: &AtDomain, list: List, path: &str, typed: &Typed, faults: &Faults) -> Markup {
    html! {
        form.card method="post" action=(path) {
            (here.user.token_field())
            input type="hidden" name="do" value="add";
            @match list {
                List::FieldData => {
                    (Field::new("url", "Page", &typed.url).max(2_000).faults(faults)
                        .hint("On the domain or below it, with http:// or https://.").line())
                    (Field::new("label", "Name", &typed.label).optional().max(100).faults(faults).line())
                }
                List::Index => {
                    (index_urls::field(&typed.urls, faults, 4))
                }
                List::Sitemaps => {
                    (Field::new("url", "Sitemap", &typed.url).max(2_048).faults(faults)
                        .hint("On the domain or below it. Of an index, the files that it names follow.").line())
                }
            }
            div.actions { button type="submit" { "Add" } }
        }
    }
}
