//! From the command line to the command.

use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use pharos_http::openapi::{document::document, reference};
use pharos_persistence::pool::{Database, DatabaseOptions};
use serde_json::json;

use crate::{
    admin,
    answer::{Answer, say},
    backup,
    cli::{Cli, Command},
    config::{self, Config},
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
        Command::Doctor(form) => doctor::run(&global)?.print(form),
        Command::Serve(flags) => {
            let reread = || Config::load(&global, &flags);
            serve::run(configure(&global, &flags)?, flags.demo, &reread).map(|()| ExitCode::SUCCESS)
        }
        Command::Migrate(form) => {
            with_database(&configure(&global, &ServeFlags::default())?, async |database| {
                let applied = database.migrate(SCHEMAS).await?;
                let words = if applied.is_empty() {
                    "The schema is up to date.".to_owned()
                } else {
                    format!("Applied {applied}.")
                };
                let answer = json!({ "migrations": applied.migrations, "functions": applied.functions });
                Ok(Answer::new(answer)?.in_words(words))
            })?
            .print(form)
        }
        Command::Backup { file, form } => {
            backup::backup(&configure(&global, &ServeFlags::default())?, &file)?.print(form)
        }
        Command::Restore { file, replace, form } => {
            let config = configure(&global, &ServeFlags::default())?;
            let is_named = config::is_set("data_folder", &global);
            backup::restore(&config, is_named, &file, replace)?.print(form)
        }
        Command::Admin { form, command } => {
            let config = configure(&global, &ServeFlags::default())?;
            let answer = with_database(&config, async |database| {
                database.refuse_older_program(SCHEMAS).await?;
                // A program of an older release than the nodes finds nothing pending, and so leaves their newer functions as they
                // are.
                if !database.pending_migrations(SCHEMAS).await?.is_empty() {
                    database.migrate(SCHEMAS).await?;
                }
                admin::run(command, database, &config).await
            })?;
            answer.print(form)
        }
    }
}

/// Reads the configuration, and starts the log as it says.
fn configure(global: &GlobalFlags, flags: &ServeFlags) -> anyhow::Result<Config> {
    let config = Config::load(global, flags)?;
    logging::start(&config)?;
    Ok(config)
}

/// Opens the database for the length of one command.
fn with_database(
    config: &Config,
    work: impl AsyncFnOnce(Database) -> anyhow::Result<Answer>,
) -> anyhow::Result<Answer> {
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
