//! A view with an error.

use async_trait::async_trait;
use pharos_domain::collect::client::Device;

use super::{errors, path, store, view};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Rum;

#[async_trait]
impl Fixtures for Rum {
    async fn fill(&self, app: &TestApp) {
        let mut view = view(1, app.now());
        view.errors = vec![errors::error("x is undefined")];
        store(app, [(Device::Mobile, view)]).await;
        // Asked for otherwise than tests do that look at the cache.
        let listed = app
            .get(&path(app, "errors?sort=last_seen_at"), &app.world.key)
            .send()
            .await;
        let id = listed.json()["items"][0]["error_id"]
            .as_str()
            .and_then(|id| id.parse().ok());
        if let Some(id) = id {
            app.world.identify("error_id", id);
        }
    }
}
