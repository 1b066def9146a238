//! The server at standard input and output, for one caller on one's own machine.

use std::sync::Arc;

use rmcp::ServiceExt;

use crate::{api::Api, credential::Caller, http::Settings, server::Session};

/// Serves until standard input ends.
///
/// # Errors
/// The API can't be called, the client does not speak the protocol, or a task broke.
pub async fn serve(settings: &Settings, caller: Caller) -> anyhow::Result<()> {
    let console: Arc<str> = settings.base_url.trim_end_matches('/').into();
    let api = Arc::new(Api::at(&settings.api, &settings.trust)?);
    let session = Session::new(api, console, Some(caller));
    session.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}
