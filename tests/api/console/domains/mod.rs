//! Domains: added, verified, set up, deleted and restored by forms.

mod add;
mod allowed;
mod delete;
mod ownership;
mod settings;

use crate::harness::TestApp;

impl TestApp {
    /// A path of the world's domain.
    fn of_domain(&self, path: &str) -> String {
        format!("/console/domains/{}{path}", self.world.domain)
    }

    /// Puts deletions, which the database dates by its own clock, to the time of the test.
    pub(super) async fn date_deletions(&self) {
        let now = self.now().unix_timestamp();
        self.sql(&format!(
            "UPDATE domains SET deleted_at = to_timestamp({now}) WHERE deleted_at IS NOT NULL"
        ))
        .await;
    }

    /// The entries of an action in the audit trail, the newest last: the actor, and the details.
    async fn trail(&self, action: &str) -> Vec<(String, String)> {
        let query = format!(
            "SELECT actor, details::text FROM audit_log
             WHERE action = '{action}' AND workspace_id = '{}' ORDER BY at",
            self.world.workspace
        );
        let rows = self.sql(&query).await;
        rows.into_iter()
            .map(|row| {
                let mut cells = row.into_iter().map(Option::unwrap_or_default);
                (cells.next().unwrap(), cells.next().unwrap())
            })
            .collect()
    }
}
