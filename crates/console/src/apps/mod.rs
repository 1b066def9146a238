//! Connected apps.

mod card;
pub(crate) mod revoke;
mod target;

use actix_web::{HttpRequest, HttpResponse, web};
use maud::{Markup, html};
use pharos_auth::oauth::store::ConnectedApp;
use pharos_domain::ids::ClientId;

use crate::{consent::words, console::Console, page::Page, parts::table::Part, refusal::Refusal};

/// How many grants a page has: each names all that it allows.
const ON_A_PAGE: usize = 20;

/// The grants of one app, at least one, the newest first.
struct App<'a> {
    newest: &'a ConnectedApp,
    grants: Vec<&'a ConnectedApp>,
}

impl<'a> App<'a> {
    /// The apps that have these grants, the newest first, as the grants are. Apps of the same name are not the same: anybody
    /// may take a name.
    fn all(grants: &'a [ConnectedApp]) -> Vec<Self> {
        let mut apps: Vec<Self> = Vec::new();
        for grant in grants {
            match apps.iter_mut().find(|app| app.client() == grant.client) {
                Some(app) => app.grants.push(grant),
                None => apps.push(Self {
                    newest: grant,
                    grants: vec![grant],
                }),
            }
        }
        apps
    }

    fn client(&self) -> ClientId {
        self.newest.client
    }

    fn name(&self) -> String {
        words::name(self.newest.client_name.as_deref())
    }
}

/// GET /console/apps
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let user = console.user(&request).await?;
    let connected = console.parts.grants.connected(user.session.user).await?;
    let apps = App::all(&connected);
    let grants: Vec<(ClientId, &ConnectedApp)> = apps
        .iter()
        .flat_map(|app| app.grants.iter().map(move |grant| (app.client(), *grant)))
        .collect();
    let part = Part::at_most(ON_A_PAGE, &grants, request.query_string());
    let content = html! {
        @if request.query_string() == "revoked" {
            div.done role="status" { p { "Access was revoked. The app’s next call is refused." } }
        }
        @if connected.is_empty() {
            (none(&console))
        } @else {
            p { "What these apps do with your account, they do with your roles in the workspaces that you ticked." }
            @for app in &apps {
                @let of_page = part.items.iter().filter(|(client, _)| *client == app.client());
                @let of_page: Vec<&ConnectedApp> = of_page.map(|(_, grant)| *grant).collect();
                @if !of_page.is_empty() { (card::app(&console, app, &of_page)) }
            }
            (part.pages("/console/apps"))
        }
    };
    Ok(Page::new("Connected apps", Some(user.owner())).with(&content))
}

fn none(console: &Console) -> Markup {
    let resources = console.parts.server.resources();
    html! {
        div.card {
            p { "No app is connected." }
            p { "Give an app that speaks OAuth 2.1 the address of what it is to use. It registers itself, sends you here to agree, and then stands in this list." }
            dl {
                dt { "API" } dd { code { (resources.api) } }
                dt { "MCP server" } dd { code { (resources.mcp) } }
            }
            p { "A script of your own needs no app, but an API key: admins of a workspace make one under “API keys”." }
        }
    }
}
