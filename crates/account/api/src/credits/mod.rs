//! /credits

pub(super) mod list;
pub(super) mod log;
pub(super) mod prices;
pub(super) mod view;

use pharos_domain::{
    credits::{Allowance, Balance},
    identity::WorkspaceAccess,
    ids::WorkspaceId,
    problem::Suffix,
    timestamp::Timestamp,
};
use pharos_http::{
    operation::{ApiResult, Caller, Example},
    problem::{Problem, out_of_reach},
};
use serde::{Deserialize, Serialize};
use time::macros::datetime;
use utoipa::{IntoParams, ToSchema};
use uuid::uuid;

/// Which workspace to report on.
#[derive(Debug, Deserialize, Serialize, IntoParams)]
pub(super) struct WorkspaceChoice {
    /// The workspace to report on; left out: the credential's default. One that is out of reach answers 404.
    #[param(value_type = Option<String>, format = Uuid)]
    workspace_id: Option<WorkspaceId>,
}

impl WorkspaceChoice {
    /// The workspace that is named, else the credential's default.
    fn open(&self, caller: &Caller) -> ApiResult<WorkspaceAccess> {
        let chosen = self.workspace_id.or(caller.0.default_workspace_id);
        let none = || Problem::new(Suffix::WorkspaceNotFound, "There is no workspace in your reach.");
        let id = chosen.ok_or_else(none)?;
        WorkspaceAccess::open(&caller.0, id)
            .ok_or_else(|| out_of_reach(Suffix::WorkspaceNotFound, "workspace", id))
    }
}

/// A workspace's credits in its present cycle.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreditBalance)]
pub(super) struct CreditBalancePublic {
    /// The workspace. Each has a cycle of its own.
    workspace_id: WorkspaceId,
    /// The credits that its plan grants a cycle.
    #[schema(minimum = 0)]
    granted: u64,
    /// The credits that were used in this cycle: the sum of the `cost` of its log.
    #[schema(minimum = 0)]
    used: u64,
    /// The credits that are left; they do not roll over. 0 where a change of plan left less than was used.
    #[schema(minimum = 0)]
    remaining: u64,
    /// The cycle's first moment: midnight, UTC, of the day of the month that the workspace was created on, or of a
    /// shorter month's last.
    cycle_start: Timestamp,
    /// The first moment of the next cycle, when the allowance refills.
    cycle_end: Timestamp,
    /// The share of the user behind the credential; absent where the workspace sets them no cap.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    member: Option<CreditAllowancePublic>,
}

/// A member's share of a workspace's credits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreditAllowance)]
pub(super) struct CreditAllowancePublic {
    /// The credits that all credentials of the user may use in a cycle of the workspace.
    #[schema(minimum = 0)]
    granted: u64,
    /// The credits of it that were used in this cycle.
    #[schema(minimum = 0)]
    used: u64,
    /// The credits of it that are left. The workspace may have less.
    #[schema(minimum = 0)]
    remaining: u64,
}

impl From<Balance> for CreditBalancePublic {
    fn from(balance: Balance) -> Self {
        let remaining = balance.remaining();
        let Balance {
            workspace_id,
            granted,
            used,
            cycle_start,
            cycle_end,
            member,
        } = balance;
        Self {
            workspace_id,
            granted,
            used,
            remaining,
            cycle_start: cycle_start.into(),
            cycle_end: cycle_end.into(),
            member: member.map(CreditAllowancePublic::from),
        }
    }
}

impl From<Allowance> for CreditAllowancePublic {
    fn from(allowance: Allowance) -> Self {
        let remaining = allowance.remaining();
        let Allowance { granted, used } = allowance;
        Self {
            granted,
            used,
            remaining,
        }
    }
}

impl Example for CreditBalancePublic {
    fn example() -> Self {
        Self::from(Balance {
            workspace_id: WorkspaceId(uuid!("0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")),
            granted: 1_000_000,
            used: 18_204,
            cycle_start: datetime!(2026-02-28 00:00 UTC),
            cycle_end: datetime!(2026-03-31 00:00 UTC),
            member: Some(Allowance {
                granted: 50_000,
                used: 1_250,
            }),
        })
    }
}
