//! A connection of a pool, for as long as one piece of work needs it.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use deadpool::managed::{self, Metrics, Object, RecycleError, RecycleResult};
use diesel_async::AsyncPgConnection;
use pharos_domain::{permit::Permit, store::StoreError};
use tokio::runtime::Handle;

use crate::{
    connector::Connector,
    link::{Link, LinkOptions},
    watch::Use,
};

/// Opens the connections of a pool.
#[derive(Clone)]
pub(crate) struct Opener {
    pub(crate) connector: Arc<Connector>,
    pub(crate) options: Arc<LinkOptions>,
}

impl managed::Manager for Opener {
    type Type = Link;
    type Error = StoreError;

    async fn create(&self) -> Result<Link, StoreError> {
        // Rare, and large: whoever asks for a connection need not carry it along.
        Box::pin(Link::open_followed(&self.connector, &self.options)).await
    }

    /// Costs no round trip. A connection that was closed is noticed without one.
    async fn recycle(&self, link: &mut Link, _: &Metrics) -> RecycleResult<StoreError> {
        if link.is_open() && !link.is_half_way() {
            Ok(())
        } else {
            Err(RecycleError::message(
                "the connection is lost, or was left half-way",
            ))
        }
    }
}

/// A connection of a pool. It goes back when this is dropped; where that is half-way, as a caller who hangs up does it,
/// what runs is cancelled first. Until PostgreSQL has ended it, it keeps its place in the pool, and the request its permit.
/// A long read goes back once PostgreSQL has sent all of its rows; where these do not end, it was left half-way too.
pub struct PooledConnection {
    /// `None` once it is on its way back.
    held: Option<Held>,
    connector: Arc<Connector>,
    use_of: UseOf,
}

/// How long what a connection was asked for may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UseOf {
    /// Short statements, whose rows are soon over.
    ShortWork,
    /// A read whose rows may be many.
    LongRead,
}

struct Held {
    link: Object<Opener>,
    /// Lets the watch close the connection where PostgreSQL is silent.
    _use: Use,
    /// The request's permit, if it is a heavy query; it is given back after the connection.
    _permit: Permit,
}

impl PooledConnection {
    pub(crate) fn new(link: Object<Opener>, connector: Arc<Connector>, use_of: UseOf) -> Self {
        Self {
            held: Some(Held {
                _use: link.begin(),
                link,
                _permit: Permit::of_this_request(),
            }),
            connector,
            use_of,
        }
    }

    /// Closes the connection, whose last statement had an outcome that is not known.
    pub(crate) fn discard(mut self) {
        if let Some(held) = self.held.take() {
            drop(Object::take(held.link));
        }
    }

    #[expect(
        clippy::expect_used,
        reason = "it is taken out only by what consumes or drops this"
    )]
    fn held(&self) -> &Held {
        self.held.as_ref().expect("it holds its connection")
    }

    #[expect(
        clippy::expect_used,
        reason = "it is taken out only by what consumes or drops this"
    )]
    fn held_mut(&mut self) -> &mut Held {
        self.held.as_mut().expect("it holds its connection")
    }
}

impl Deref for PooledConnection {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.held().link
    }
}

impl DerefMut for PooledConnection {
    fn deref_mut(&mut self) -> &mut AsyncPgConnection {
        &mut self.held_mut().link
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        let Some(mut held) = self.held.take() else {
            return;
        };
        let is_half_way = held.link.is_half_way();
        if !held.link.is_open() || (!is_half_way && self.use_of == UseOf::ShortWork) {
            return;
        }
        // Without a runtime it is closed by whoever is given it next, and PostgreSQL notices that.
        if let Ok(runtime) = Handle::try_current() {
            let connector = Arc::clone(&self.connector);
            runtime.spawn(async move {
                if !is_half_way && held.link.is_at_rest().await {
                    return;
                }
                held.link.end(&connector).await;
                let Held { link, _use, _permit } = held;
                // Its cancellation may still be on its way: it must not meet another's statement.
                drop(Object::take(link));
            });
        }
    }
}
