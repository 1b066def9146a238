//! The refusal of a request with faults.

use std::sync::Arc;

use pharos_domain::{credits::Slip, problem::Suffix};

use super::{judged::Judged, parameters::Prepared};
use crate::{kit::Kit, operation::Operation, problem::Problem, request_context::RequestContext};

/// 400 with all faults of a request: those that its schemas name, and those that only its handler can see.
pub(super) async fn refuse(
    kit: &Kit,
    operation: &Operation,
    judged: Judged,
    context: &RequestContext,
) -> Problem {
    let Judged {
        prepared: Prepared { call, ready, .. },
        mut reach,
    } = judged;
    let mut faults = call.faults;
    if operation.shapes.body.is_some()
        && let Ok(entry) = context.charge(operation.spec, kit.clock.now())
    {
        // A body at fault keeps the handler from doing anything, so that the slip is never settled.
        reach.slip = Some(Arc::new(Slip::new(entry, None)));
        match ready(&reach).await {
            Err(refusal) if refusal.suffix == Suffix::InvalidRequest => {
                faults.extend(call.body.more(&faults, refusal.extras.errors));
            }
            Err(_) => {}
            Ok(_) => return Problem::internal("a handler answered a body that is at fault"),
        }
    }
    Problem::invalid(faults)
}
