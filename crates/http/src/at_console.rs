//! Operations that people call at the console: the same ones, for the same credits and within the same limits (ADR 39).

use actix_web::{HttpRequest, web};
use pharos_domain::ids::RequestId;
use serde_json::Value;

use crate::{
    answer::log_cause, gates, kit::Kit, operation::Success, problem::Problem,
    request_context::RequestContext, spec::OperationSpec, user_call::UserCall,
};

/// The declaration of an operation, by its id.
///
/// # Errors
/// Nothing of that name is served here, which is a mistake of the program.
pub fn spec(request: &HttpRequest, operation: &str) -> Result<&'static OperationSpec, Problem> {
    let kit = kit(request)?;
    let operations = kit.registry.operations().iter();
    let mut specs = operations.map(|known| known.spec);
    specs.find(|spec| spec.id == operation).ok_or_else(unknown)
}

/// Calls an operation through the gates of the API, and gives its answer. A call with a key that was answered before has that answer.
///
/// # Errors
/// Why it was refused. Nothing was done, and nothing was charged.
pub async fn call(request: &HttpRequest, call: UserCall<'_>) -> Result<Value, Problem> {
    let kit = kit(request)?;
    let mut operations = kit.registry.operations().iter();
    let operation = operations.find(|known| known.spec.id == call.operation);
    let operation = operation.ok_or_else(unknown)?;
    let mut context = RequestContext::new(RequestId::generate());
    let outcome = gates::pass_user(kit, operation, request.clone(), call, &mut context).await;
    let Success { body, .. } = outcome.inspect_err(|refusal| {
        if let Some(cause) = &refusal.cause {
            log_cause(context.id, refusal.suffix, cause);
        }
    })?;
    serde_json::from_slice(&body).map_err(|error| Problem::internal(error.to_string()))
}

/// The kit of the application that both are mounted on.
fn kit(request: &HttpRequest) -> Result<&Kit, Problem> {
    let kit = request.app_data::<web::Data<Kit>>();
    kit.map(|kit| kit.get_ref())
        .ok_or_else(|| Problem::internal("the console is served without the API"))
}

fn unknown() -> Problem {
    Problem::internal("the console calls an operation that is not served")
}
