//! Where the pages are mounted.

use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Responder, Route, guard, web};

use crate::{
    account, apps, assets, audit, channels, consent, console::Console, credits, domain, jobs, keys, members,
    nav::workspace_path, overview, page, public_status, refusal::Refusal, refusals, reports, search_console,
    sign_in, status_pages, switches, unsubscribe, welcome, workspaces,
};

impl Console {
    /// Mounts the pages.
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        let pages = web::scope("/console")
            .app_data(web::Data::new(self.clone()))
            .route("", read(begin))
            .route("/", read(begin))
            .route(assets::STYLE_ROUTE, read(assets::style))
            .route(assets::SCRIPT_ROUTE, read(assets::script))
            .route("/sign-in", read(sign_in::show))
            .route("/sign-in", web::post().to(sign_in::submit))
            .route("/sign-in/code", read(sign_in::code::show))
            .route("/sign-in/code", web::post().to(sign_in::code::submit))
            .route("/sign-out", web::post().to(sign_in::leave))
            .route("/forgotten", read(sign_in::forgotten::show))
            .route("/forgotten", web::post().to(sign_in::forgotten::submit))
            .route("/welcome/{token}", read(welcome::show))
            .route("/welcome/{token}", web::post().to(welcome::submit))
            .route("/consent", read(consent::show))
            .route("/consent", web::post().to(consent::submit))
            .route("/apps", read(apps::show))
            .route("/apps/revoke", read(apps::revoke::ask))
            .route("/apps/revoke", web::post().to(apps::revoke::submit))
            .route("/channels", read(channels::show))
            .route("/channels/new", read(channels::create::ask))
            .route("/channels/new", web::post().to(channels::create::submit))
            .route("/channels/{id}", read(channels::one::show))
            .route("/channels/{id}", web::post().to(channels::one::submit))
            .route("/channels/{id}/edit", read(channels::edit::ask))
            .route("/channels/{id}/edit", web::post().to(channels::edit::submit))
            .route("/w/{workspace_id}", read(overview::show))
            .route("/w/{workspace_id}/domains/new", read(domain::add::ask))
            .route(
                "/w/{workspace_id}/domains/new",
                web::post().to(domain::add::submit),
            )
            .route("/w/{workspace_id}/domains/deleted", read(domain::deleted::show))
            .route(
                "/w/{workspace_id}/domains/deleted",
                web::post().to(domain::deleted::submit),
            )
            .route("/w/{workspace_id}/status-pages", read(status_pages::show))
            .route(
                "/w/{workspace_id}/status-pages/new",
                read(status_pages::create::ask),
            )
            .route(
                "/w/{workspace_id}/status-pages/new",
                web::post().to(status_pages::create::submit),
            )
            .route(
                "/w/{workspace_id}/status-pages/{page_id}",
                read(status_pages::change::ask),
            )
            .route(
                "/w/{workspace_id}/status-pages/{page_id}",
                web::post().to(status_pages::change::submit),
            )
            .route(
                "/w/{workspace_id}/status-pages/{page_id}/delete",
                web::post().to(status_pages::change::delete),
            )
            .route("/account", read(account::show))
            .route("/account", web::post().to(account::submit))
            .route("/account/second-factor", read(account::second_factor::show))
            .route(
                "/account/second-factor",
                web::post().to(account::second_factor::submit),
            )
            .route("/switches", read(switches::show))
            .route("/switches", web::post().to(switches::submit))
            .route("/workspaces/new", read(workspaces::ask))
            .route("/workspaces/new", web::post().to(workspaces::submit))
            .route("/w/{workspace_id}/credits", read(credits::show))
            .route("/w/{workspace_id}/refusals", read(refusals::show))
            .route("/w/{workspace_id}/audit", read(audit::show))
            .route("/w/{workspace_id}/jobs", read(jobs::show))
            .route("/w/{workspace_id}/jobs", web::post().to(jobs::submit))
            .route("/w/{workspace_id}/settings", read(workspaces::settings))
            .route("/w/{workspace_id}/settings", web::post().to(workspaces::change))
            .route("/w/{workspace_id}/members", read(members::show))
            .route("/w/{workspace_id}/members/new", read(members::add::ask))
            .route(
                "/w/{workspace_id}/members/new",
                web::post().to(members::add::submit),
            )
            .route("/w/{workspace_id}/members/{user_id}", read(members::one::show))
            .route(
                "/w/{workspace_id}/members/{user_id}",
                web::post().to(members::one::submit),
            )
            .route("/w/{workspace_id}/keys", read(keys::show))
            .route("/w/{workspace_id}/keys/new", read(keys::create::ask))
            .route("/w/{workspace_id}/keys/new", web::post().to(keys::create::submit))
            .route("/w/{workspace_id}/keys/{key_id}", read(keys::one::show))
            .route(
                "/w/{workspace_id}/keys/{key_id}",
                web::post().to(keys::one::submit),
            )
            .route("/domains/{domain_id}", read(domain::monitoring::show))
            .route("/domains/{domain_id}/incidents", read(domain::incidents::show))
            .route(
                "/domains/{domain_id}/incidents/{incident_id}",
                read(domain::incident::show),
            )
            .route("/domains/{domain_id}/alerts", read(domain::rules::show))
            .route(
                "/domains/{domain_id}/alerts",
                web::post().to(domain::rules::submit),
            )
            .route(
                "/domains/{domain_id}/alerts/new",
                read(domain::rules::create::ask),
            )
            .route(
                "/domains/{domain_id}/alerts/new",
                web::post().to(domain::rules::create::submit),
            )
            .route(
                "/domains/{domain_id}/alerts/{rule_id}/edit",
                read(domain::rules::edit::ask),
            )
            .route(
                "/domains/{domain_id}/alerts/{rule_id}/edit",
                web::post().to(domain::rules::edit::submit),
            )
            .route("/domains/{domain_id}/rum/errors", read(domain::errors::show))
            .route(
                "/domains/{domain_id}/rum/errors/{error_id}",
                read(domain::errors::one::show),
            )
            .route("/domains/{domain_id}/settings", read(domain::settings::show))
            .route(
                "/domains/{domain_id}/settings",
                web::post().to(domain::settings::submit),
            )
            .route("/domains/{domain_id}/reports", read(reports::list::show))
            .route(
                "/domains/{domain_id}/reports/runs/{run_id}",
                read(reports::download::download),
            )
            .route("/domains/{domain_id}/reports/new", read(reports::editor::ask_new))
            .route(
                "/domains/{domain_id}/reports/new",
                web::post().to(reports::editor::submit_new),
            )
            .route(
                "/domains/{domain_id}/reports/preview",
                web::post().to(reports::editor::preview::show),
            )
            .route(
                "/domains/{domain_id}/reports/{template_id}",
                read(reports::one::show),
            )
            .route(
                "/domains/{domain_id}/reports/{template_id}",
                web::post().to(reports::one::submit),
            )
            .route(
                "/domains/{domain_id}/reports/{template_id}/edit",
                read(reports::editor::ask),
            )
            .route(
                "/domains/{domain_id}/reports/{template_id}/edit",
                web::post().to(reports::editor::submit),
            )
            .route(
                "/domains/{domain_id}/reports/{template_id}/delete",
                web::post().to(reports::editor::delete),
            )
            .route("/reports/confirm/{token}", read(reports::by_link::ask))
            .route(
                "/reports/confirm/{token}",
                web::post().to(reports::by_link::confirm),
            )
            .route("/reports/unsubscribe/{token}", read(reports::by_link::ask_end))
            .route(
                "/reports/unsubscribe/{token}",
                web::post().to(reports::by_link::end),
            )
            .route(
                "/domains/{domain_id}/robots",
                web::post().to(domain::crawl::try_out::submit),
            )
            .route("/domains/{domain_id}/gsc/connection", read(search_console::show))
            .route(
                "/domains/{domain_id}/gsc/connection",
                web::post().to(search_console::submit),
            )
            .route(
                "/search-console/callback",
                web::get().to(search_console::callback::show),
            )
            .route(
                "/domains/{domain_id}/synthetic/figures/{metric}",
                read(domain::lab::course::show),
            )
            .route(
                "/domains/{domain_id}/synthetic/tests/{run_id}",
                read(domain::lab::one::show),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings",
                read(domain::lab::settings::show),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings",
                web::post().to(domain::lab::settings::submit),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings/pages/new",
                read(domain::lab::settings::pages::ask_new),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings/pages/new",
                web::post().to(domain::lab::settings::pages::submit_new),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings/pages/{url_id}",
                read(domain::lab::settings::pages::ask),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings/pages/{url_id}",
                web::post().to(domain::lab::settings::pages::submit),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings/budgets/{budget_id}",
                read(domain::lab::settings::budgets::ask),
            )
            .route(
                "/domains/{domain_id}/synthetic/settings/budgets/{budget_id}",
                web::post().to(domain::lab::settings::budgets::submit),
            )
            .route("/domains/{domain_id}/{module}", read(domain::module::show))
            .route("/unsubscribe/{token}", read(unsubscribe::ask))
            .route("/unsubscribe/{token}", web::post().to(unsubscribe::submit))
            .default_service(web::to(nothing));
        let status = web::scope("/status")
            .app_data(web::Data::new(self.clone()))
            .route("/{slug}", read(public_status::show))
            .route("/{slug}/feed.xml", read(public_status::feed))
            .default_service(web::to(nothing));
        config.service(pages).service(status);
    }
}

/// A page: GET, and HEAD, which gets its headers.
fn read<F, Args>(handler: F) -> Route
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    web::route()
        .guard(guard::Any(guard::Get()).or(guard::Head()))
        .to(handler)
}

/// The oldest workspace of the user; who has none makes one.
async fn begin(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let user = console.user(&request).await?;
    let workspaces = console.parts.grants.workspaces(user.session.user).await?;
    Ok(match workspaces.first() {
        Some(first) => page::go(&workspace_path(first.id, "")),
        None => page::go("/console/workspaces/new"),
    })
}

async fn nothing() -> Result<HttpResponse, Refusal> {
    Err(Refusal::NoPage)
}
