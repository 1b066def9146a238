//! Parameters: are path, query and body as the operation takes them? 400, all faults at once; 413, 415.

use std::rc::Rc;

use actix_web::{HttpRequest, dev::Payload};
use percent_encoding::percent_decode_str;
use pharos_domain::ids::{DomainId, MalformedId, WorkspaceId, parse_hyphenated};

use crate::{
    extract::query,
    operation::{Call, Operation, Ready},
    problem::{Fault, Problem},
};

/// The ids of the path that visibility depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PathIds {
    pub(super) workspace: Option<WorkspaceId>,
    pub(super) domain: Option<DomainId>,
}

/// Asks whether the request is as the operation takes it, and reads it.
pub(super) struct ParameterGate<'a>(pub(super) &'a Operation);

impl ParameterGate<'_> {
    pub(super) async fn pass(
        &self,
        path: Vec<(String, String)>,
        request: HttpRequest,
        payload: Payload,
    ) -> Result<(PathIds, Ready), Problem> {
        let Self(operation) = self;
        let (path, mut faults) = decode(path);
        let (query, query_faults) = query::part(request.query_string(), &operation.query_names);
        faults.extend(query_faults);
        let id = |name: &str| {
            path.iter()
                .find(|(known, _)| known == name)
                .and_then(|(_, text)| parse_hyphenated(text))
        };
        let ids = PathIds {
            workspace: id("workspace_id").map(WorkspaceId),
            domain: id("domain_id").map(DomainId),
        };
        let call = Rc::new(Call {
            request,
            spec: operation.spec,
            path,
            query,
        });
        match operation.prepare(call, payload).await {
            Ok(ready) if faults.is_empty() => Ok((ids, ready)),
            Ok(_) => Err(Problem::invalid(faults)),
            Err(refusal) if refusal.extras.errors.is_empty() => Err(refusal),
            Err(refusal) => Err(Problem::invalid(
                faults.into_iter().chain(refusal.extras.errors).collect(),
            )),
        }
    }
}

/// Decodes the path's parameters. Every one that is called `…_id` is a UUID.
fn decode(path: Vec<(String, String)>) -> (Vec<(String, String)>, Vec<Fault>) {
    let mut faults = Vec::new();
    let decoded = path
        .into_iter()
        .map(|(name, raw)| {
            let value = match percent_decode_str(&raw).decode_utf8() {
                Ok(value) if !value.contains('\0') => value.into_owned(),
                _ => {
                    faults.push(Fault::parameter(&name, "not UTF-8, or holds NUL"));
                    return (name, String::new());
                }
            };
            if name.ends_with("_id") && parse_hyphenated(&value).is_none() {
                faults.push(Fault::parameter(&name, MalformedId.to_string()));
            }
            (name, value)
        })
        .collect();
    (decoded, faults)
}
