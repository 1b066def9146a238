//! The id of a thing in the path, beside those of its workspace and domain.

use std::str::FromStr;

use uuid::Uuid;

use super::argument::{Argument, Call};
use crate::problem::Problem;

/// The last id in the path, such as an incident's.
#[derive(Clone, Copy, Debug)]
pub struct PathId<T>(pub T);

impl<T: FromStr> Argument for PathId<T> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let text = call.path.last().map_or("", |(_, value)| value.as_str());
        // The gate has refused a malformed one, beside what else is wrong; it only wants to know about the rest.
        let id = text.parse().or_else(|_| Uuid::nil().to_string().parse());
        id.map(Self)
            .map_err(|_| Problem::internal("an id of the path has no nil"))
    }
}
