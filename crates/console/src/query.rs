//! The query of an address.

/// The first parameter of that name in a query.
pub(crate) fn in_query(query: &str, name: &str) -> Option<String> {
    let mut parameters = form_urlencoded::parse(query.as_bytes());
    let found = parameters.find(|(known, _)| known == name);
    found.map(|(_, value)| value.into_owned())
}
