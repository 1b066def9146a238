//! Notifications of a workspace, and which of them the user has read.

use std::slice;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_alerting::{
    notification::{MOST_COUNTED, Notification, NotificationFilter, ReadAll},
    store::Reach,
};
use pharos_domain::{
    credits::SettleError,
    ids::NotificationId,
    module::Module,
    page::{ListKey, PageRequest},
    role::Role,
};
use serde_json::json;

use crate::{
    console::Console,
    domain::{alerts::severity, named},
    enter::{AtDomain, InWorkspace, MARKERS},
    form::{Form, after},
    nav::{NOTIFICATIONS, domain_path, workspace_path},
    page::{Page, go, moment},
    parts::{
        notice,
        table::{Column, Pages, Table},
    },
    query::in_query,
    refusal::Refusal,
    shown::shown,
};

/// How many a page has.
const A_PAGE: usize = 50;

/// The notifications that are requested.
struct Asked {
    /// Those about one domain.
    domain: Option<AtDomain>,
    unread: bool,
}

impl Asked {
    async fn of(console: &Console, request: &HttpRequest, here: &InWorkspace) -> Result<Self, Refusal> {
        let query = request.query_string();
        let domain = match in_query(query, "domain") {
            Some(id) => Some(of_domain(console, request, here, &id, Role::Viewer).await?),
            None => None,
        };
        Ok(Self {
            domain,
            unread: in_query(query, "show").as_deref() == Some("unread"),
        })
    }

    /// Their address, all or those alone that are unread, from a cursor on.
    fn address(&self, here: &InWorkspace, unread: bool, cursor: Option<&str>) -> String {
        let domain = self.domain.as_ref().map(|at| at.id().to_string());
        let pairs = [
            ("domain", domain.as_deref()),
            ("show", unread.then_some("unread")),
            ("cursor", cursor),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in pairs {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        let (path, query) = (workspace_path(here.id(), NOTIFICATIONS), query.finish());
        if query.is_empty() {
            path
        } else {
            format!("{path}?{query}")
        }
    }

    fn list(&self, here: &InWorkspace) -> ListKey {
        let domain = self.domain.as_ref().map(|at| at.id().to_string());
        ListKey::new("console-notifications", here.id().0)
            .by("domain", domain.as_deref().unwrap_or_default())
            .by("unread", if self.unread { "true" } else { "" })
    }
}

/// A domain of the workspace.
async fn of_domain(
    console: &Console,
    request: &HttpRequest,
    here: &InWorkspace,
    id: &str,
    least: Role,
) -> Result<AtDomain, Refusal> {
    let at = console.at_domain(request, id, least).await?;
    if at.workspace() == here.id() {
        Ok(at)
    } else {
        Err(Refusal::NoPage)
    }
}

fn has_module(here: &InWorkspace) -> bool {
    here.access.workspace().has_module(Module::Notifications)
}

fn frame(here: &InWorkspace) -> Page<'_> {
    Page::new("Notifications", Some(here.user.owner()))
        .at(here.place(NOTIFICATIONS))
        .wide()
}

/// GET /console/w/{workspace_id}/notifications?domain=…&show=unread&cursor=…
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Viewer).await?;
    if !has_module(&here) {
        return Ok(frame(&here).with(&notice::not_in_plan("notifications")));
    }
    let asked = Asked::of(&console, &request, &here).await?;
    let list = asked.list(&here);
    let wanted = PageRequest {
        limit: A_PAGE,
        after: after(request.query_string(), &list)?,
        list,
    };
    let filter = NotificationFilter {
        unread: asked.unread.then_some(true),
        ..NotificationFilter::default()
    };
    let reach = match &asked.domain {
        Some(at) => Reach::Domain(&at.access),
        None => Reach::Workspaces(slice::from_ref(&here.access)),
    };
    let (notifications, reader) = (&console.parts.notifications, here.user.session.user);
    let found = notifications.list(reach, &filter, reader, &wanted).await?;
    let of = match &asked.domain {
        Some(at) => Some(named(&console, at).await?.title),
        None => None,
    };
    let is_first = wanted.after.is_none();
    let may_mark = here.role() >= MARKERS && here.writable().is_ok();
    let items = &found.page.items;
    let content = html! {
        p {
            @match found.unread_total {
                0 => { "All of them are read." }
                unread => { @if unread >= u64::from(MOST_COUNTED) { "At least " } (unread) " of them unread." }
            }
            @if let Some(of) = &of { " They are about " bdi { (of) } "; " a href=(workspace_path(here.id(), NOTIFICATIONS)) { "those about all domains" } "." }
        }
        (choice(&here, &asked))
        @if may_mark {
            @match &asked.domain {
                Some(at) => { @if found.unread_total > 0 { (all_form(&here, Some(at))) } }
                None => { @if items.iter().any(is_unread_of_workspace) { (all_form(&here, None)) } }
            }
        }
        (table(&here, items, may_mark))
        @if !is_first || found.page.has_more {
            (Pages {
                shown: "The newest first",
                before: (!is_first).then(|| asked.address(&here, asked.unread, None)),
                after: found.page.next_cursor.as_deref().map(|cursor| asked.address(&here, asked.unread, Some(cursor))),
            }.show())
        }
    };
    Ok(frame(&here).with(&content))
}

/// The ways to all of them, and to those that are unread.
fn choice(here: &InWorkspace, asked: &Asked) -> Markup {
    let address = asked.address(here, !asked.unread, None);
    html! {
        p { a href=(address) { @if asked.unread { "Those that are read, too" } @else { "Only those that are unread" } } }
    }
}

fn is_unread_of_workspace(item: &Notification) -> bool {
    item.domain.is_none() && item.read_at.is_none()
}

/// The form that marks all about a domain, or all about the workspace alone.
fn all_form(here: &InWorkspace, at: Option<&AtDomain>) -> Markup {
    html! {
        form method="post" action=(workspace_path(here.id(), NOTIFICATIONS)) {
            (here.user.token_field())
            input type="hidden" name="do" value="all";
            @if let Some(at) = at { input type="hidden" name="domain" value=(at.id()); }
            div.actions {
                button.quiet type="submit" {
                    @if at.is_some() { "Mark all as read" } @else { "Mark those about the workspace as read" }
                }
            }
        }
    }
}

fn table(here: &InWorkspace, items: &[Notification], may_mark: bool) -> Markup {
    let mut columns = vec![
        Column::text("What"),
        Column::text("Severity"),
        Column::text("About"),
        Column::text("When"),
        Column::text("Read"),
    ];
    if may_mark {
        columns.push(Column::text("Change"));
    }
    let table = Table {
        caption: "Notifications",
        columns: &columns,
        rows: items.iter().map(|item| row(here, item, may_mark)).collect(),
    };
    table.show(&notice::empty(
        "Nothing here",
        &html! { p { "Alerts, reports, runs that are over and limits that come near are told here." } },
    ))
}

fn row(here: &InWorkspace, item: &Notification, may_mark: bool) -> Vec<Markup> {
    let path = workspace_path(here.id(), NOTIFICATIONS);
    let mut row = vec![
        html! { bdi { (shown(&item.title)) } " " bdi.note { (shown(&item.body)) } },
        severity(item.severity),
        html! {
            @match &item.domain {
                Some((id, name)) => {
                    a href=(domain_path(id, "")) { bdi { (shown(name)) } }
                    " " a.note href={ (path) "?domain=" (id) } aria-label={ "All notifications about " (shown(name)) } { "All" }
                }
                None => { "the workspace" }
            }
        },
        moment(item.created_at),
        html! { @match item.read_at { Some(at) => (moment(at)), None => "unread" } },
    ];
    if may_mark {
        row.push(html! {
            form method="post" action=(path) {
                (here.user.token_field())
                @if let Some((id, _)) = &item.domain { input type="hidden" name="domain" value=(id); }
                input type="hidden" name="notification" value=(item.id);
                div.actions {
                    @if item.read_at.is_none() {
                        button.quiet type="submit" name="do" value="read" aria-label={ "Mark as read: " (shown(&item.title)) } { "Mark as read" }
                    } @else {
                        button.quiet type="submit" name="do" value="unread" aria-label={ "Mark as unread: " (shown(&item.title)) } { "Mark as unread" }
                    }
                }
            }
        });
    }
    row
}

/// POST /console/w/{workspace_id}/notifications: one is marked as read or as unread, or all about a domain, or about
/// the workspace alone, as read.
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let here = console.in_workspace(&request, &id, MARKERS).await?;
    here.user.check(&sent, &console)?;
    if !has_module(&here) {
        return Err(Refusal::NoPage);
    }
    here.writable()?;
    // The API has no operation for those, so nobody else would ever mark them.
    if sent.one("domain").is_empty() {
        return of_workspace(&console, &here, &sent).await;
    }
    let at = of_domain(&console, &request, &here, sent.one("domain"), MARKERS).await?;
    let (notifications, now) = (&console.parts.notifications, console.parts.clock.now());
    let path = workspace_path(here.id(), NOTIFICATIONS);
    let next = match sent.one("do") {
        step @ ("read" | "unread") => {
            let id: NotificationId = sent.one("notification").parse().map_err(|_| Refusal::NoForm)?;
            let is_read = step == "read";
            let noted = at.noting(
                &console,
                "notification.read",
                id.to_string(),
                json!({ "read": is_read }),
            );
            let marked = notifications.mark(&noted, id, is_read, now).await;
            marked.map_err(refused)?.ok_or(Refusal::NoPage)?;
            path
        }
        "all" => {
            let noted = at.noting(
                &console,
                "notification.read",
                at.id().to_string(),
                json!({ "all": true }),
            );
            let marked = notifications.mark_all(&noted, &ReadAll::default(), now).await;
            marked.map_err(refused)?;
            format!("{path}?domain={}", at.id())
        }
        _ => return Err(Refusal::NoForm),
    };
    let answers = &console.parts.answers;
    answers.outdated(at.id(), Module::Notifications).await;
    Ok(go(&next))
}

/// Marks one about the workspace alone, or all of those as read.
async fn of_workspace(console: &Console, here: &InWorkspace, sent: &Form) -> Result<HttpResponse, Refusal> {
    let (notifications, now) = (&console.parts.notifications, console.parts.clock.now());
    let action = "notification.read";
    match sent.one("do") {
        step @ ("read" | "unread") => {
            let id: NotificationId = sent.one("notification").parse().map_err(|_| Refusal::NoForm)?;
            let is_read = step == "read";
            let noted = here.noting(console, action, id.to_string(), json!({ "read": is_read }));
            let marked = notifications.mark_of_workspace(&noted, id, is_read, now).await;
            if !marked.map_err(refused)? {
                return Err(Refusal::NoPage);
            }
        }
        "all" => {
            let noted = here.noting(console, action, here.id().to_string(), json!({ "all": true }));
            let marked = notifications.mark_all_of_workspace(&noted, now).await;
            marked.map_err(refused)?;
        }
        _ => return Err(Refusal::NoForm),
    }
    Ok(go(&workspace_path(here.id(), NOTIFICATIONS)))
}

fn refused(error: SettleError) -> Refusal {
    match error {
        SettleError::Store(error) => error.into(),
        // Nobody pays here, and no key is asked for.
        _ => Refusal::Internal,
    }
}
