//! The answer of a command: JSON, or the same for people.

use std::{fmt::Write as _, process::ExitCode};

use serde::Serialize;
use serde_json::{Map, Value};

/// The answer of a command.
#[derive(Debug)]
pub struct Answer {
    value: Value,
    failed: bool,
}

impl Answer {
    /// An answer that holds `value`.
    pub(super) fn new(value: impl Serialize) -> anyhow::Result<Self> {
        Ok(Self {
            value: serde_json::to_value(value)?,
            failed: false,
        })
    }

    /// The same, with which the command fails unless what it tried went well.
    pub(super) fn failed_unless(self, well: bool) -> Self {
        Self {
            failed: !well,
            ..self
        }
    }

    /// How the command ends.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        if self.failed {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        }
    }

    /// As JSON.
    ///
    /// # Errors
    /// The answer can't be written as JSON.
    pub fn json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string_pretty(&self.value)?)
    }

    /// For people: a line a member for one thing, and a table for a list; where that is wider than the terminal, the list's things
    /// one below the other.
    #[must_use]
    pub fn text(&self, columns: Option<usize>) -> String {
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

/// How many columns the terminal has that the answer goes to; `None`: it goes elsewhere.
#[must_use]
pub fn terminal_columns() -> Option<usize> {
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
    }

    #[test]
    fn a_table_that_does_not_fit_the_terminal_is_told_row_by_row() {
        let list = Answer::new(json!([{ "id": 1, "name": "a" }, { "id": 22, "name": null }])).unwrap();
        assert_eq!(list.text(Some(8)), list.text(None));
        assert_eq!(list.text(Some(7)), "id    1\nname  a\n\nid    22\nname  –");
    }
}
