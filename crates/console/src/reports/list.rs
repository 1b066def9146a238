//! The reports of a domain.

use actix_web::{HttpRequest, HttpResponse, web};
use maud::html;
use pharos_domain::{module::Module, role::Role};
use pharos_reporting::store::RunFilter;

use super::{EDITORS, made, when};
use crate::{
    console::Console,
    domain::{frame, named},
    nav::domain_path,
    page::moment,
    parts::{
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
};

/// GET /console/domains/{domain_id}/reports
pub(crate) async fn show(
    request: HttpRequest,
    id: web::Path<String>,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let here = console.at_domain(&request, &id, Role::Viewer).await?;
    let domain = named(&console, &here).await?;
    let page = frame(&here, &domain.title, "reports");
    if !here.has(Module::Reports) {
        let content = notice::not_in_plan("reports");
        return Ok(page.with(&content));
    }
    let reports = &console.parts.reports;
    let (templates, runs) = tokio::try_join!(
        async { Ok::<_, Refusal>(reports.templates.list(&here.access).await?) },
        made::table(&console, &here, RunFilter::default()),
    )?;
    let table = Table {
        caption: "Reports",
        columns: &[
            Column::text("Name"),
            Column::text("Made"),
            Column::figure("Recipients"),
            Column::text("Last made").spare(),
        ],
        rows: templates
            .iter()
            .map(|template| {
                let settings = &template.settings;
                let path = domain_path(here.id(), &format!("reports/{}", template.id));
                vec![
                    html! { a href=(path) { bdi { (shown(&settings.name)) } } },
                    html! { (when(settings.schedule.as_ref())) },
                    html! { (template.recipients) },
                    html! { @match template.last_run_at { Some(at) => (moment(at)), None => span.none { "never" } } },
                ]
            })
            .collect(),
    };
    let may_edit = here.role() >= EDITORS;
    let add = html! { a.button href=(domain_path(here.id(), "reports/new")) { "Add a report" } };
    let empty = notice::empty(
        "No report yet",
        &html! {
            p { "A report puts the figures of this domain on pages, and can go to people by mail." }
            @if may_edit { div.actions { (add) } } @else { p { "Members of the workspace add them." } }
        },
    );
    let content = html! {
        @if request.query_string() == "deleted" {
            (notice::done("The report was deleted. What was made of it stays for as long as it is kept."))
        }
        (table.show(&empty))
        // What was made of a report that was deleted is kept, too.
        @if !templates.is_empty() || runs.is_some() { (made::section(runs)) }
    };
    let page = if may_edit && !templates.is_empty() {
        page.actions(add)
    } else {
        page
    };
    Ok(page.with(&content))
}
