//! The body of a POST: where it comes from, its size, its fields.

use std::time::Duration;

use actix_web::{HttpRequest, http::header, web};
use pharos_auth::secret::{Secret, SecretDigest};
use pharos_domain::{
    hex::hex,
    page::{ListKey, Position},
};
use tokio::time::timeout;

use crate::{console::Console, query::in_query, refusal::Refusal, repeated, token};

/// Longer than any form of ours: a handle of 16 kB and a box for each scope and workspace.
const MOST_BYTES: usize = 256 * 1024;

/// How long a form may take to arrive, as a body at the API.
const READ_WITHIN: Duration = Duration::from_secs(30);

/// More fields than any form of ours has. Those of a name are looked for among all of them.
const MOST_FIELDS: usize = 4_000;

/// Where the page of a list begins, by the `cursor` of a query; `None`: it is the first. One of another list, or none at all, leads
/// to no page.
pub(crate) fn after(query: &str, list: &ListKey) -> Result<Option<Position>, Refusal> {
    let cursor = in_query(query, "cursor");
    let opened = cursor.map(|cursor| Position::open(&cursor, list).ok_or(Refusal::NoPage));
    opened.transpose()
}

/// The fields of a form, in order.
#[derive(Debug)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// Reads a form, unless a page of another origin sent it. Browsers say so in `Origin`; a program that sends none
    /// is no browser that somebody could be led astray in, and the token is asked for all the same.
    pub(crate) async fn read(
        console: &Console,
        request: &HttpRequest,
        payload: web::Payload,
    ) -> Result<Self, Refusal> {
        Self::read_at_most(console, request, payload, MOST_BYTES).await
    }

    /// The same of a form that may be so long.
    pub(crate) async fn read_at_most(
        console: &Console,
        request: &HttpRequest,
        payload: web::Payload,
        most_bytes: usize,
    ) -> Result<Self, Refusal> {
        let mut origins = request.headers().get_all(header::ORIGIN);
        if !origins.all(|origin| origin.as_bytes() == console.origin.as_bytes()) {
            return Err(Refusal::OtherOrigin {
                origin: console.origin.clone(),
            });
        }
        match timeout(READ_WITHIN, payload.to_bytes_limited(most_bytes)).await {
            Ok(Ok(Ok(body))) => Self::parse(&body),
            Ok(Ok(Err(_)) | Err(_)) | Err(_) => Err(Refusal::NoForm),
        }
    }

    fn parse(body: &[u8]) -> Result<Self, Refusal> {
        let fields = form_urlencoded::parse(body).into_owned();
        let fields: Vec<(String, String)> = fields.take(MOST_FIELDS + 1).collect();
        if fields.len() > MOST_FIELDS {
            return Err(Refusal::TooManyFields { most: MOST_FIELDS });
        }
        Ok(Self(fields))
    }

    /// The first field of that name; empty where there is none.
    pub(crate) fn one<'a>(&'a self, name: &'a str) -> &'a str {
        self.all(name).next().unwrap_or_default()
    }

    /// The fields of that name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.iter();
        fields.filter_map(move |(field, value)| (field == name).then_some(value.as_str()))
    }

    /// The digest of the session that sends it, of where to, and of all that it says: it is another for every other form. `None`:
    /// the form has no field of [`repeated`].
    pub(crate) fn digest(&self, request: &HttpRequest, session: &Secret) -> Option<SecretDigest> {
        if self.one(repeated::FIELD).is_empty() {
            return None;
        }
        let mut text = form_urlencoded::Serializer::new(String::new());
        text.append_pair(request.path(), &hex(&session.digest().0));
        Some(SecretDigest::of(&text.extend_pairs(&self.0).finish()))
    }

    /// Refuses a form that does not carry the token of this secret.
    pub(crate) fn check(&self, console: &Console, secret: &Secret) -> Result<(), Refusal> {
        if console.tokens.is_token(self.one(token::FIELD), secret) {
            Ok(())
        } else {
            Err(Refusal::NoToken)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_so_many_fields_at_most() {
        let form = Form::parse("a=1&".repeat(MOST_FIELDS).as_bytes()).unwrap();
        assert_eq!(form.all("a").count(), MOST_FIELDS);
        let refused = Form::parse("a&".repeat(MOST_FIELDS + 1).as_bytes()).unwrap_err();
        assert!(matches!(refused, Refusal::TooManyFields { most: MOST_FIELDS }));
    }
}
