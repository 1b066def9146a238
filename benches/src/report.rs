//! Printing: text for people, or a JSON object a figure.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;

/// Where findings go.
pub(crate) struct Report {
    json: bool,
}

impl Report {
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    /// Goes to standard output, unless that is JSON's.
    pub(crate) fn text(&self, text: &str) -> Result<()> {
        if self.json {
            eprintln!("{text}");
        } else {
            writeln!(std::io::stdout(), "{text}")?;
        }
        Ok(())
    }

    /// A figure, where JSON is asked for.
    pub(crate) fn line(&self, line: &impl Serialize) -> Result<()> {
        if self.json {
            let mut output = std::io::stdout().lock();
            writeln!(output, "{}", serde_json::to_string(line)?)?;
            output.flush()?;
        }
        Ok(())
    }
}
