//! GET /health

use pharos_domain::{clock::Clock, switches::Switchboard, timestamp::Timestamp, wire_enum};
use pharos_http::{
    extract::port::Port,
    metering::ResponseCache,
    openapi::document::API_VERSION,
    operation::{ApiResult, Caller, Example},
    spec::OperationSpec,
};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;

pub(super) const SPEC: OperationSpec = OperationSpec {
    id: "getHealth",
    path: "/health",
    summary: "Whether the API is well",
    description: "Needs a credential like every operation. While the API is turned off it answers 503 instead.",
    ..OperationSpec::GET
};

pub(super) async fn view(
    _caller: Caller,
    clock: Port<dyn Clock>,
    switchboard: Port<dyn Switchboard>,
    cache: Port<dyn ResponseCache>,
) -> ApiResult<HealthPublic> {
    let read_only = switchboard.switches().read_only_mode;
    Ok(HealthPublic {
        // Without Redis the limits are open and nothing is cached; all else works.
        status: if cache.is_available() {
            HealthStatus::Ok
        } else {
            HealthStatus::Degraded
        },
        version: API_VERSION.to_owned(),
        time: clock.now().into(),
        mode: if read_only { Mode::ReadOnly } else { Mode::Normal },
    })
}

wire_enum! {
    /// How the service is.
    HealthStatus {
        /// All of it works.
        Ok = "ok",
        /// It works without a part that it can do without.
        Degraded = "degraded",
    }
}

wire_enum! {
    /// Which requests are served.
    Mode as "ServiceMode" {
        /// Everything.
        Normal = "normal",
        /// Reads; writes and runs are turned off for a while.
        ReadOnly = "read_only",
    }
}

/// How the service is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Health)]
pub(super) struct HealthPublic {
    /// How the service is.
    status: HealthStatus,
    /// The version of the API.
    version: String,
    /// The server's clock, to measure one's own against.
    time: Timestamp,
    /// Which requests are served.
    mode: Mode,
}

impl Example for HealthPublic {
    fn example() -> Self {
        Self {
            status: HealthStatus::Ok,
            version: API_VERSION.to_owned(),
            time: datetime!(2026-03-31 09:15:00 UTC).into(),
            mode: Mode::Normal,
        }
    }
}
