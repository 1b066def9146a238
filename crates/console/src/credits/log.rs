//! The calls that a workspace paid for.

use maud::{Markup, html};
use pharos_account::{admin::users::User, credits::LoggedCall};
use pharos_auth::keys::manage::KeyDetails;
use pharos_domain::credits::CacheOutcome;

use crate::{
    page::moment,
    parts::{
        notice,
        table::{Column, Table},
    },
    shown::shown,
};

/// Calls, the newest first; all of the cycle, or those that are looked for.
pub(super) fn table(calls: &[LoggedCall], keys: &[KeyDetails], users: &[User], is_search: bool) -> Markup {
    let rows = calls.iter().map(|call| {
        vec![
            moment(call.occurred_at),
            html! { code { (shown(&call.operation)) } },
            caller(call, keys, users),
            html! { (call.status) },
            html! { (call.cost) },
            html! {
                @match call.cache {
                    CacheOutcome::Hit => "from the cache",
                    CacheOutcome::Miss => "computed",
                    CacheOutcome::Unavailable => "computed, the cache was away",
                }
            },
            html! { code { (call.request_id) } },
        ]
    });
    let table = Table {
        caption: "Calls of this cycle",
        columns: &[
            Column::text("When"),
            Column::text("Operation"),
            Column::text("By"),
            Column::figure("Status"),
            Column::figure("Credits"),
            Column::text("Answer").spare(),
            Column::text("Request").spare(),
        ],
        rows: rows.collect(),
    };
    let empty = if is_search {
        notice::empty(
            "No call matches",
            &html! { p { "None of this cycle is by that key, of that operation, on that day." } },
        )
    } else {
        notice::empty(
            "No call yet",
            &html! { p { "Each call of the API in this cycle stands here." } },
        )
    };
    table.show(&empty)
}

/// Who called: a key, a user at the console, who calls as themselves, or an app.
fn caller(call: &LoggedCall, keys: &[KeyDetails], users: &[User]) -> Markup {
    let key = keys.iter().find(|key| key.id == call.credential_id);
    let user = users.iter().find(|user| user.id.0 == call.credential_id.0);
    html! {
        @match (key, user) {
            (Some(key), _) => bdi { (shown(&key.name)) },
            (None, Some(user)) => { bdi { (shown(&user.email)) } ", here" },
            (None, None) => "an app",
        }
    }
}
