//! Parameters: are path, query, body and key as the operation takes them? 400, all faults at once; 413, 415.

use std::sync::Arc;

use actix_web::{HttpRequest, dev::Payload};
use bytes::Bytes;
use percent_encoding::percent_decode_str;
use pharos_domain::{
    credits::RequestKey,
    identity::Identity,
    ids::{MalformedId, parse_hyphenated},
    problem::Suffix,
};
use time::OffsetDateTime;

use super::idempotency::request_key;
use crate::{
    extract::{argument::Call, body, content::Content, query},
    operation::{Operation, Ready, Settles},
    problem::{Fault, Problem},
};

/// A request that was read.
pub(super) struct Prepared {
    /// The call with its faults; it is refused for them once the handler has added its own.
    pub(super) call: Call,
    pub(super) ready: Ready,
    /// The key of its arguments: equal calls have the same.
    pub(super) arguments: String,
    pub(super) key: Option<RequestKey>,
}

/// A request's query, body and key, as they came.
pub(super) struct Sent<'s> {
    pub(super) query: &'s str,
    pub(super) body: &'s [u8],
    /// `None`: the operation takes no key.
    pub(super) key: Option<Result<RequestKey, Vec<Fault>>>,
}

/// Asks whether the request is as the operation takes it, and reads it.
pub(super) struct ParameterGate<'a>(pub(super) &'a Operation);

impl ParameterGate<'_> {
    pub(super) async fn pass(
        &self,
        identity: &Arc<Identity>,
        path: Vec<(&'static str, String)>,
        request: HttpRequest,
        payload: Payload,
        now: OffsetDateTime,
    ) -> Result<Prepared, Problem> {
        let Self(operation) = self;
        let bytes = self.body(&request, payload).await?;
        let key = (operation.settles == Settles::WithEffectAndKey).then(|| request_key(&request, &bytes));
        let asked = request.clone();
        let sent = Sent {
            query: asked.query_string(),
            body: &bytes,
            key,
        };
        self.read(identity, path, request, sent, now)
    }

    /// The same of a request that has arrived.
    pub(super) fn read(
        &self,
        identity: &Arc<Identity>,
        path: Vec<(&'static str, String)>,
        request: HttpRequest,
        sent: Sent<'_>,
        now: OffsetDateTime,
    ) -> Result<Prepared, Problem> {
        let Self(operation) = self;
        let schemas = operation.schemas.as_ref().map_err(Problem::internal)?;
        let (path, mut faults) = decode(path);
        let query = query::read(sent.query, &operation.query_names, schemas);
        faults.extend(query.faults);
        let key = sent.key.transpose().map_err(|of_key| faults.extend(of_key));
        let key = key.ok().flatten();
        let (body, of_body) = if operation.shapes.body.is_some() {
            let is_left_out = sent.body.is_empty() && !operation.shapes.body_is_required;
            Content::read(if is_left_out { b"{}" } else { sent.body }, schemas)
        } else {
            Default::default()
        };
        faults.extend(of_body);
        let call = Call {
            request,
            spec: operation.spec,
            identity: Arc::clone(identity),
            path,
            now,
            query: query.pairs,
            values: query.values,
            body,
            faults,
        };
        match operation.prepare(&call) {
            Ok((ready, arguments)) => Ok(Prepared {
                call,
                ready,
                arguments,
                key,
            }),
            Err(refusal) if refusal.suffix == Suffix::InvalidRequest => {
                let found = refusal.extras.errors;
                Err(Problem::invalid(call.faults.into_iter().chain(found).collect()))
            }
            Err(refusal) => Err(refusal),
        }
    }

    /// A body that the operation does not take is not read, unless the request's fingerprint needs it.
    async fn body(&self, request: &HttpRequest, payload: Payload) -> Result<Bytes, Problem> {
        let Self(operation) = self;
        let is_json = operation.shapes.body.is_some();
        let is_required = is_json && operation.shapes.body_is_required;
        if is_required {
            body::expect_json(request)?;
        }
        if !is_json && operation.settles != Settles::WithEffectAndKey {
            return Ok(Bytes::new());
        }
        let bytes = body::read_up_to(request, payload, operation.spec.body_bytes).await?;
        if is_json && !is_required && !bytes.is_empty() {
            body::expect_json(request)?;
        }
        Ok(bytes)
    }
}

/// Decodes the path's parameters. Every one that is called `…_id` is a UUID.
fn decode(path: Vec<(&'static str, String)>) -> (Vec<(&'static str, String)>, Vec<Fault>) {
    let mut faults = Vec::new();
    let decoded = path
        .into_iter()
        .map(|(name, raw)| {
            let value = match percent_decode_str(&raw).decode_utf8() {
                Ok(value) if !value.contains('\0') => value.into_owned(),
                _ => {
                    faults.push(Fault::parameter(name, "not UTF-8, or holds NUL"));
                    return (name, String::new());
                }
            };
            if name.ends_with("_id") && parse_hyphenated(&value).is_none() {
                faults.push(Fault::parameter(name, MalformedId.to_string()));
            }
            (name, value)
        })
        .collect();
    (decoded, faults)
}
