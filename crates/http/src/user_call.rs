//! A call of an operation by somebody who has signed in to the console.

use pharos_domain::identity::{Identity, Source};
use serde_json::Value;

/// A call of an operation by somebody who has signed in.
#[derive(Debug)]
pub struct UserCall<'a> {
    /// The operation's id.
    pub operation: &'a str,
    /// The user, in the workspace that pays.
    pub identity: &'a Identity,
    /// Where the user is.
    pub source: Source,
    /// The path's parameters, in the order of the path.
    pub path: Vec<(&'static str, String)>,
    /// The JSON body; `None`: it is left out.
    pub body: Option<&'a Value>,
    /// The key that the user's form carries: it stands for an `Idempotency-Key`.
    pub key: &'a str,
}
