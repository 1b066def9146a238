//! The way to Google: a state and a verifier that are good once, and the page that leads there.

use actix_web::HttpResponse;
use maud::html;
use pharos_auth::{oauth::pkce::CodeChallenge, secret::Secret};
use pharos_domain::{hourly_limit::HourlyLimit, module::Module};
use pharos_search::{
    google::consent::ConsentRequest,
    gsc::consent::{AskedConsent, GIVEN_WITHIN},
};

use super::{path, redirect_uri};
use crate::{
    console::Console,
    domain::{frame, named},
    enter::AtDomain,
    refusal::Refusal,
};

/// The beginning of states.
pub(super) const STATE_PREFIX: &str = "gsc_";

/// How often an hour one user may go there.
const ASKED_PER_HOUR: HourlyLimit = HourlyLimit {
    name: "console-search-consent",
    per_hour: 30,
};

/// The page that leads to Google.
///
/// It is a page with a link and no redirect: browsers hold what a form leads to against `form-action`, and Google sends people on
/// to sign-in pages of their employers.
pub(super) async fn ask(console: &Console, here: &AtDomain) -> Result<HttpResponse, Refusal> {
    console.admit(&here.user, ASKED_PER_HOUR).await?;
    let search = &console.parts.search;
    let state = Secret::generate(STATE_PREFIX)?;
    let challenge = CodeChallenge::of(&console.verifiers.token(&state)).ok_or(Refusal::Internal)?;
    let redirect_uri = redirect_uri(console);
    let request = ConsentRequest {
        redirect_uri: &redirect_uri,
        state: state.reveal(),
        challenge: challenge.as_str(),
    };
    // The form is not shown without a client.
    let google = search.google.consent_page(request).ok_or(Refusal::NoForm)?;
    let asked = AskedConsent {
        state: state.digest().0,
        session: here.user.secret.digest().0,
        domain: here.id(),
    };
    search.consents.ask(&asked, console.parts.clock.now()).await?;
    let domain = named(console, here).await?;
    let minutes = GIVEN_WITHIN.whole_minutes();
    let content = html! {
        section.card aria-labelledby="on-head" {
            h2 id="on-head" { "Go on at Google" }
            ol.steps {
                li { "Choose the Google account that sees the site in Search Console." }
                li { "Where Google shows boxes, tick “View Search Console data for your verified sites”." }
                li { "Google brings you back here, where you choose the property." }
            }
            p.note { "Do it in this browser, within " (minutes) " minutes." }
            div.actions {
                a.button.quiet href=(path(here)) { "Back" }
                a.button href=(google.as_str()) rel="noreferrer" { "Go on to Google" }
            }
        }
    };
    Ok(frame(here, &domain.title, Module::Gsc.as_str())
        .part("Go on at Google")
        .with(&content))
}
