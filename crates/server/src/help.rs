//! `--help`, which ends with the settings that are in force.

use std::ffi::OsString;

use clap::{Command, CommandFactory, FromArgMatches, Parser, error::ErrorKind};

use crate::{
    cli::Cli,
    config::{Config, sources},
    flags::{GlobalFlags, ServeFlags},
    in_force::{in_force, lines},
    sentence::sentence,
};

/// Reads the command line of this process. Where that can't be read or asks for help, says so and ends the process.
#[must_use]
pub fn parse() -> Cli {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    Cli::try_parse_from(&arguments).unwrap_or_else(|error| {
        // Settings are read for whoever asks for them alone.
        if error.kind() == ErrorKind::DisplayHelp {
            let told = with_settings(&arguments).try_get_matches_from(&arguments);
            told.err().unwrap_or(error).exit()
        }
        error.exit()
    })
}

/// The command line with the settings at the end of its long help, and of that of `serve`.
fn with_settings(arguments: &[OsString]) -> Command {
    let settings = settings_in_force(arguments);
    let command = Cli::command();
    let before = command.get_after_help().map(ToString::to_string);
    command
        .after_long_help(format!("{}\n\n{settings}", before.unwrap_or_default()))
        .mut_subcommand("serve", |serve| serve.after_long_help(settings))
}

fn settings_in_force(arguments: &[OsString]) -> String {
    let (global, serve) = flags(arguments);
    match Config::from_sources(&sources(&global, &serve)) {
        Ok(config) => {
            let settings = lines(&in_force(&global, &serve, &config));
            format!("Settings in force:\n  {}", settings.replace('\n', "\n  "))
        }
        Err(error) => format!("No settings are in force: {}", sentence(&error)),
    }
}

/// The flags that stand beside the question for help.
fn flags(arguments: &[OsString]) -> (GlobalFlags, ServeFlags) {
    let asks = |argument: &OsString| ["--help", "-h", "help"].iter().any(|word| argument == word);
    let others = arguments.iter().filter(|argument| !asks(argument));
    let Ok(read) = Cli::command().ignore_errors(true).try_get_matches_from(others) else {
        return (GlobalFlags::default(), ServeFlags::default());
    };
    let global = GlobalFlags::from_arg_matches(&read).unwrap_or_default();
    let serve = read.subcommand_matches("serve").map(ServeFlags::from_arg_matches);
    (global, serve.and_then(Result::ok).unwrap_or_default())
}
