//! A robots.txt that changed once.

use async_trait::async_trait;
use time::Duration;

use super::{get, see};
use crate::{fixtures::Fixtures, harness::TestApp};

pub(crate) struct Robots;

#[async_trait]
impl Fixtures for Robots {
    async fn fill(&self, app: &TestApp) {
        let now = app.now();
        see(app, 200, "User-agent: *\nDisallow: /cart\n", now - Duration::DAY).await;
        see(
            app,
            200,
            "User-agent: *\nDisallow: /cart\nDisallow: checkout\n",
            now,
        )
        .await;
        let versions = get(app, "versions").await.ok();
        let id = versions["items"][0]["version_id"].as_str().unwrap();
        app.world.identify("version_id", id.parse().unwrap());
    }
}
