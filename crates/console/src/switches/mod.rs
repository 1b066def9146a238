//! The switches of the installation, for operators alone.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_account::admin::{
    audit::{AuditEntry, AuditQuery},
    users::User,
};
use pharos_domain::switches::{Switch, Switches};

use crate::{
    audit::{users_of, who},
    console::Console,
    form::Form,
    nav::Place,
    page::{Page, go, moment},
    parts::{
        mark::{self, Tone},
        notice,
        table::{Column, Table},
    },
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

const PATH: &str = "/console/switches";
/// How many changes the page shows.
const CHANGES: u32 = 20;

/// GET /console/switches
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let operator = console.operator(&request).await?;
    let is_changed = request.query_string() == "changed";
    page(&console, &operator, is_changed, None).await
}

/// POST /console/switches
pub(crate) async fn submit(
    request: HttpRequest,
    payload: web::Payload,
    console: web::Data<Console>,
) -> Result<HttpResponse, Refusal> {
    let sent = Form::read(&console, &request, payload).await?;
    let operator = console.operator(&request).await?;
    operator.check(&sent, &console)?;
    let switch: Switch = sent.one("switch").parse().map_err(|_| Refusal::NoForm)?;
    let thrown = match sent.one("do") {
        "throw" => true,
        "put-back" => false,
        _ => return Err(Refusal::NoForm),
    };
    if thrown && sent.one("confirm").trim() != switch.as_str() {
        return page(&console, &operator, false, Some(switch)).await;
    }
    let (actor, now) = (operator.actor(), console.parts.clock.now());
    console.parts.switches.set(switch, thrown, &actor, now).await?;
    Ok(go(&format!("{PATH}?changed")))
}

impl Console {
    /// The operator who asks. Nobody else finds the page.
    async fn operator(&self, request: &HttpRequest) -> Result<SignedIn, Refusal> {
        let user = self.user(request).await?;
        if user.session.is_operator {
            Ok(user)
        } else {
            Err(Refusal::NoPage)
        }
    }
}

/// The page; `mistyped` is the switch whose name was to be typed and was not.
async fn page(
    console: &Console,
    operator: &SignedIn,
    is_changed: bool,
    mistyped: Option<Switch>,
) -> Result<HttpResponse, Refusal> {
    let parts = &console.parts;
    let changes = AuditQuery {
        action: Some("switch".to_owned()),
        limit: CHANGES,
        ..AuditQuery::default()
    };
    let (thrown, changes, workspaces) = tokio::try_join!(
        parts.switches.read(),
        parts.accounts.audit.list(&changes),
        parts.grants.workspaces(operator.session.user)
    )?;
    let users = users_of(console, &changes).await?;
    let content = html! {
        @if is_changed { (notice::done("Every node obeys.")) }
        p { "These are of the whole installation: of all workspaces, on every node. Checks, collection and this console go on whatever they say." }
        @for switch in Switch::ALL { (card(operator, *switch, is_thrown(*switch, thrown), mistyped)) }
        h2 { "Last changes" }
        (table(&changes, &users))
    };
    let status = if mistyped.is_some() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    let place = Place {
        workspaces: &workspaces,
        current: None,
        unread: None,
    };
    Ok(Page::new("Switches", Some(operator.owner()))
        .at(place)
        .status(status)
        .with(&content))
}

fn is_thrown(switch: Switch, thrown: Switches) -> bool {
    match switch {
        Switch::ApiDisabled => thrown.api_disabled,
        Switch::ReadOnlyMode => thrown.read_only_mode,
    }
}

fn card(operator: &SignedIn, switch: Switch, is_thrown: bool, mistyped: Option<Switch>) -> Markup {
    let (title, throw, meaning) = match switch {
        Switch::ApiDisabled => (
            "The API",
            "Turn the API off",
            "Every operation is refused with 503 api-disabled until the switch is put back: reads, writes and runs of all workspaces.",
        ),
        Switch::ReadOnlyMode => (
            "Writes and runs of the API",
            "Turn writes and runs off",
            "Writes and runs are refused with 503 read-only-mode until the switch is put back. Reads are served.",
        ),
    };
    let hidden = |deed: &str| {
        html! {
            (operator.token_field())
            input type="hidden" name="switch" value=(switch);
            input type="hidden" name="do" value=(deed);
        }
    };
    html! {
        h2 { (title) }
        @if is_thrown {
            p { (mark::state(Tone::Bad, "Off")) }
            p { (meaning) }
            form method="post" action=(PATH) {
                (hidden("put-back"))
                div.actions { button type="submit" { "Turn on again" } }
            }
        } @else {
            p { (mark::state(Tone::Good, "On")) }
            @let (field, wrong) = (format!("confirm-{switch}"), format!("wrong-{switch}"));
            @let is_mistyped = mistyped == Some(switch);
            details.danger open[is_mistyped] {
                summary { (throw) }
                p { (meaning) }
                form method="post" action=(PATH) {
                    (hidden("throw"))
                    div.field {
                        label for=(field) { "Type " strong { (switch) } " to go on" }
                        input id=(field) name="confirm" required autocomplete="off" spellcheck="false"
                            aria-invalid=[is_mistyped.then_some("true")] aria-describedby=[is_mistyped.then_some(&wrong)];
                        @if is_mistyped { p.wrong id=(wrong) { "That is not the name of the switch. Nothing was changed." } }
                    }
                    div.actions { button.danger type="submit" { "Throw the switch" } }
                }
            }
        }
    }
}

fn table(changes: &[AuditEntry], users: &[User]) -> Markup {
    let rows = changes.iter().map(|change| {
        let is_thrown = change.action == "switch.throw";
        vec![
            moment(change.at),
            html! { code { (shown(&change.subject_id)) } },
            html! { @if is_thrown { "turned off" } @else { "turned on again" } },
            who(change, users),
            html! { @match change.source { Some(address) => (address), None => "–" } },
        ]
    });
    let table = Table {
        caption: "Last changes",
        columns: &[
            Column::text("When"),
            Column::text("Switch"),
            Column::text("What"),
            Column::text("Who"),
            Column::text("From").spare(),
        ],
        rows: rows.collect(),
    };
    table.show(&notice::empty(
        "No switch was ever thrown",
        &html! { p { "Each change stands here, made at this page or at the command line." } },
    ))
}
