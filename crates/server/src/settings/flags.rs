//! The flags that take part in the configuration, as the command line declares them.

use clap::{Args, Command};

use crate::flags::{GlobalFlags, ServeFlags};

/// A flag.
#[derive(Debug)]
pub struct Flag {
    /// How it is written.
    pub written: String,
    /// The help text.
    pub about: String,
    /// Whether every command has it, or `serve` alone.
    pub is_global: bool,
}

/// The flags of every command, then those of `serve`.
#[must_use]
pub fn flags() -> Vec<Flag> {
    let of_all = GlobalFlags::augment_args(Command::new("pharos"));
    let of_serve = ServeFlags::augment_args(Command::new("serve"));
    [(of_all, true), (of_serve, false)]
        .iter()
        .flat_map(|(command, is_global)| {
            command.get_arguments().filter_map(move |argument| {
                let long = argument.get_long()?;
                let takes_value = argument.get_action().takes_values();
                let value = argument
                    .get_value_names()
                    .and_then(|names| names.first())
                    .filter(|_| takes_value)
                    .map_or_else(String::new, |name| format!(" {name}"));
                Some(Flag {
                    written: format!("--{long}{value}"),
                    about: argument.get_help().map(ToString::to_string).unwrap_or_default(),
                    is_global: *is_global,
                })
            })
        })
        .collect()
}
