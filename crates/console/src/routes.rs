//! Where the pages are mounted, in one list, which tests walk too.

use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Responder, Route, Scope, guard, web};

use crate::{
    account, apps, assets, audit, channels, consent, console::Console, credits, domain, jobs, keys, members,
    nav::workspace_path, notifications, overview, page, public_status, refusal::Refusal, refusals, reports,
    sign_in, status_pages, switches, unsubscribe, welcome, workspaces,
};

impl Console {
    /// Mounts the pages.
    pub fn configure(&self, config: &mut web::ServiceConfig) {
        for mount in [console(), status()] {
            let scope = mount.scope.app_data(web::Data::new(self.clone()));
            config.service(scope.default_service(web::to(nothing)));
        }
    }
}

/// A page, or where a form goes, as it is mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MountedRoute {
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Its path, with the names of its parameters in braces.
    pub path: String,
    /// Whether HEAD gets the headers of its page.
    pub answers_head: bool,
}

/// Everything that is mounted.
#[must_use]
pub fn mounted() -> Vec<MountedRoute> {
    let mut routes = console().routes;
    routes.extend(status().routes);
    routes
}

/// Pages below a path, with the list of them.
struct Mount {
    below: &'static str,
    scope: Scope,
    routes: Vec<MountedRoute>,
}

impl Mount {
    fn below(below: &'static str) -> Self {
        Self {
            below,
            scope: web::scope(below),
            routes: Vec::new(),
        }
    }

    /// A page: GET, and HEAD, which gets its headers.
    fn page<F, Args>(self, path: &str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let read = web::route().guard(guard::Any(guard::Get()).or(guard::Head()));
        self.with("GET", path, true, read.to(handler))
    }

    /// A page that uses up what it is asked with, so that no HEAD may come before the GET.
    fn once<F, Args>(self, path: &str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.with("GET", path, false, web::get().to(handler))
    }

    /// Where a form goes.
    fn form<F, Args>(self, path: &str, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        self.with("POST", path, false, web::post().to(handler))
    }

    fn with(self, method: &'static str, path: &str, answers_head: bool, route: Route) -> Self {
        let Self {
            below,
            scope,
            mut routes,
        } = self;
        routes.push(MountedRoute {
            method,
            path: format!("{below}{path}"),
            answers_head,
        });
        Self {
            below,
            scope: scope.route(path, route),
            routes,
        }
    }
}

fn console() -> Mount {
    Mount::below("/console")
        .page("", begin)
        .page("/", begin)
        .page(assets::STYLE_ROUTE, assets::style)
        .page(assets::SCRIPT_ROUTE, assets::script)
        .page("/sign-in", sign_in::show)
        .form("/sign-in", sign_in::submit)
        .page("/sign-in/code", sign_in::code::show)
        .form("/sign-in/code", sign_in::code::submit)
        .form("/sign-out", sign_in::leave)
        .page("/forgotten", sign_in::forgotten::show)
        .form("/forgotten", sign_in::forgotten::submit)
        .page("/welcome/{token}", welcome::show)
        .form("/welcome/{token}", welcome::submit)
        .page("/consent", consent::show)
        .form("/consent", consent::submit)
        .page("/apps", apps::show)
        .page("/apps/revoke", apps::revoke::ask)
        .form("/apps/revoke", apps::revoke::submit)
        .page("/channels", channels::show)
        .page("/channels/new", channels::create::ask)
        .form("/channels/new", channels::create::submit)
        .page("/channels/{id}", channels::one::show)
        .form("/channels/{id}", channels::one::submit)
        .page("/channels/{id}/edit", channels::edit::ask)
        .form("/channels/{id}/edit", channels::edit::submit)
        .page("/w/{workspace_id}", overview::show)
        .page("/w/{workspace_id}/notifications", notifications::show)
        .form("/w/{workspace_id}/notifications", notifications::submit)
        .page("/w/{workspace_id}/domains/new", domain::add::ask)
        .form("/w/{workspace_id}/domains/new", domain::add::submit)
        .page("/w/{workspace_id}/domains/deleted", domain::deleted::show)
        .form("/w/{workspace_id}/domains/deleted", domain::deleted::submit)
        .page("/w/{workspace_id}/status-pages", status_pages::show)
        .page("/w/{workspace_id}/status-pages/new", status_pages::create::ask)
        .form("/w/{workspace_id}/status-pages/new", status_pages::create::submit)
        .page(
            "/w/{workspace_id}/status-pages/{page_id}",
            status_pages::change::ask,
        )
        .form(
            "/w/{workspace_id}/status-pages/{page_id}",
            status_pages::change::submit,
        )
        .form(
            "/w/{workspace_id}/status-pages/{page_id}/delete",
            status_pages::change::delete,
        )
        .page("/account", account::show)
        .form("/account", account::submit)
        .page("/account/second-factor", account::second_factor::show)
        .form("/account/second-factor", account::second_factor::submit)
        .page("/switches", switches::show)
        .form("/switches", switches::submit)
        .page("/workspaces/new", workspaces::ask)
        .form("/workspaces/new", workspaces::submit)
        .page("/w/{workspace_id}/credits", credits::show)
        .page("/w/{workspace_id}/refusals", refusals::show)
        .page("/w/{workspace_id}/audit", audit::show)
        .page("/w/{workspace_id}/jobs", jobs::show)
        .form("/w/{workspace_id}/jobs", jobs::submit)
        .page("/w/{workspace_id}/settings", workspaces::settings)
        .form("/w/{workspace_id}/settings", workspaces::change)
        .page("/w/{workspace_id}/members", members::show)
        .page("/w/{workspace_id}/members/new", members::add::ask)
        .form("/w/{workspace_id}/members/new", members::add::submit)
        .page("/w/{workspace_id}/members/{user_id}", members::one::show)
        .form("/w/{workspace_id}/members/{user_id}", members::one::submit)
        .page("/w/{workspace_id}/keys", keys::show)
        .page("/w/{workspace_id}/keys/new", keys::create::ask)
        .form("/w/{workspace_id}/keys/new", keys::create::submit)
        .page("/w/{workspace_id}/keys/{key_id}", keys::one::show)
        .form("/w/{workspace_id}/keys/{key_id}", keys::one::submit)
        .page("/domains/{domain_id}", domain::monitoring::show)
        .page("/domains/{domain_id}/incidents", domain::incidents::show)
        .page(
            "/domains/{domain_id}/incidents/{incident_id}",
            domain::incident::show,
        )
        .page("/domains/{domain_id}/alerts", domain::rules::show)
        .form("/domains/{domain_id}/alerts", domain::rules::submit)
        .page("/domains/{domain_id}/alerts/new", domain::rules::create::ask)
        .form("/domains/{domain_id}/alerts/new", domain::rules::create::submit)
        .page(
            "/domains/{domain_id}/alerts/{rule_id}/edit",
            domain::rules::edit::ask,
        )
        .form(
            "/domains/{domain_id}/alerts/{rule_id}/edit",
            domain::rules::edit::submit,
        )
        .page("/domains/{domain_id}/rum/errors", domain::errors::show)
        .page(
            "/domains/{domain_id}/rum/errors/{error_id}",
            domain::errors::one::show,
        )
        .page("/domains/{domain_id}/settings", domain::settings::show)
        .form("/domains/{domain_id}/settings", domain::settings::submit)
        .page("/domains/{domain_id}/reports", reports::list::show)
        .page(
            "/domains/{domain_id}/reports/runs/{run_id}",
            reports::download::download,
        )
        .page("/domains/{domain_id}/reports/new", reports::editor::ask_new)
        .form("/domains/{domain_id}/reports/new", reports::editor::submit_new)
        .form(
            "/domains/{domain_id}/reports/preview",
            reports::editor::preview::show,
        )
        .page("/domains/{domain_id}/reports/{template_id}", reports::one::show)
        .form("/domains/{domain_id}/reports/{template_id}", reports::one::submit)
        .page(
            "/domains/{domain_id}/reports/{template_id}/edit",
            reports::editor::ask,
        )
        .form(
            "/domains/{domain_id}/reports/{template_id}/edit",
            reports::editor::submit,
        )
        .form(
            "/domains/{domain_id}/reports/{template_id}/delete",
            reports::editor::delete,
        )
        .page("/reports/confirm/{token}", reports::by_link::ask)
        .form("/reports/confirm/{token}", reports::by_link::confirm)
        .page("/reports/unsubscribe/{token}", reports::by_link::ask_end)
        .form("/reports/unsubscribe/{token}", reports::by_link::end)
        .form("/domains/{domain_id}/robots", domain::crawl::try_out::submit)
        .page("/domains/{domain_id}/robots/saved", domain::crawl::saved::show)
        .form("/domains/{domain_id}/robots/saved", domain::crawl::saved::submit)
        .page(
            "/domains/{domain_id}/robots/versions/{version_id}",
            domain::crawl::version::show,
        )
        .page("/domains/{domain_id}/gsc/queries", domain::search::list::queries)
        .page(
            "/domains/{domain_id}/gsc/queries/detail",
            domain::search::detail::query,
        )
        .page("/domains/{domain_id}/gsc/pages", domain::search::list::pages)
        .page(
            "/domains/{domain_id}/gsc/pages/detail",
            domain::search::detail::page,
        )
        .page(
            "/domains/{domain_id}/indexing/findings",
            domain::search::index::show,
        )
        .page(
            "/domains/{domain_id}/gsc/opportunities",
            domain::search::opportunities::show,
        )
        .page(
            "/domains/{domain_id}/gsc/connection",
            domain::search_console::show,
        )
        .form(
            "/domains/{domain_id}/gsc/connection",
            domain::search_console::submit,
        )
        .once("/search-console/callback", domain::search_console::callback::show)
        .page(
            "/domains/{domain_id}/synthetic/figures/{metric}",
            domain::lab::course::show,
        )
        .page(
            "/domains/{domain_id}/synthetic/tests/{run_id}",
            domain::lab::one::show,
        )
        .page(
            "/domains/{domain_id}/synthetic/settings",
            domain::lab::settings::show,
        )
        .form(
            "/domains/{domain_id}/synthetic/settings",
            domain::lab::settings::submit,
        )
        .page(
            "/domains/{domain_id}/synthetic/settings/pages/new",
            domain::lab::settings::pages::ask_new,
        )
        .form(
            "/domains/{domain_id}/synthetic/settings/pages/new",
            domain::lab::settings::pages::submit_new,
        )
        .page(
            "/domains/{domain_id}/synthetic/settings/pages/{url_id}",
            domain::lab::settings::pages::ask,
        )
        .form(
            "/domains/{domain_id}/synthetic/settings/pages/{url_id}",
            domain::lab::settings::pages::submit,
        )
        .page(
            "/domains/{domain_id}/synthetic/settings/budgets/{budget_id}",
            domain::lab::settings::budgets::ask,
        )
        .form(
            "/domains/{domain_id}/synthetic/settings/budgets/{budget_id}",
            domain::lab::settings::budgets::submit,
        )
        .page(
            "/domains/{domain_id}/analytics/explore",
            domain::visits::explore::show,
        )
        .page(
            "/domains/{domain_id}/analytics/funnel",
            domain::visits::funnel::show,
        )
        .page(
            "/domains/{domain_id}/analytics/journeys",
            domain::visits::journeys::show,
        )
        .page(
            "/domains/{domain_id}/analytics/retention",
            domain::visits::retention::show,
        )
        .page(
            "/domains/{domain_id}/analytics/realtime",
            domain::visits::realtime::show,
        )
        .page(
            "/domains/{domain_id}/analytics/experiments",
            domain::experiments::show,
        )
        .form(
            "/domains/{domain_id}/analytics/experiments",
            domain::experiments::submit,
        )
        .page(
            "/domains/{domain_id}/analytics/experiments/{experiment_id}",
            domain::experiments::one::show,
        )
        .form(
            "/domains/{domain_id}/analytics/experiments/{experiment_id}",
            domain::experiments::one::submit,
        )
        .page("/domains/{domain_id}/{module}/now", domain::now::ask)
        .form("/domains/{domain_id}/{module}/now", domain::now::submit)
        .page("/domains/{domain_id}/{module}/runs/{run_id}", domain::now::show)
        .page("/domains/{domain_id}/{module}/watched", domain::watched::show)
        .form("/domains/{domain_id}/{module}/watched", domain::watched::submit)
        .page("/domains/{domain_id}/{module}", domain::module::show)
        .page("/unsubscribe/{token}", unsubscribe::ask)
        .form("/unsubscribe/{token}", unsubscribe::submit)
}

fn status() -> Mount {
    Mount::below("/status")
        .page("/{slug}", public_status::show)
        .page("/{slug}/incidents", public_status::incidents)
        .page("/{slug}/feed.xml", public_status::feed)
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
