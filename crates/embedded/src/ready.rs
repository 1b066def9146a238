//! Asks a starting server whether it is ready, and makes the database where it is missing.

use std::path::Path;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error, NoTls};

use super::cluster::{Password, SUPERUSER};
use super::errors::{Context as _, EmbeddedError};
use super::log::Log;

const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The answer of a server that was asked whether it is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// It runs a statement in the database.
    Ready,
    /// It isn't there yet, or still recovers.
    NotYet,
}

/// Connects as Pharos will.
pub(super) struct Probe<'a> {
    config: Config,
    database: &'a str,
    password_file: &'a Path,
    runtime: Runtime,
}

impl<'a> Probe<'a> {
    pub(super) fn new(
        socket_folder: &Path,
        password: &Password,
        database: &'a str,
        password_file: &'a Path,
    ) -> Result<Self, EmbeddedError> {
        let mut config = Config::new();
        config
            .host_path(socket_folder)
            .user(SUPERUSER)
            .password(password.as_str());
        config.application_name("pharos start");
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .context("wait for", socket_folder)?;
        Ok(Self {
            config,
            database,
            password_file,
            runtime,
        })
    }

    /// Tries a real exchange; an error is one that waiting doesn't help against.
    pub(super) fn ask(&self, log: &Log) -> Result<Answer, EmbeddedError> {
        let tried = self
            .runtime
            .block_on(async { tokio::time::timeout(ANSWER_WITHIN, self.try_once()).await });
        match tried {
            Ok(Ok(())) => Ok(Answer::Ready),
            Ok(Err(error)) => match error.code() {
                None | Some(&SqlState::CANNOT_CONNECT_NOW) => Ok(Answer::NotYet),
                Some(&SqlState::INVALID_PASSWORD) => Err(EmbeddedError::PasswordRefused {
                    path: self.password_file.to_owned(),
                }),
                Some(_) => {
                    let (doing, log) = ("to set the database up", log.path().to_owned());
                    Err(EmbeddedError::Database {
                        doing,
                        log,
                        source: error,
                    })
                }
            },
            Err(_) => Ok(Answer::NotYet),
        }
    }

    async fn try_once(&self) -> Result<(), Error> {
        let client = match self.connect(self.database).await {
            Err(error) if error.code() == Some(&SqlState::INVALID_CATALOG_NAME) => {
                let client = self.connect("postgres").await?;
                let name = self.database.replace('"', "\"\"");
                client
                    .batch_execute(&format!("CREATE DATABASE \"{name}\""))
                    .await?;
                self.connect(self.database).await?
            }
            other => other?,
        };
        client.simple_query("SELECT 1").await.map(drop)
    }

    async fn connect(&self, database: &str) -> Result<Client, Error> {
        let (client, connection) = self.config.clone().dbname(database).connect(NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }
}
