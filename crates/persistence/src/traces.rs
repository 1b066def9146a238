//! Spans of statements.
//!
//! Diesel tells of each statement that begins and ends, but not which one it is but by its text. A [`Statement`] notes its name
//! whenever Diesel walks it, and writing its text is to walk it.
//!
//! [`Statement`]: crate::statement::Statement

use std::{
    cell::Cell,
    collections::VecDeque,
    fmt::{self, Write},
};

use diesel::connection::{DebugQuery, InstrumentationEvent};
use pharos_traces::span::Span;

/// The most statements that one connection has on the way; more have been left half-way, and the connection with them.
const ON_THE_WAY: usize = 256;
/// The end of the name that `sql!` gives a statement.
const ITS_TYPE: &str = "::ThisText";

thread_local! {
    /// The statement that was walked last on this thread.
    static NAMED: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Notes which statement is walked, by the name of its type.
pub(crate) fn named(name: &'static str) {
    NAMED.set(Some(name));
}

/// The statements of a connection that are on their way. PostgreSQL answers them in their order.
#[derive(Debug, Default)]
pub(crate) struct Statements(VecDeque<Span>);

impl Statements {
    /// Records what diesel tells of the connection.
    pub(crate) fn hear(&mut self, event: &InstrumentationEvent<'_>) {
        match event {
            InstrumentationEvent::StartQuery { query, .. } => {
                if self.0.len() >= ON_THE_WAY {
                    self.0.clear();
                }
                self.0.push_back(begun(*query));
            }
            InstrumentationEvent::FinishQuery { error, .. } => {
                if let Some(mut span) = self.0.pop_front()
                    && error.is_some()
                {
                    span.fail();
                }
            }
            _ => {}
        }
    }
}

fn begun(query: &dyn DebugQuery) -> Span {
    let mut name = String::new();
    let mut span = Span::call(|| {
        name = name_of(query);
        name.clone().into()
    });
    if span.is_some() {
        span.set("db.system.name", "postgresql");
        span.set("db.query.summary", name);
    }
    span
}

/// The place in the code that has the statement, or its first word. Its text is not told, nor are its values.
fn name_of(query: &dyn DebugQuery) -> String {
    NAMED.set(None);
    let mut beginning = Beginning::default();
    // It stops by an error before it comes to the values.
    let _ = write!(beginning, "{query}");
    match NAMED.take() {
        Some(name) => place(name),
        None => beginning.word(),
    }
}

/// The module or the type, and the function, that a statement stands in, from the name of its type.
fn place(name: &str) -> String {
    let path = name.split(ITS_TYPE).next().unwrap_or(name);
    let is_function = |part: &&str| !part.starts_with('{') && !part.contains('>');
    let function = path.rsplit("::").find(is_function).unwrap_or(path);
    // The compiler writes `<Type as Trait>::function`, `module::<impl Trait for Type>::function` or `Type::function`.
    let owner = match path.strip_prefix('<').and_then(|path| path.split_once(" as ")) {
        Some((of_type, _)) => of_type,
        None => {
            let end = path.find("::<").into_iter().chain(path.find("::{")).min();
            end.map_or(path, |end| &path[..end])
        }
    };
    if owner.ends_with(&format!("::{function}")) {
        owner.to_owned()
    } else {
        format!("{owner}::{function}")
    }
}

/// Takes the beginning of a text, and then refuses the rest.
#[derive(Default)]
struct Beginning(String);

impl Beginning {
    fn word(&self) -> String {
        let letters = self.0.bytes().take_while(u8::is_ascii_alphabetic);
        let word: String = letters
            .map(|byte| char::from(byte.to_ascii_uppercase()))
            .collect();
        if word.is_empty() {
            "statement".to_owned()
        } else {
            word
        }
    }
}

impl fmt::Write for Beginning {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend(text.trim_start().chars().take(16));
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use diesel::{debug_query, pg::Pg, sql_query, sql_types::Text};

    use super::*;

    #[test]
    fn a_statement_has_the_name_of_its_place_and_none_of_its_values() {
        let of_ours = crate::sql!(text "SELECT $1").bind::<Text, _>("whisper");
        let name = name_of(&debug_query::<Pg, _>(&of_ours));
        assert!(
            name.starts_with("pharos_persistence::traces::tests::a_statement_has"),
            "{name}"
        );
        let plain = sql_query("select $1").bind::<Text, _>("whisper");
        assert_eq!(name_of(&debug_query::<Pg, _>(&plain)), "SELECT");
    }

    #[test]
    fn a_place_is_a_module_or_a_type_and_a_function() {
        for (name, want) in [
            (
                "pharos_a::jobs::claim::{{closure}}::ThisText",
                "pharos_a::jobs::claim",
            ),
            (
                "pharos_a::jobs::<impl pharos_b::Queue for pharos_a::PgQueue>::claim::{{closure}}::ThisText",
                "pharos_a::jobs::claim",
            ),
            (
                "pharos_a::jobs::{impl#0}::settle::{{closure}}::{{closure}}::ThisText",
                "pharos_a::jobs::settle",
            ),
            (
                "<pharos_a::PgQueue as pharos_b::Queue>::claim::{{closure}}::ThisText",
                "pharos_a::PgQueue::claim",
            ),
        ] {
            assert_eq!(place(name), want, "{name}");
        }
    }
}
