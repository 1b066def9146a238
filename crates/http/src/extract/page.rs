//! Which page of a list a caller asks for.

use pharos_domain::{
    ids::parse_hyphenated,
    page::{CursorPart, ListKey, OffsetRequest, PageRequest, Position},
    whole_number::whole_number,
};

use super::argument::{Argument, Call};
use crate::{
    problem::{Fault, Problem},
    shapes::Shapes,
    spec::{DEFAULT_PAGE_SIZE, PageBy, Paging},
};

impl<K: CursorPart, I: CursorPart> Argument for PageRequest<K, I> {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let list = list_key(call);
        let (limit, mut faults) = limit(call);
        let after = call
            .query_parameter("cursor")
            .map(|cursor| Position::open(cursor, &list));
        if let Some(None) = after {
            faults.push(Fault::parameter(
                "cursor",
                "not a next_cursor of this list with these parameters; start again without it",
            ));
        }
        if !faults.is_empty() {
            return Err(Problem::invalid(faults));
        }
        Ok(Self {
            limit: limit as usize,
            after: after.flatten(),
            list,
        })
    }

    fn key(&self, key: &mut String) {
        key.push_str(&format!("{} {:?} ", self.limit, self.after));
    }

    fn document(shapes: &mut Shapes) {
        shapes.paged = Some(PageBy::Cursor);
    }
}

impl Argument for OffsetRequest {
    fn extract(call: &Call) -> Result<Self, Problem> {
        let (limit, mut faults) = limit(call);
        let offset = call
            .query_parameter("offset")
            .map_or(Ok(0), |offset| whole_number(offset, 0..=u64::MAX));
        let offset = offset.unwrap_or_else(|why| {
            faults.push(Fault::parameter("offset", why));
            0
        });
        if !faults.is_empty() {
            return Err(Problem::invalid(faults));
        }
        Ok(Self {
            limit,
            // An offset beyond all lists is after the end of this one.
            offset: i64::try_from(offset).unwrap_or(i64::MAX),
        })
    }

    fn key(&self, key: &mut String) {
        key.push_str(&format!("{} {} ", self.limit, self.offset));
    }

    fn document(shapes: &mut Shapes) {
        shapes.paged = Some(PageBy::Offset);
    }
}

/// A list below a domain or workspace is that one's; any other is the caller's. Whatever else is asked for narrows or
/// orders it: a cursor goes with the parameters that it was made under.
fn list_key(call: &Call) -> ListKey {
    let ids = ["domain_id", "workspace_id"];
    let of_path = ids
        .iter()
        .find_map(|name| parse_hyphenated(call.path_parameter(name)));
    let scope = of_path.unwrap_or(call.identity.credential_id.0);
    let mut others: Vec<&(String, String)> = call
        .query
        .iter()
        .filter(|(name, _)| name != "limit" && name != "cursor")
        .collect();
    others.sort_unstable();
    others
        .into_iter()
        .fold(ListKey::new(call.spec.id, scope), |list, (name, value)| {
            list.by(name, value)
        })
}

/// The limit of a page, or what is wrong with it.
fn limit(call: &Call) -> (u32, Vec<Fault>) {
    let (max, default) = match call.spec.paging {
        Paging::Cursor { max, default } | Paging::Offset { max, default } => (max, default),
        Paging::None | Paging::Single => (DEFAULT_PAGE_SIZE, DEFAULT_PAGE_SIZE),
    };
    match call.query_parameter("limit") {
        None => (default, Vec::new()),
        Some(text) => match parse_limit(text, max) {
            Ok(limit) => (limit, Vec::new()),
            Err(why) => (default, vec![Fault::parameter("limit", why)]),
        },
    }
}

/// 1 or more; above `max` is `max`.
fn parse_limit(text: &str, max: u32) -> Result<u32, String> {
    let limit = whole_number(text, 1..=u64::MAX)?;
    Ok(u32::try_from(limit).map_or(max, |limit| limit.min(max)))
}

#[cfg(test)]
mod tests;
