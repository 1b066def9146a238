//! One look at one URL: resolve, connect, agree on TLS, ask, read, and judge what came back.

mod body;
mod certificate;
mod exchange;
mod expected;
mod failure;
mod judge;
mod keyword;
mod limits;
mod prober;
mod report;
mod request;
mod sighting;
mod tls;

pub use self::expected::{ExpectedStatus, ExpectedStatuses, InvalidExpectedStatus};
pub use self::limits::ProbeLimits;
pub use self::prober::Prober;
pub use self::report::{HttpVersion, ProbeError, ProbeReport, Verdict};
pub use self::request::{KeywordMode, KeywordRule, ProbeMethod, ProbeRequest};
