//! Metrics of calls of tools.

use metrics::{Unit, counter, describe_counter};

const CALLS: &str = "pharos_mcp_calls_total";

/// How a call of a tool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With findings, if not with all.
    Answered,
    /// With a refusal, be it of the arguments.
    Refused,
    /// With nothing in the time that a tool has.
    TooSlow,
}

impl End {
    const ALL: [Self; 3] = [Self::Answered, Self::Refused, Self::TooSlow];

    fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::TooSlow => "too_slow",
        }
    }
}

/// Describes them.
pub fn describe() {
    describe_counter!(
        CALLS,
        Unit::Count,
        "Calls of tools of the MCP server on this node, by tool and outcome: answered, refused (also for its arguments) or too_slow"
    );
}

/// Begins the metrics of tools at zero.
pub(crate) fn begin(tools: impl Iterator<Item = &'static str>) {
    for tool in tools {
        for end in End::ALL {
            counter!(CALLS, "tool" => tool, "outcome" => end.name()).increment(0);
        }
    }
}

/// Counts a call.
pub(crate) fn called(tool: &'static str, end: End) {
    counter!(CALLS, "tool" => tool, "outcome" => end.name()).increment(1);
}
