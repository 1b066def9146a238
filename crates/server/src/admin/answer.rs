//! The answer of a command: JSON, or the same for people.

use std::{fmt::Write as _, process::ExitCode};

use serde::Serialize;
use serde_json::Value;

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

    /// For people: a table for a list, a line a member for one thing.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.value {
            Value::Array(rows) if rows.is_empty() => "None.".to_owned(),
            Value::Array(rows) => table(rows),
            Value::Object(members) => {
                let width = members.keys().map(String::len).max().unwrap_or(0);
                let lines = members
                    .iter()
                    .map(|(name, value)| format!("{name:width$}  {}", cell(value)));
                lines.collect::<Vec<_>>().join("\n")
            }
            other => cell(other),
        }
    }
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
        assert_eq!(list.text(), "ID  NAME\n1   a\n22  –");
        let one = Answer::new(json!({ "id": 1, "scopes": ["read:rum", "read:gsc"] })).unwrap();
        assert_eq!(one.text(), "id      1\nscopes  read:rum,read:gsc");
        assert_eq!(Answer::new(json!([])).unwrap().text(), "None.");
    }
}
