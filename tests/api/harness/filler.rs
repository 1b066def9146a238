//! Operations that only tests have: they count how often they are computed.

use std::sync::atomic::{AtomicUsize, Ordering};

use pharos_domain::{identity::DomainAccess, scope::Scope, window::Meta};
use pharos_http::{
    extract::{query::Query, window::ComparedFull},
    operation::{ApiResult, Example, Operation},
    spec::{Bucket, Compare, Credits, OperationSpec, Window},
};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::{IntoParams, ToSchema};

/// Their answer: how often an operation was computed in this process.
#[derive(Serialize, ToSchema)]
pub(crate) struct Count {
    /// The count.
    count: usize,
}

impl Example for Count {
    fn example() -> Self {
        Self { count: 1 }
    }
}

/// Their query.
#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(crate) struct FillerQuery {
    /// Anything.
    about: Option<String>,
    /// `live` for an answer that is computed now.
    #[serde(serialize_with = "nothing")]
    freshness: Option<String>,
    /// How long it takes, in milliseconds.
    #[serde(default)]
    takes_ms: u64,
}

fn nothing<S: Serializer>(_: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_unit()
}

async fn count(computed: &AtomicUsize, query: FillerQuery) -> ApiResult<Count> {
    if query.takes_ms > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(query.takes_ms)).await;
    }
    Ok(Count {
        count: computed.fetch_add(1, Ordering::SeqCst) + 1,
    })
}

const CACHED: OperationSpec = OperationSpec {
    id: "getCached",
    path: "/domains/{domain_id}/cached",
    module: pharos_domain::module::Module::Uptime,
    summary: "Cached for a minute",
    scope: Some(Scope::ReadUptime),
    bucket: Bucket::HeavyQuery,
    credits: Credits::Heavy,
    cache_seconds: 60,
    ..OperationSpec::GET
};

/// A heavy read of 5 credits that is cached for a minute: `GET /domains/{domain_id}/cached`.
pub(crate) fn cached() -> Operation {
    static COMPUTED: AtomicUsize = AtomicUsize::new(0);
    Operation::new(
        &CACHED,
        async |_: DomainAccess, Query(query): Query<FillerQuery>| count(&COMPUTED, query).await,
    )
}

const HEAVY: OperationSpec = OperationSpec {
    id: "getHeavy",
    path: "/domains/{domain_id}/heavy",
    cache_seconds: 0,
    ..CACHED
};

/// The same, never cached: `GET /domains/{domain_id}/heavy`.
pub(crate) fn heavy() -> Operation {
    static COMPUTED: AtomicUsize = AtomicUsize::new(0);
    Operation::new(
        &HEAVY,
        async |_: DomainAccess, Query(query): Query<FillerQuery>| count(&COMPUTED, query).await,
    )
}

const RUM: OperationSpec = OperationSpec {
    id: "getRum",
    path: "/domains/{domain_id}/rum-like",
    rum_read: Some(20),
    ..HEAVY
};

/// The same in rum-read, 20 a minute: `GET /domains/{domain_id}/rum-like`.
pub(crate) fn rum_like() -> Operation {
    static COMPUTED: AtomicUsize = AtomicUsize::new(0);
    Operation::new(&RUM, async |_: DomainAccess, Query(query): Query<FillerQuery>| {
        count(&COMPUTED, query).await
    })
}

const WINDOWED: OperationSpec = OperationSpec {
    id: "getWindowed",
    path: "/domains/{domain_id}/windowed",
    window: Window::Full,
    compare: Compare::Mode,
    ..CACHED
};

/// A read that says which days it was asked for, cached for a minute: `GET /domains/{domain_id}/windowed`.
pub(crate) fn windowed() -> Operation {
    Operation::new(
        &WINDOWED,
        async |_: DomainAccess, ComparedFull(asked): ComparedFull| -> ApiResult<Meta> {
            Ok(asked.meta(None))
        },
    )
}
