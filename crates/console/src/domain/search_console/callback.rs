//! Where Google sends browsers back to, with a code or with why there is none.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use maud::{Markup, html};
use pharos_auth::secret::Secret;
use pharos_domain::ids::DomainId;
use pharos_search::{
    google::{
        account::Credentials,
        consent::{ConsentCode, ConsentFault, Consented},
        error::GoogleError,
    },
    gsc::{
        accounts::{LinkError, NewAccount},
        consent::{GIVEN_WITHIN, Taken},
    },
};
use tokio::time::timeout;

use super::{PATH, consent::STATE_PREFIX, enter, path, properties::WITHIN, redirect_uri};
use crate::{
    console::Console,
    enter::AtDomain,
    nav::domain_path,
    page::{Page, go},
    query::in_query,
    refusal::Refusal,
    shown::shown,
    visit::SignedIn,
};

/// Why no account came in.
struct NoAccount {
    status: StatusCode,
    title: &'static str,
    what: Markup,
}

impl NoAccount {
    fn new(status: StatusCode, title: &'static str, what: Markup) -> Self {
        Self { status, title, what }
    }

    /// The page, with the way to the connection of the domain, where that is known.
    fn page(&self, user: Option<&SignedIn>, domain: Option<DomainId>) -> HttpResponse {
        let content = html! {
            (self.what)
            div.actions {
                @match domain {
                    Some(domain) => a.button href=(domain_path(domain, PATH)) { "Connect again" },
                    None => a.button href="/console" { "Go to your workspaces" },
                }
            }
        };
        Page::new(self.title, user.map(SignedIn::owner))
            .status(self.status)
            .with(&content)
    }
}

/// GET /console/search-console/callback
pub(crate) async fn show(request: HttpRequest, console: web::Data<Console>) -> Result<HttpResponse, Refusal> {
    let query = |name| in_query(request.query_string(), name).unwrap_or_default();
    // Whoever signs in now gets another session than the one that asked: there is nothing to come back for.
    let user = console.signed_in(&request).await?;
    let state = Secret::parse(&query("state"), STATE_PREFIX);
    let (Some(user), Some(state)) = (&user, &state) else {
        return Ok(foreign().page(user.as_ref(), None));
    };
    let session = user.secret.digest().0;
    let consents = &console.parts.search.consents;
    let taken = consents
        .take(&state.digest().0, &session, console.parts.clock.now())
        .await?;
    let (told, domain) = match taken {
        Taken::Once(domain) => {
            let here = enter(&console, &request, &domain.to_string()).await?;
            here.writable()?;
            match account(&console, &here, state, &query).await? {
                Ok(to) => return Ok(go(&to)),
                Err(told) => (told, Some(domain)),
            }
        }
        Taken::Before(domain) => (before(), Some(domain)),
        Taken::Late(domain) => (late(), Some(domain)),
        Taken::Foreign => (foreign(), None),
    };
    Ok(told.page(Some(user), domain))
}

/// Takes the account in, and gives the page on which one of its properties is chosen.
async fn account(
    console: &Console,
    here: &AtDomain,
    state: &Secret,
    query: &impl Fn(&'static str) -> String,
) -> Result<Result<String, NoAccount>, Refusal> {
    let (code, error) = (query("code"), query("error"));
    if !error.is_empty() || code.is_empty() {
        return Ok(Err(no_code(&error)));
    }
    let verifier = console.verifiers.token(state);
    let redirect_uri = redirect_uri(console);
    let code = ConsentCode {
        code: &code,
        verifier: &verifier,
        redirect_uri: &redirect_uri,
    };
    let (search, now) = (&console.parts.search, console.parts.clock.now());
    let Consented { email, refresh_token } = match timeout(WITHIN, search.google.consented(code, now)).await {
        Ok(Ok(consented)) => consented,
        Ok(Err(fault)) => {
            tracing::warn!(%fault, domain = %here.id(), "a consent of Google came to nothing");
            return Ok(Err(no_consent(&fault, &redirect_uri)));
        }
        Err(_) => return Ok(Err(away())),
    };
    let new = NewAccount {
        workspace: here.workspace(),
        label: email,
        credentials: Credentials::Oauth { refresh_token },
        created_by: Some(here.user.session.user),
    };
    match search.accounts.consent(&new, &here.user.actor(), now).await {
        Ok(id) => Ok(Ok(format!("{}?account={id}&done=consented", path(here)))),
        Err(LinkError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Err(NoAccount::new(
            StatusCode::CONFLICT,
            "The account was not added",
            html! { p { "Nothing was changed: " (error) ". Forget one that reads nothing, and connect again." } },
        ))),
    }
}

fn foreign() -> NoAccount {
    NoAccount::new(
        StatusCode::FORBIDDEN,
        "This answer of Google is for another session",
        html! {
            p { "Nothing was changed. Google’s answer counts in the browser and the session that asked alone. You may have signed out meanwhile, or somebody else sent you this address." }
            p { "To connect a site, sign in, open its page of search, and begin there." }
        },
    )
}

fn before() -> NoAccount {
    NoAccount::new(
        StatusCode::CONFLICT,
        "This answer of Google was used before",
        html! {
            p { "Each answer counts once. If the account stands on the page of the connection, all is well: go on there." }
            p { "If it does not, connect again." }
        },
    )
}

fn late() -> NoAccount {
    NoAccount::new(
        StatusCode::GONE,
        "This took too long",
        html! { p { "Nothing was changed. Google’s answer counts for " (GIVEN_WITHIN.whole_minutes()) " minutes from when you left for Google." } },
    )
}

/// Google sent the browser back without a code.
fn no_code(error: &str) -> NoAccount {
    match error {
        "access_denied" => NoAccount::new(
            StatusCode::FORBIDDEN,
            "Google was told no",
            html! {
                p { "Nothing was changed. You did not let Pharos see the Search Console data of the account, or the account may not decide that: in a company an administrator of Google Workspace does." }
                p { "Connect again to choose another account, or to say yes." }
            },
        ),
        "" => NoAccount::new(
            StatusCode::BAD_REQUEST,
            "Google’s answer has no code",
            html! { p { "Nothing was changed. The address that your browser came back with is not whole. Connect again." } },
        ),
        other => NoAccount::new(
            StatusCode::BAD_REQUEST,
            "Google refused",
            html! {
                p { "Nothing was changed. Google’s word for why is " code { bdi { (shown(other)) } } "." }
                p { "Connect again; if it stays, tell whoever runs this Pharos." }
            },
        ),
    }
}

/// Google has no consent for the code.
fn no_consent(fault: &ConsentFault, redirect_uri: &str) -> NoAccount {
    match fault {
        ConsentFault::NotAllowed => NoAccount::new(
            StatusCode::FORBIDDEN,
            "Google was not asked to let Pharos read",
            html! { p { "Nothing was changed. The box “View Search Console data for your verified sites” was not ticked. Connect again, and tick it." } },
        ),
        ConsentFault::NotLasting => NoAccount::new(
            StatusCode::BAD_REQUEST,
            "Google gave access for an hour alone",
            html! { p { "Nothing was changed. Remove Pharos from the " a href="https://myaccount.google.com/connections" rel="noreferrer" { "connections of the Google account" } ", and connect again." } },
        ),
        ConsentFault::Unnamed => NoAccount::new(
            StatusCode::BAD_REQUEST,
            "Google did not name the account",
            html! { p { "Nothing was changed. Connect again, and let Google tell Pharos the account’s address." } },
        ),
        ConsentFault::Google(GoogleError::Unauthorized { .. }) => NoAccount::new(
            StatusCode::BAD_REQUEST,
            "Google does not take its answer any more",
            html! { p { "Nothing was changed. An answer of Google is good once, and for some minutes. Connect again." } },
        ),
        ConsentFault::Google(error @ (GoogleError::Refused { .. } | GoogleError::NoClient)) => {
            NoAccount::new(
                StatusCode::BAD_GATEWAY,
                "Google does not know this Pharos",
                html! {
                    p { "Nothing was changed: " (error) "." }
                    p { "Tell whoever runs this Pharos. They hold " code { "google_client_id" } " and " code { "google_client_secret" } " against the client in the Google Cloud console, whose redirect URI is " code { (redirect_uri) } "." }
                },
            )
        }
        ConsentFault::Google(_) => away(),
    }
}

fn away() -> NoAccount {
    NoAccount::new(
        StatusCode::BAD_GATEWAY,
        "Google does not answer",
        html! { p { "Nothing was changed. Connect again in a minute." } },
    )
}
