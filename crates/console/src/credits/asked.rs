//! The calls that are looked for, as the address says them.

use std::collections::BTreeSet;

use maud::{Markup, html};
use pharos_account::credits::{CallFilter, Spent};
use pharos_auth::keys::manage::KeyDetails;
use pharos_domain::{day::Day, page::ListKey};
use time::OffsetDateTime;

use crate::{query::in_query, shown::shown};

/// Longer than the id of any operation.
const LONGEST_OPERATION: usize = 64;
/// How many keys that have ended can be chosen, the newest.
const MOST_ENDED: usize = 50;

/// The parameters of the address, and their faults. A faulty parameter filters nothing.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) filter: CallFilter,
    pub(super) fault: Option<&'static str>,
}

impl Asked {
    pub(super) fn of(query: &str) -> Self {
        let given = |name| {
            let value = in_query(query, name)?.trim().to_owned();
            (!value.is_empty()).then_some(value)
        };
        let mut asked = Self::default();
        if let Some(operation) = given("operation") {
            let is_one =
                operation.len() <= LONGEST_OPERATION && operation.bytes().all(|b| b.is_ascii_alphanumeric());
            if is_one {
                asked.filter.operation = Some(operation);
            } else {
                asked.fault =
                    Some("The id of an operation has letters and digits alone, such as listDomains.");
            }
        }
        if let Some(credential) = given("credential") {
            match credential.parse() {
                Ok(credential) => asked.filter.credential = Some(credential),
                Err(_) => asked.fault = Some("There is no such key. Choose one of the list."),
            }
        }
        if let Some(day) = given("day") {
            match day.parse::<Day>() {
                Ok(day) => asked.filter.day = Some(day.0),
                Err(_) => asked.fault = Some("The day is none of the calendar. Write it as 2026-03-31."),
            }
        }
        asked
    }

    /// Whether anything is looked for.
    pub(super) fn is_any(&self) -> bool {
        self.filter != CallFilter::default()
    }

    /// The list, so that its cursors fit no other.
    pub(super) fn list(&self, list: ListKey) -> ListKey {
        self.parameters()
            .into_iter()
            .fold(list, |list, (name, value)| list.by(name, &value))
    }

    /// The address of the same list at `path`, from a cursor on or from its beginning.
    pub(super) fn address(&self, path: &str, cursor: Option<&str>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.parameters());
        if let Some(cursor) = cursor {
            query.append_pair("cursor", cursor);
        }
        let query = query.finish();
        if query.is_empty() {
            path.to_owned()
        } else {
            format!("{path}?{query}")
        }
    }

    /// In the order of their names.
    fn parameters(&self) -> Vec<(&'static str, String)> {
        let CallFilter {
            operation,
            credential,
            day,
        } = &self.filter;
        let parameters = [
            ("credential", credential.map(|credential| credential.to_string())),
            ("day", day.map(|day| day.to_string())),
            ("operation", operation.clone()),
        ];
        parameters
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }

    /// The keys that can be chosen: those that are live, the newest of those that have ended, and the one that is chosen.
    fn offered<'k>(&self, keys: &'k [KeyDetails], now: OffsetDateTime) -> Vec<&'k KeyDetails> {
        let mut ended = 0;
        let is_offered = |key: &&KeyDetails| {
            let is_live = key.is_live(now);
            ended += usize::from(!is_live);
            is_live || ended <= MOST_ENDED || self.filter.credential == Some(key.id)
        };
        keys.iter().filter(is_offered).collect()
    }

    /// The form, which proposes the operations that were called in the cycle where they are known, and keys of the workspace.
    pub(super) fn form(
        &self,
        path: &str,
        spent: Option<&[Spent]>,
        keys: &[KeyDetails],
        now: OffsetDateTime,
    ) -> Markup {
        let called = spent.into_iter().flatten().map(|one| one.operation.as_str());
        let operations: BTreeSet<&str> = called.collect();
        let operation = self.filter.operation.as_deref().unwrap_or_default();
        let day = self.filter.day.map(|day| day.to_string()).unwrap_or_default();
        html! {
            div.range {
                form method="get" action=(path) role="search" {
                    label for="operation" { "Operation" }
                    input id="operation" name="operation" list="called" value=(operation) maxlength=(LONGEST_OPERATION)
                        placeholder="all" autocomplete="off" spellcheck="false";
                    datalist id="called" { @for operation in operations { option value=(operation) {} } }
                    label for="credential" { "by" }
                    select id="credential" name="credential" {
                        option value="" { "all keys and apps" }
                        @for key in self.offered(keys, now) {
                            option value=(key.id) selected[self.filter.credential == Some(key.id)] { (shown(&key.name)) }
                        }
                    }
                    label for="day" { "on" }
                    input id="day" name="day" type="date" value=(day);
                    button.quiet type="submit" { "Find" }
                }
                @if self.is_any() { a href=(path) { "Show all" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pharos_domain::ids::CredentialId;
    use time::macros::date;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_looked_for_comes_from_the_address_and_goes_back_into_it() {
        let query = "operation=listDomains&credential=00000000-0000-0000-0000-000000000000&day=2026-03-31";
        let asked = Asked::of(query);
        let whole = CallFilter {
            operation: Some("listDomains".to_owned()),
            credential: Some(CredentialId(Uuid::nil())),
            day: Some(date!(2026 - 03 - 31)),
        };
        assert_eq!((&asked.filter, asked.fault), (&whole, None));
        assert_eq!(
            asked.address("/c", Some("x")),
            "/c?credential=00000000-0000-0000-0000-000000000000&day=2026-03-31&operation=listDomains&cursor=x"
        );
        assert_eq!(Asked::of("operation=&day=").address("/c", None), "/c");
        for bad in [
            "operation=%00",
            "operation=a%20b",
            "credential=x",
            "day=2026-02-30",
        ] {
            let asked = Asked::of(bad);
            assert!(asked.fault.is_some() && !asked.is_any(), "{bad}");
        }
    }
}
