//! How many requests a connection may have open at once. In HTTP/1.1 that is one; HTTP/2 leaves it to the server, and actix-web sets no
//! bound, so that one client could open as many as there is memory for.

use std::{any::Any, cell::Cell, rc::Rc};

use actix_web::{
    Error, HttpResponse,
    body::BoxBody,
    dev::{Extensions, ServiceRequest, ServiceResponse},
    http::header,
    middleware::Next,
};

/// How many requests of a connection are open at once at most, each until its answer is sent.
const MOST_OPEN: usize = 250;

/// How many requests of a connection are open. A connection stays on the thread that it came to.
#[derive(Clone, Debug, Default)]
struct Open(Rc<Cell<usize>>);

impl Open {
    /// One more, if there may be.
    fn hold(&self) -> Option<Held> {
        let open = self.0.get();
        (open < MOST_OPEN).then(|| {
            self.0.set(open + 1);
            Held(self.clone())
        })
    }
}

/// A request that is open.
#[derive(Debug)]
struct Held(Open);

impl Drop for Held {
    fn drop(&mut self) {
        let Self(Open(open)) = self;
        open.set(open.get().saturating_sub(1));
    }
}

/// Counts the requests of a connection that has come.
pub(crate) fn count(_socket: &dyn Any, data: &mut Extensions) {
    data.insert(Open::default());
}

/// Refuses what would be one request too many. Nothing of it is read.
pub(crate) async fn bound(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(open) = request.conn_data::<Open>().cloned() else {
        return next.call(request).await;
    };
    let Some(held) = open.hold() else {
        return Ok(request.into_response(too_many()));
    };
    let mut answer = next.call(request).await?;
    // It goes with the answer, which may be sent slowly.
    answer.response_mut().extensions_mut().insert(held);
    Ok(answer)
}

fn too_many() -> HttpResponse {
    HttpResponse::ServiceUnavailable()
        .insert_header((header::RETRY_AFTER, "1"))
        .content_type("text/plain; charset=utf-8")
        .body(format!(
            "{MOST_OPEN} requests of this connection are open, as many as may be at once. Send the next when one of them has been \
             answered.\n"
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_been_answered_may_ask_again() {
        let open = Open::default();
        let mut held: Vec<Held> = (0..MOST_OPEN).filter_map(|_| open.hold()).collect();
        assert_eq!(held.len(), MOST_OPEN);
        assert!(open.hold().is_none());
        held.truncate(1);
        let more: Vec<Held> = (0..MOST_OPEN).filter_map(|_| open.hold()).collect();
        assert_eq!(more.len(), MOST_OPEN - 1);
    }
}
