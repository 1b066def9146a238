//! The server that another Pharos runs on a data folder, for commands beside a running node.

use std::fs;

use super::cluster::{self, Password};
use super::errors::{Context as _, EmbeddedError};
use super::folder::DataFolder;
use super::{EmbeddedOptions, database_url};

/// The address of the server that another Pharos on this machine runs on the data folder; `None` when none does.
/// It holds the password: never log it.
///
/// # Errors
/// The data folder is another's, or what lies in it can't be read.
pub fn running_database_url(options: &EmbeddedOptions) -> Result<Option<String>, EmbeddedError> {
    if !options.data_folder.exists() {
        return Ok(None);
    }
    let held = match DataFolder::open(&options.data_folder) {
        Ok(_) => return Ok(None),
        Err(held @ EmbeddedError::AnotherPharos { .. }) => held,
        Err(error) => return Err(error),
    };
    let folder = fs::canonicalize(&options.data_folder).context("look at", &options.data_folder)?;
    let pid_file = folder.join("cluster/postmaster.pid");
    let lines = match fs::read_to_string(&pid_file) {
        Ok(lines) => lines,
        // It holds the folder, but its server is not up yet, or no longer.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(held),
        Err(error) => return Err(error).context("read", &pid_file),
    };
    // The fifth line of postmaster.pid is the socket's folder (PostgreSQL's miscadmin.h).
    let socket_folder = lines.lines().nth(4).filter(|line| !line.is_empty());
    let password: Option<Password> = cluster::password_in(&folder)?;
    match (socket_folder, password) {
        (Some(socket_folder), Some(password)) => Ok(Some(database_url(
            &password,
            socket_folder.as_ref(),
            &options.database,
        ))),
        _ => Err(held),
    }
}
