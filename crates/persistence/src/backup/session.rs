//! A connection of its own, without a limit on statements.

use std::time::Duration;

use pharos_domain::store::StoreError;
use tokio_postgres::{Client, Error, SimpleQueryMessage, SimpleQueryRow};

use crate::connector::Connector;

const CONNECT_WITHIN: Duration = Duration::from_secs(10);

/// Statements run as long as they take, and a session waits as long as a program beside it works.
const UNHURRIED: &str = "SET statement_timeout = 0; SET lock_timeout = 0; \
    SET idle_in_transaction_session_timeout = 0; SET idle_session_timeout = 0";

/// Connects to the URL's database, or to another of that server.
pub(super) async fn open(url: &str, database: Option<&str>, name: &str) -> Result<Client, StoreError> {
    let mut connector = Connector::new(url, CONNECT_WITHIN)?;
    if let Some(database) = database {
        connector = connector.on(database);
    }
    let (client, wire) = connector.open(name).await?;
    tokio::spawn(wire);
    run(&client, UNHURRIED).await?;
    Ok(client)
}

pub(super) async fn run(client: &Client, statements: &str) -> Result<(), StoreError> {
    client.batch_execute(statements).await.map_err(failure)
}

/// The rows that a statement without parameters gives.
pub(super) async fn rows(client: &Client, statement: &str) -> Result<Vec<SimpleQueryRow>, StoreError> {
    let messages = client.simple_query(statement).await.map_err(failure)?;
    Ok(messages
        .into_iter()
        .filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => Some(row),
            _ => None,
        })
        .collect())
}

/// The server's own words, or that there is no server.
pub(super) fn failure(error: Error) -> StoreError {
    match error.as_db_error() {
        Some(refusal) => {
            let detail = refusal
                .detail()
                .map(|detail| format!(" ({detail})"))
                .unwrap_or_default();
            StoreError::Failed(format!("{}{detail}", refusal.message()).into())
        }
        None => StoreError::Unavailable(Box::new(error)),
    }
}

/// The one value that a statement gives.
pub(super) async fn value(client: &Client, statement: &str) -> Result<String, StoreError> {
    let rows = rows(client, statement).await?;
    let value = rows.first().and_then(|row| row.get(0)).map(str::to_owned);
    value
        .ok_or_else(|| StoreError::Corrupt("the database gave no value where there is always one".to_owned()))
}

/// A name or a text as part of a statement.
pub(super) fn quoted(text: &str, quote: char) -> String {
    let doubled = text.replace(quote, &format!("{quote}{quote}"));
    format!("{quote}{doubled}{quote}")
}

/// A text as a literal: a backslash means itself, whatever the server's settings.
pub(super) fn literal(text: &str) -> String {
    format!("E{}", quoted(&text.replace('\\', "\\\\"), '\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_end_its_quotes() {
        assert_eq!(quoted("a\"b", '"'), "\"a\"\"b\"");
        assert_eq!(literal("a'b\\"), "E'a''b\\\\'");
    }
}
