//! Status pages of a workspace: everybody of it sees which there are, owners and admins change them.

pub(crate) mod change;
pub(crate) mod create;
mod fields;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_domain::role::Role;
use pharos_uptime::status_page::STATUS_DAYS;

use crate::{
    console::Console,
    enter::InWorkspace,
    nav::workspace_path,
    page::{Page, moment},
    parts::{
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// Who may change them.
const CHANGERS: Role = Role::Admin;

/// GET /console/w/{workspace_id}/status-pages
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.in_workspace(&request, &id, Role::Viewer).await?;
    let pages = console.parts.monitors.status_pages.list(&here.access).await?;
    let may_change = here.role() >= CHANGERS;
    let own = |id: &str| workspace_path(here.id(), &format!("status-pages/{id}"));
    let public = |slug: &str| format!("/status/{slug}");
    let table = Table {
        caption: "Status pages",
        columns: &[
            Column::text("Title"),
            Column::text("Address"),
            Column::figure("Sites"),
            Column::text("Made").spare(),
        ],
        rows: pages
            .iter()
            .map(|page| {
                let slug = page.settings.slug.as_str();
                let title = shown(&page.settings.title);
                vec![
                    html! {
                        @if may_change { a href=(own(&page.id.to_string())) { bdi { (title) } } } @else { bdi { (title) } }
                    },
                    html! { a href=(public(slug)) { (public(slug)) } },
                    html! { (page.settings.domains.len()) },
                    moment(page.created_at),
                ]
            })
            .collect(),
    };
    let add = html! { a.button href=(own("new")) { "Add a status page" } };
    let empty = notice::empty(
        "No status page yet",
        &html! {
            p { "A status page shows everybody how chosen sites of yours stand: their state, " (STATUS_DAYS) " days, and incidents. It needs no sign-in." }
            @if may_change { div.actions { (add) } } @else { p { "Owners and admins of the workspace add them." } }
        },
    );
    let content = html! {
        @match request.query_string() {
            "made" => (notice::done("The status page is there.")),
            "changed" => (notice::done("The status page was changed. Its visitors see it within a minute.")),
            "deleted" => (notice::done("The status page was deleted. Its visitors find it for a minute more at most.")),
            _ => {}
        }
        (table.show(&empty))
    };
    let page = frame(&here, "Status pages");
    let page = if may_change && !pages.is_empty() {
        page.actions(add)
    } else {
        page
    };
    Ok(page.with(&content))
}

fn frame<'a>(here: &'a InWorkspace, title: &'a str) -> Page<'a> {
    Page::new(title, Some(here.user.owner()))
        .at(here.place("status-pages"))
        .wide()
}

/// The frame of a form, below the list.
fn form_frame<'a>(here: &'a InWorkspace, title: &'a str) -> Page<'a> {
    Page::new(title, Some(here.user.owner()))
        .at(here.place("status-pages"))
        .below(workspace_path(here.id(), "status-pages"), "Status pages")
}

/// The form around the fields.
fn form(here: &InWorkspace, action: &str, fields: &Markup, button: &str) -> Markup {
    html! {
        form.card method="post" action=(action) {
            (here.user.token_field())
            (fields)
            div.actions {
                button type="submit" { (button) }
                a.button.quiet href=(workspace_path(here.id(), "status-pages")) { "Back" }
            }
        }
    }
}
