//! The pages that say why something was not done, and what to do.

use std::fmt;

use actix_web::{
    HttpResponse, ResponseError,
    http::{StatusCode, header},
};
use maud::{Markup, html};
use pharos_account::admin::AdminError;
use pharos_auth::{oauth::server::ConsentError, secret::NoRandomness, sign_in::desk::SignInError};
use pharos_domain::{role::Role, store::StoreError};

use crate::{
    next::Next,
    page::{Page, go, wait},
    sentence::sentence,
};

/// Why something was not done.
#[derive(Clone, Debug)]
pub(crate) enum Refusal {
    /// Nobody has signed in yet: the browser is sent there, and comes back.
    SignIn {
        /// The page that was requested.
        next: Next,
    },
    /// There is no such page.
    NoPage,
    /// There is no such page among those that everybody may see, or that links in mails lead to.
    NoOpenPage,
    /// The page is for those who have a role that the user lacks.
    NotAllowed {
        /// The least role.
        least: Role,
    },
    /// The subscription of the workspace allows no changes.
    NotWritable,
    /// The form is of another site.
    OtherOrigin {
        /// Where ours are.
        origin: String,
    },
    /// The form does not have the token of this browser.
    NoToken,
    /// The body is no form, or too long for one.
    NoForm,
    /// The form has more fields than any of ours.
    TooManyFields {
        /// How many one may have.
        most: usize,
    },
    /// Too often: from one network, by one user, or for one address.
    TooOften { retry_after_seconds: u32 },
    /// The figures of a page were not there in time.
    TooLong,
    /// The request of an app was altered, or has lapsed.
    Lapsed,
    /// The request of an app was decided on before.
    Decided,
    /// The link was used, or has lapsed.
    NoLink,
    /// The store is away.
    Unavailable,
    /// A defect, which the log tells.
    Internal,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "a page of the console can't be made"
        );
        match error {
            StoreError::Unavailable(_) => Self::Unavailable,
            StoreError::TooLong(_) => Self::TooLong,
            StoreError::Failed(_) | StoreError::Corrupt(_) => Self::Internal,
        }
    }
}

impl From<NoRandomness> for Refusal {
    fn from(error: NoRandomness) -> Self {
        tracing::error!(%error, "a page of the console can't be made");
        Self::Internal
    }
}

impl From<SignInError> for Refusal {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Wrong | SignInError::WrongCode | SignInError::Lapsed | SignInError::NoLink => {
                Self::NoLink
            }
            SignInError::TooOften { retry_after_seconds } => Self::TooOften { retry_after_seconds },
            SignInError::Store(error) => error.into(),
            SignInError::NoRandomness(error) => error.into(),
        }
    }
}

impl From<ConsentError> for Refusal {
    fn from(error: ConsentError) -> Self {
        match error {
            ConsentError::Lapsed | ConsentError::NothingTicked => Self::Lapsed,
            ConsentError::Decided => Self::Decided,
            ConsentError::Store(error) => error.into(),
            ConsentError::NoRandomness(error) => error.into(),
        }
    }
}

/// Says for people why a change is refused; an error that is no fault of its form refuses the page.
pub(crate) fn change_fault(error: AdminError) -> Result<String, Refusal> {
    match error {
        AdminError::Store(error) => Err(error.into()),
        AdminError::NotFound(_) => Err(Refusal::NoPage),
        error @ (AdminError::Invalid(_)
        | AdminError::Exists(_)
        | AdminError::LastOwner
        | AdminError::TooLate
        | AdminError::TooManyDomains) => Ok(sentence(&error.to_string())),
    }
}

impl Refusal {
    /// Says in a few words why the page is refused.
    pub(crate) fn title(&self) -> &'static str {
        match self {
            Self::SignIn { .. } => "Sign in",
            Self::NoPage | Self::NoOpenPage => "There is no such page",
            Self::NotAllowed { .. } => "This needs another role",
            Self::NotWritable => "The subscription allows no changes",
            Self::OtherOrigin { .. } => "This form came from another address",
            Self::NoToken => "This form is out of date",
            Self::NoForm => "This form can’t be read",
            Self::TooManyFields { .. } => "This form has too many fields",
            Self::TooOften { .. } => "Too many requests",
            Self::TooLong => "This takes too long",
            Self::Lapsed => "This request has lapsed",
            Self::Decided => "This request was decided before",
            Self::NoLink => "This link can’t be used",
            Self::Unavailable => "Pharos can’t reach its database",
            Self::Internal => "Something went wrong",
        }
    }

    fn advice(&self) -> Markup {
        match self {
            Self::SignIn { next } => html! {
                p { a href=(next.sign_in()) { "Sign in" } " to see it." }
            },
            Self::NoPage => html! {
                p { "It may have been deleted, or belong to a workspace that you are no member of." }
                p { "Go to your " a href="/console" { "workspaces" } "." }
            },
            Self::NoOpenPage => html! {
                p { "It may have been deleted, or its address was changed." }
                p { "Hold the address against the one that you were given, or ask whoever gave it to you." }
            },
            Self::NotAllowed { least } => html! {
                p { "Nothing was changed. It takes the role " strong { (least) } " in this workspace, or a higher one." }
                p { "Ask an owner or admin of the workspace, or go back to your " a href="/console" { "workspaces" } "." }
            },
            Self::NotWritable => html! {
                p { "Nothing was changed. The subscription of this workspace has ended, or a payment is late: until it is active again, its pages show all there is, and domains can be deleted." }
                p { "Ask whoever runs this Pharos to make it active, and send the form once more. Go back to your " a href="/console" { "workspaces" } "." }
            },
            Self::OtherOrigin { origin } => html! {
                p { "Nothing was changed. This Pharos is at " a href={ (origin) "/console/apps" } { (origin) } ": open it there, and try again." }
            },
            Self::NoToken => html! {
                p { "Nothing was changed. You may have signed in or out meanwhile, or your browser keeps no cookies for this site." }
                p { "Go back, load the page again, and send the form once more." }
            },
            Self::NoForm => html! {
                p { "Nothing was changed. Go back, load the page again, and send the form once more." }
            },
            Self::TooManyFields { most } => html! {
                p { "Nothing was changed. A form has " (most) " fields at most. Go back, and send less at once." }
            },
            Self::TooOften { retry_after_seconds } => html! {
                p { "This was asked for too often. Try again in " (wait(*retry_after_seconds)) "." }
            },
            Self::TooLong => html! {
                p { "Its figures were not there in time. Go back and ask for fewer days, or try again later." }
            },
            Self::Lapsed => html! {
                p { "Requests of apps are good for ten minutes, and only as the app made them. Nothing was allowed." }
                p { "Go back to the app, and begin anew there." }
            },
            Self::Decided => html! {
                p { "Each request of an app can be allowed or denied once." }
                p { "To connect the app, go back to it, and begin anew there. Apps that were allowed already stand in your " a href="/console/apps" { "connected apps" } "." }
            },
            Self::NoLink => html! {
                p { "It was used before, is older than 24 hours, or a newer one took its place." }
                p { "If you have set your password, " a href="/console/sign-in" { "sign in" } ". If not, ask whoever runs this Pharos for a new link." }
            },
            Self::Unavailable => html! {
                p { "Nothing was changed. Try again in a few seconds." }
            },
            Self::Internal => html! {
                p { "It is not your fault, and the log says more. Try again; if it stays, tell whoever runs this Pharos." }
            },
        }
    }

    fn retry_after(&self) -> Option<u32> {
        match self {
            Self::TooOften { retry_after_seconds } => Some(*retry_after_seconds),
            Self::Unavailable => Some(5),
            _ => None,
        }
    }
}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::NoPage | Self::NoOpenPage => StatusCode::NOT_FOUND,
            Self::NotWritable => StatusCode::PAYMENT_REQUIRED,
            Self::SignIn { .. } => StatusCode::SEE_OTHER,
            Self::OtherOrigin { .. } | Self::NoToken | Self::NotAllowed { .. } => StatusCode::FORBIDDEN,
            Self::NoForm | Self::TooManyFields { .. } | Self::Lapsed => StatusCode::BAD_REQUEST,
            Self::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Decided => StatusCode::CONFLICT,
            Self::NoLink => StatusCode::GONE,
            Self::TooLong | Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        if let Self::SignIn { next } = self {
            return go(&next.sign_in());
        }
        let page = Page::new(self.title(), None).status(self.status_code());
        let mut response = page.with(&self.advice());
        if let Some(seconds) = self.retry_after() {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, header::HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_whose_time_is_over_asks_for_less_and_is_no_defect() {
        let refused = Refusal::from(StoreError::TooLong("canceled".into()));
        assert!(matches!(refused, Refusal::TooLong));
        assert_eq!(refused.status_code(), StatusCode::SERVICE_UNAVAILABLE);
    }
}
