//! The server at standard input and output, for one caller on one's own machine.

use std::sync::Arc;

use rmcp::ServiceExt;

use crate::{api::Api, credential::Caller, http::Settings, server::Session};

/// Serves until standard input ends.
///
/// # Errors
/// The client does not speak the protocol, or a task broke.
pub async fn serve(settings: &Settings, caller: Caller) -> anyhow::Result<()> {
    let console: Arc<str> = settings.base_url.trim_end_matches('/').into();
    let session = Session::new(Arc::new(Api::at(&settings.api)), console, Some(caller));
    session.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
