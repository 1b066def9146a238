//! Where the database is, as PostgreSQL's own programs are told.

use std::path::Path;

use pharos_domain::store::StoreError;
use tokio_postgres::{
    Config,
    config::{Host, SslMode, TargetSessionAttrs},
};

use crate::connector::{TlsOptions, take_tls_options};

/// Where systems keep the authorities that their owner trusts.
const AUTHORITIES: [&str; 3] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/cert.pem",
];

/// The environment by which `pg_dump` and `pg_restore` connect as Pharos does: on a command line others could read the
/// password. `database` is another than the URL's.
///
/// # Errors
/// The URL can't be read.
pub fn environment(
    url: &str,
    database: Option<&str>,
    application: &str,
) -> Result<Vec<(&'static str, String)>, StoreError> {
    let (url, tls) = take_tls_options(url)?;
    let config: Config = url.parse().map_err(|error| StoreError::Failed(Box::new(error)))?;
    let mut environment = vec![
        ("PGAPPNAME", application.to_owned()),
        ("PGCONNECT_TIMEOUT", "10".to_owned()),
        ("PGCLIENTENCODING", "UTF8".to_owned()),
    ];
    let mut set = |name, value: Option<String>| environment.extend(value.map(|value| (name, value)));
    set("PGHOST", joined(config.get_hosts(), host));
    set("PGHOSTADDR", joined(config.get_hostaddrs(), ToString::to_string));
    set("PGPORT", joined(config.get_ports(), ToString::to_string));
    set("PGUSER", config.get_user().map(str::to_owned));
    let password = config.get_password().map(String::from_utf8_lossy);
    set("PGPASSWORD", password.map(std::borrow::Cow::into_owned));
    set("PGDATABASE", database.or(config.get_dbname()).map(str::to_owned));
    set("PGOPTIONS", config.get_options().map(str::to_owned));
    if config.get_target_session_attrs() == TargetSessionAttrs::ReadWrite {
        set("PGTARGETSESSIONATTRS", Some("read-write".to_owned()));
    }
    let local = config
        .get_hosts()
        .iter()
        .all(|host| matches!(host, Host::Unix(_)));
    let (mode, authorities) = if local { ("disable", None) } else { mode(&tls) };
    set("PGSSLMODE", Some(mode.to_owned()));
    set("PGSSLROOTCERT", authorities);
    Ok(environment)
}

/// A database's name as an argument: a name may look like an address.
#[must_use]
pub fn dbname(name: &str) -> String {
    let escaped = name.replace('\\', "\\\\").replace('\'', "\\'");
    format!("dbname='{escaped}'")
}

fn joined<T>(parts: &[T], text: impl Fn(&T) -> String) -> Option<String> {
    let parts: Vec<String> = parts.iter().map(text).collect();
    (!parts.is_empty()).then(|| parts.join(","))
}

fn host(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(folder) => folder.to_string_lossy().into_owned(),
    }
}

/// Where a certificate is checked at all, so is the name in it, as by Pharos itself.
fn mode(tls: &TlsOptions) -> (&'static str, Option<String>) {
    let given = tls.authorities.as_ref().map(|path| path.display().to_string());
    match (tls.verify, tls.mode) {
        // libpq trusts nobody unless it is told whom.
        (true, _) => ("verify-full", given.or_else(system_authorities)),
        (false, SslMode::Disable) => ("disable", None),
        (false, SslMode::Require) => ("require", None),
        (false, _) => ("prefer", None),
    }
}

fn system_authorities() -> Option<String> {
    let found = AUTHORITIES.iter().find(|path| Path::new(path).is_file());
    found.map(|path| (*path).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(url: &str, database: Option<&str>, name: &str) -> Option<String> {
        let environment = environment(url, database, "pharos backup").unwrap();
        environment
            .into_iter()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    #[test]
    fn the_programs_connect_as_pharos_does() {
        let own = "postgres://pharos:se%2Fcret@/pharos?host=/run/pharos-0a";
        assert_eq!(told(own, None, "PGHOST").as_deref(), Some("/run/pharos-0a"));
        assert_eq!(told(own, None, "PGPASSWORD").as_deref(), Some("se/cret"));
        assert_eq!(told(own, None, "PGDATABASE").as_deref(), Some("pharos"));
        assert_eq!(told(own, Some("other"), "PGDATABASE").as_deref(), Some("other"));
        assert_eq!(told(own, None, "PGSSLMODE").as_deref(), Some("disable"));
        let far = "postgres://u@a:5433,b:5434/x?sslmode=verify-full&sslrootcert=%2Fca.pem";
        assert_eq!(told(far, None, "PGHOST").as_deref(), Some("a,b"));
        assert_eq!(told(far, None, "PGPORT").as_deref(), Some("5433,5434"));
        assert_eq!(told(far, None, "PGSSLMODE").as_deref(), Some("verify-full"));
        assert_eq!(told(far, None, "PGSSLROOTCERT").as_deref(), Some("/ca.pem"));
        assert_eq!(
            told("postgres://u@a/x", None, "PGSSLMODE").as_deref(),
            Some("prefer")
        );
        assert_eq!(told("postgres://u@a/x", None, "PGPASSWORD"), None);
    }
}
