//! From the command line to the command.

use std::{io::Write, process::ExitCode};

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use pharos_http::openapi::{document::document, reference};
use pharos_persistence::pool::{Database, DatabaseOptions};

use crate::{
    admin, backup,
    cli::{Cli, Command},
    config::Config,
    database::Server,
    doctor,
    flags::{GlobalFlags, ServeFlags},
    groups::{SCHEMAS, database_options},
    healthcheck, logging,
    registry::registry,
    serve, settings,
};

/// Runs the command. Called from the main thread, since Pharos's own PostgreSQL is a child of it.
///
/// # Errors
/// The configuration can't be read, the database can't be used, or the command itself failed.
pub fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    let Cli { command, global } = cli;
    match command {
        Command::Openapi { reference } => openapi(reference),
        Command::Healthcheck => {
            healthcheck::run(&Config::load(&global, &ServeFlags::default())?).map(|()| ExitCode::SUCCESS)
        }
        Command::Completions { shell } => completions(shell),
        Command::Settings => {
            say(settings::markdown::page(&Config::default())?.trim_end()).map(|()| ExitCode::SUCCESS)
        }
        Command::Doctor { json } => doctor::run(&global, json),
        Command::Serve(flags) => {
            let reread = || Config::load(&global, &flags);
            serve::run(configure(&global, &flags)?, flags.demo, &reread).map(|()| ExitCode::SUCCESS)
        }
        Command::Migrate => with_database(&configure(&global, &ServeFlags::default())?, async |database| {
            let applied = database.migrate(SCHEMAS).await?;
            if applied.is_empty() {
                say("The schema is up to date.")?;
            } else {
                say(&format!("Applied {applied}."))?;
            }
            Ok(ExitCode::SUCCESS)
        }),
        Command::Backup { file } => backup::backup(&configure(&global, &ServeFlags::default())?, &file),
        Command::Restore { file, replace } => {
            backup::restore(&configure(&global, &ServeFlags::default())?, &file, replace)
        }
        Command::Admin { json, command } => {
            let config = configure(&global, &ServeFlags::default())?;
            with_database(&config, async |database| {
                // A program of an older release than the nodes finds nothing pending, and so leaves their newer functions as they
                // are.
                if !database.pending_migrations(SCHEMAS).await?.is_empty() {
                    database.migrate(SCHEMAS).await?;
                }
                let answer = admin::run(command, database, &config).await?;
                say(&if json {
                    answer.json()?
                } else {
                    answer.text(admin::terminal_columns())
                })?;
                Ok(answer.exit_code())
            })
        }
    }
}

/// Reads the configuration, and starts the log as it says.
fn configure(global: &GlobalFlags, flags: &ServeFlags) -> anyhow::Result<Config> {
    let config = Config::load(global, flags)?;
    logging::start(&config);
    Ok(config)
}

/// Opens the database for the length of one command.
fn with_database(
    config: &Config,
    work: impl AsyncFnOnce(Database) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let server = Server::open_for_command(config)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = runtime.block_on(async {
        let options = DatabaseOptions {
            pool_size: 2,
            application_name: "pharos command".to_owned(),
            ..database_options()
        };
        let database = Database::connect(server.url(), &options)
            .await
            .context("the database can't be used")?;
        work(database).await
    });
    drop(runtime);
    server.close();
    done
}

fn openapi(as_table: bool) -> anyhow::Result<ExitCode> {
    let registry = registry()?;
    if as_table {
        say(reference::markdown(&registry).trim_end())?;
    } else {
        say(&serde_json::to_string_pretty(&document(&registry, "/"))?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pharos", &mut script);
    say(String::from_utf8(script)?.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a line. A reader that has gone away is no error.
fn say(text: &str) -> anyhow::Result<()> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}
