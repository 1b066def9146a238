//! The answer of a command: JSON, or the same for people.

use std::{
    fmt::Write as _,
    io::{ErrorKind, Write as _},
    process::ExitCode,
};

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};

/// How a command prints its answer.
#[derive(Clone, Copy, Debug, Args)]
pub struct Form {
    /// Print JSON.
    #[arg(long, global = true)]
    json: bool,
}

/// The answer of a command.
#[derive(Debug)]
pub struct Answer {
    value: Value,
    words: Option<String>,
    failed: bool,
}

impl Answer {
    /// An answer that holds `value`.
    ///
    /// # Errors
    /// `value` can't be written as JSON.
    pub fn new(value: impl Serialize) -> anyhow::Result<Self> {
        Ok(Self {
            value: serde_json::to_value(value)?,
            words: None,
            failed: false,
        })
    }

    /// The same, told to people in these words.
    #[must_use]
    pub fn in_words(self, words: impl Into<String>) -> Self {
        Self {
            words: Some(words.into()),
            ..self
        }
    }

    /// The same, with which the command fails unless what it tried went well.
    #[must_use]
    pub fn failed_unless(self, well: bool) -> Self {
        Self {
            failed: !well,
            ..self
        }
    }

    /// Prints it, and says how the command ends.
    ///
    /// # Errors
    /// It can't be printed.
    pub fn print(&self, form: Form) -> anyhow::Result<ExitCode> {
        say(&if form.json {
            serde_json::to_string_pretty(&self.value)?
        } else {
            self.text(terminal_columns())
        })?;
        Ok(if self.failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        })
    }

    /// For people: in its words; else a line a member for one thing, and a table for a list; where that is wider than the terminal,
    /// the list's things one below the other.
    fn text(&self, columns: Option<usize>) -> String {
        if let Some(words) = &self.words {
            return words.clone();
        }
        match &self.value {
            Value::Array(rows) if rows.is_empty() => "None.".to_owned(),
            Value::Array(rows) => {
                let table = table(rows);
                let is_too_wide = |columns: usize| table.lines().any(|line| line.chars().count() > columns);
                if columns.is_some_and(is_too_wide) {
                    one_below_the_other(rows)
                } else {
                    table
                }
            }
            Value::Object(members) => lines(members),
            other => cell(other),
        }
    }
}

/// Prints a line. A reader that has gone away is no error.
///
/// # Errors
/// It can't be printed.
pub fn say(text: &str) -> anyhow::Result<()> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

/// How many columns the terminal has that the answer goes to; `None`: it goes elsewhere.
fn terminal_columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

fn lines(members: &Map<String, Value>) -> String {
    let width = members.keys().map(String::len).max().unwrap_or(0);
    let lines = members
        .iter()
        .map(|(name, value)| format!("{name:width$}  {}", cell(value)));
    lines.collect::<Vec<_>>().join("\n")
}

fn one_below_the_other(rows: &[Value]) -> String {
    let things = rows
        .iter()
        .map(|row| row.as_object().map_or_else(|| cell(row), lines));
    things.collect::<Vec<_>>().join("\n\n")
}

fn table(rows: &[Value]) -> String {
    let names: Vec<&String> = rows[0]
        .as_object()
        .map(|row| row.keys().collect())
        .unwrap_or_default();
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| names.iter().map(|name| cell(&row[name.as_str()])).collect())
        .collect();
    let width = |at: usize| {
        cells
            .iter()
            .map(|row| row[at].chars().count())
            .max()
            .unwrap_or(0)
            .max(names[at].len())
    };
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let mut text = String::new();
    let heads = names.iter().map(|name| name.to_uppercase()).collect::<Vec<_>>();
    for row in std::iter::once(&heads).chain(&cells) {
        let mut line = String::new();
        for (value, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{value:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.trim_end().to_owned()
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Answer;

    #[test]
    fn a_list_is_a_table_and_one_thing_a_line_a_member() {
        let list = Answer::new(json!([{ "id": 1, "name": "a" }, { "id": 22, "name": null }])).unwrap();
        assert_eq!(list.text(None), "ID  NAME\n1   a\n22  –");
        let one = Answer::new(json!({ "id": 1, "scopes": ["read:rum", "read:gsc"] })).unwrap();
        assert_eq!(one.text(None), "id      1\nscopes  read:rum,read:gsc");
        assert_eq!(Answer::new(json!([])).unwrap().text(None), "None.");
        let told = one.in_words("One was made.");
        assert_eq!(told.text(None), "One was made.");
        assert_eq!(told.value, json!({ "id": 1, "scopes": ["read:rum", "read:gsc"] }));
    }

    #[test]
    fn a_table_that_does_not_fit_the_terminal_is_told_row_by_row() {
        let list = Answer::new(json!([{ "id": 1, "name": "a" }, { "id": 22, "name": null }])).unwrap();
        assert_eq!(list.text(Some(8)), list.text(None));
        assert_eq!(list.text(Some(7)), "id    1\nname  a\n\nid    22\nname  –");
    }
}
