//! A spec and its handler, bound together; the grants that a handler may take.

use std::{future::Future, sync::Arc};

use actix_web::http::StatusCode;
use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use pharos_domain::{
    credits::{Charged, Keyed, Slip, StoredAnswer},
    identity::{DomainAccess, Identity, WorkspaceAccess},
    problem::Suffix,
};
use serde::Serialize;

pub use crate::payload::Example;
use crate::{
    extract::{
        argument::{Argument, Call},
        schema::Schemas,
    },
    kept::{Cacheable, Keep, Reply},
    metrics::OperationMetrics,
    payload::Answer,
    problem::Problem,
    shapes::Shapes,
    spec::OperationSpec,
    validator::EntityTag,
};

/// The most bytes of an answer that is kept. The pages of a large report are mostly read once, and would push out what
/// everybody else asked for.
const LARGEST_KEPT: usize = 2 * 1_024 * 1_024;

/// The answer of a handler, or its refusal.
pub type ApiResult<T> = Result<T, Problem>;

/// The workspace and domain of a request, in its caller's reach.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The caller.
    pub identity: Arc<Identity>,
    /// The workspace of the path, or of the path's domain.
    pub workspace: Option<WorkspaceAccess>,
    /// The domain of the path.
    pub domain: Option<DomainAccess>,
    /// The charge that a write or a run makes with its effect; `None` for reads.
    pub slip: Option<Arc<Slip>>,
}

/// When an operation is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settles {
    /// A read: once its handler has answered.
    AfterHandler,
    /// A write or a run: in the transaction of its effect.
    WithEffect,
    /// The same, and the answer is stored under the request's `Idempotency-Key`.
    WithEffectAndKey,
}

/// A handler's first argument: the access that the gates grant it.
pub trait Grant: Sized {
    /// The path parameter that the grant needs.
    const NEEDS: Option<&'static str>;

    /// When an operation is charged whose handler takes this grant.
    const SETTLES: Settles = Settles::AfterHandler;

    /// The grant, if the path names what it needs.
    fn from_reach(reach: &Reach) -> Option<Self>;
}

/// The grant of an operation that is about no single workspace: who calls.
#[derive(Clone, Debug)]
pub struct Caller(pub Arc<Identity>);

impl Grant for Caller {
    const NEEDS: Option<&'static str> = None;

    fn from_reach(reach: &Reach) -> Option<Self> {
        Some(Self(Arc::clone(&reach.identity)))
    }
}

impl Grant for WorkspaceAccess {
    const NEEDS: Option<&'static str> = Some("workspace_id");

    fn from_reach(reach: &Reach) -> Option<Self> {
        reach.workspace.clone()
    }
}

impl Grant for DomainAccess {
    const NEEDS: Option<&'static str> = Some("domain_id");

    fn from_reach(reach: &Reach) -> Option<Self> {
        reach.domain.clone()
    }
}

impl<G: Grant> Grant for Charged<G> {
    const NEEDS: Option<&'static str> = G::NEEDS;
    const SETTLES: Settles = Settles::WithEffect;

    fn from_reach(reach: &Reach) -> Option<Self> {
        Some(Self::new(G::from_reach(reach)?, reach.slip.clone()?))
    }
}

impl<G: Grant> Grant for Keyed<G> {
    const NEEDS: Option<&'static str> = G::NEEDS;
    const SETTLES: Settles = Settles::WithEffectAndKey;

    fn from_reach(reach: &Reach) -> Option<Self> {
        Some(Self::new(G::from_reach(reach)?, reach.slip.clone()?))
    }
}

/// The handler with its arguments read: it waits for its grant.
pub type Ready = Box<dyn FnOnce(&Reach) -> LocalBoxFuture<'static, Result<Success, Problem>>>;

/// The handler with its arguments, and their key.
type Read = (Ready, String);

type Prepare = dyn Fn(&Call) -> Result<Read, Problem> + Send + Sync;

/// A successful answer, before its headers.
#[derive(Debug)]
pub struct Success {
    /// The status that the spec declares.
    pub status: StatusCode,
    /// The JSON body.
    pub body: Bytes,
    /// The tag of what the response cache keeps; `None` where it keeps nothing.
    pub tag: Option<EntityTag>,
    /// The value of `cursor` or `offset` for the next page; `None` on the last page, and for an answer that has no pages.
    pub next: Option<String>,
    /// The body for the response cache; `None`: it is not to be kept.
    pub kept: Option<Bytes>,
}

/// An operation: its spec, its handler, and the shapes of the handler's types.
pub struct Operation {
    /// The declaration beside the handler.
    pub spec: &'static OperationSpec,
    /// Sentences that other modules add to its description in the document.
    pub notes: Vec<&'static str>,
    /// Parameters, body and answer, read off the handler's signature.
    pub shapes: Shapes,
    /// The names of its query parameters, computed once.
    pub query_names: Vec<String>,
    /// The path parameter that the handler's grant needs.
    pub needs: Option<&'static str>,
    /// When it is charged, as the handler's grant says.
    pub settles: Settles,
    /// The compiled schemas of its parameters and body, or why they can't be compiled.
    pub(crate) schemas: Result<Schemas, String>,
    /// Records what becomes of its requests.
    pub(crate) metrics: OperationMetrics,
    prepare: Box<Prepare>,
}

impl Operation {
    /// Binds a spec to its handler. The handler's first argument is a [`Grant`], each other an [`Argument`].
    pub fn new<Signature>(spec: &'static OperationSpec, handler: impl Handler<Signature>) -> Self {
        handler.bind(spec)
    }

    /// Reads the handler's arguments, and returns the handler with them and the key by which an equal call is recognised.
    ///
    /// # Errors
    /// Faults beyond those that the call has already.
    pub fn prepare(&self, call: &Call) -> Result<(Ready, String), Problem> {
        (self.prepare)(call)
    }
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Operation")
            .field("spec", self.spec)
            .finish_non_exhaustive()
    }
}

/// A function that answers an operation.
pub trait Handler<Signature> {
    /// Makes the operation.
    fn bind(self, spec: &'static OperationSpec) -> Operation;
}

/// The answer of a keyed operation as it is stored in the transaction of its effect.
pub fn stored_answer<T: Answer>(spec: &OperationSpec, payload: &T) -> StoredAnswer {
    StoredAnswer {
        status: spec.success,
        // Every payload can be written as JSON, since none has a map whose keys are no text.
        body: serde_json::to_vec(payload).unwrap_or_default().into(),
    }
}

fn success(spec: &OperationSpec, reply: impl Reply) -> Result<Success, Problem> {
    let Cacheable { answer, keep } = reply.part();
    let body = write(&answer)?;
    let next = answer.next_page();
    let kept = match keep {
        Keep::Same => Some(body.clone()),
        Keep::Instead(other) => Some(write(&other)?),
        Keep::Nothing => None,
    };
    let kept = kept.filter(|kept| kept.len() <= LARGEST_KEPT);
    let tag = kept
        .as_deref()
        .filter(|_| spec.cache_seconds > 0)
        .map(EntityTag::of);
    let status = StatusCode::from_u16(spec.success).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(Success {
        status,
        body,
        tag,
        next,
        kept,
    })
}

fn write<T: Serialize>(payload: &T) -> Result<Bytes, Problem> {
    serde_json::to_vec(payload)
        .map(Bytes::from)
        .map_err(|error| Problem::internal(format!("serialising: {error}")))
}

/// One problem for all refusals of a request's arguments. The faults go together, unless a refusal is not the caller's fault.
fn together(refusals: Vec<Problem>) -> Problem {
    let mut faults = Vec::new();
    for refusal in refusals {
        if refusal.suffix != Suffix::InvalidRequest {
            return refusal;
        }
        faults.extend(refusal.extras.errors);
    }
    Problem::invalid(faults)
}

macro_rules! handlers {
    ($($kind:ident $argument:ident),*) => {
        #[allow(unused_mut, unused_variables, reason = "a handler without arguments reads none")]
        impl<F, Fut, G, T, $($kind),*> Handler<(G, T, $($kind,)*)> for F
        where
            F: Fn(G, $($kind),*) -> Fut + Copy + Send + Sync + 'static,
            Fut: Future<Output = ApiResult<T>> + 'static,
            G: Grant + 'static,
            T: Reply,
            $($kind: Argument + 'static,)*
        {
            fn bind(self, spec: &'static OperationSpec) -> Operation {
                let mut shapes = Shapes::answering::<T::Payload>();
                $($kind::document(&mut shapes);)*
                let prepare = move |call: &Call| -> Result<Read, Problem> {
                    let mut refusals: Vec<Problem> = Vec::new();
                    $(let $argument = match $kind::extract(call) {
                        Ok(argument) => Some(argument),
                        Err(refusal) => {
                            refusals.push(refusal);
                            None
                        }
                    };)*
                    if !refusals.is_empty() {
                        return Err(together(refusals));
                    }
                    let mut key = String::new();
                    $($argument.iter().for_each(|argument| argument.key(&mut key));)*
                    let ready: Ready = Box::new(move |reach: &Reach| {
                        let grant = G::from_reach(reach);
                        Box::pin(async move {
                            let unread = || Problem::internal("a handler's argument was not read");
                            let grant = grant.ok_or_else(unread)?;
                            success(spec, self(grant, $($argument.ok_or_else(unread)?),*).await?)
                        })
                    });
                    Ok((ready, key))
                };
                Operation { spec, notes: Vec::new(), metrics: OperationMetrics::of(spec.id), query_names: shapes.query_names(), schemas: Schemas::compile(&shapes), shapes, needs: G::NEEDS, settles: G::SETTLES, prepare: Box::new(prepare) }
            }
        }
    };
}

handlers!();
handlers!(A a);
handlers!(A a, B b);
handlers!(A a, B b, C c);
handlers!(A a, B b, C c, D d);
handlers!(A a, B b, C c, D d, E e);
handlers!(A a, B b, C c, D d, E e, H h);
handlers!(A a, B b, C c, D d, E e, H h, I i);
handlers!(A a, B b, C c, D d, E e, H h, I i, J j);
handlers!(A a, B b, C c, D d, E e, H h, I i, J j, K k);
