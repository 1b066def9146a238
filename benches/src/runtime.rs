//! The runtime of a bench itself.

use anyhow::Result;
use tokio::runtime::{Builder, Runtime};

/// A runtime on the calling thread alone, so that a bench takes no more of the machine from what it measures.
pub(crate) fn of_this_thread() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}
