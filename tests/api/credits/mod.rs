//! Operations of the module `credits`.

mod caps;
mod command_line;
mod cycles;
mod log;
mod paging;
mod prices;
mod quotas;
mod view;

use pharos_domain::ids::UserId;

use crate::harness::TestApp;

/// Sets what the world's workspace has used of its present cycle.
pub(crate) async fn set_used(app: &TestApp, used: i64) {
    app.sql(&format!(
        "UPDATE credit_balances SET used = {used} WHERE workspace_id = '{}'",
        app.world.workspace
    ))
    .await;
}

/// Sets what a user has used of it.
pub(crate) async fn set_used_by(app: &TestApp, user: UserId, used: i64) {
    app.sql(&format!(
        "INSERT INTO credit_member_usage (workspace_id, user_id, cycle_start, used) \
         SELECT workspace_id, '{user}', cycle_start, {used} FROM credit_balances WHERE workspace_id = '{}' \
         ON CONFLICT (workspace_id, user_id) DO UPDATE \
         SET cycle_start = excluded.cycle_start, used = excluded.used",
        app.world.workspace
    ))
    .await;
}
