//! Where a channel leads, as the command line says it: a command for each kind, with an option for each of its fields.

use anyhow::Context;
use clap::{Arg, ArgMatches, Command, FromArgMatches, Subcommand, error::ErrorKind};
use pharos_alerting::delivery::{
    kind::{ChannelKind, FieldInput, TargetField},
    target::Target,
};

/// Where a channel leads. A secret may be given as `-`: then it is read from standard input, which other users of the
/// machine can't see.
#[derive(Debug)]
pub struct TargetArgs {
    kind: ChannelKind,
    values: ArgMatches,
}

impl TargetArgs {
    pub(super) fn target(&self) -> anyhow::Result<Target> {
        let mut values = Vec::new();
        for field in self.kind.spec().fields {
            values.push((field.name, self.value(field)?));
        }
        let value = |field: &TargetField| {
            let found = values.iter().find(|(name, _)| *name == field.name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        Ok(Target::filled(self.kind, value)?)
    }

    /// A value as it was given, or the line of standard input.
    fn value(&self, field: &TargetField) -> anyhow::Result<String> {
        let given: Option<&String> = self.values.get_one(field.name);
        let given = given.cloned().unwrap_or_default();
        if !field.is_secret() || given != "-" {
            return Ok(given);
        }
        let mut line = String::new();
        std::io::stdin()
            .read_line(&mut line)
            .context("the secret can't be read from standard input")?;
        Ok(line)
    }
}

impl FromArgMatches for TargetArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = matches.subcommand();
        let known = given.and_then(|(kind, values)| Some((kind.parse().ok()?, values.clone())));
        let (kind, values) = known.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { kind, values })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for TargetArgs {
    fn augment_subcommands(command: Command) -> Command {
        ChannelKind::ALL.iter().fold(command, |command, kind| {
            let spec = kind.spec();
            let of_kind = Command::new(kind.as_str()).about(spec.about);
            command.subcommand(of_kind.args(spec.fields.iter().map(option)))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        name.parse::<ChannelKind>().is_ok()
    }
}

fn option(field: &TargetField) -> Arg {
    let option = Arg::new(field.name)
        .long(field.name.replace('_', "-"))
        .help(format!("{}. {}", field.label, field.hint));
    match field.input {
        FieldInput::Choice(choices) => option.value_parser(choices.to_vec()).default_value(choices[0]),
        _ => option.required(!field.is_optional),
    }
}
