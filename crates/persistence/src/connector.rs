//! Opens connections: the URL, TLS, timeouts.

use std::{path::PathBuf, time::Duration};

use pharos_domain::store::StoreError;
use tokio_postgres::{
    CancelToken, Client, Config, Connection, Socket,
    config::{Host, SslMode},
    tls::MakeTlsConnect,
};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{failure, tls};

/// A connection's side that does the talking; it has to be polled.
pub(crate) type Wire = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// Where the database is, and how to talk to it.
#[derive(Clone)]
pub(crate) struct Connector {
    config: Config,
    tls: MakeRustlsConnect,
    within: Duration,
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectFault {
    /// The server, or the way to it.
    #[error(transparent)]
    Server(#[from] tokio_postgres::Error),
    /// It did not answer in time.
    #[error("the database did not answer within {0:?}")]
    Late(Duration),
}

impl From<ConnectFault> for StoreError {
    fn from(fault: ConnectFault) -> Self {
        match fault {
            ConnectFault::Server(error) => failure::connection_failure(error),
            late @ ConnectFault::Late(_) => Self::Unavailable(Box::new(late)),
        }
    }
}

impl Connector {
    /// Reads a URL. `within` bounds how long a connection may take to come about.
    pub(crate) fn new(url: &str, within: Duration) -> Result<Self, StoreError> {
        let (url, wanted) = take_tls_options(url)?;
        // The parser's message names the part that it does not understand, never the password.
        let mut config: Config = url.parse().map_err(|error| StoreError::Failed(Box::new(error)))?;
        let local = config
            .get_hosts()
            .iter()
            .all(|host| matches!(host, Host::Unix(_)));
        config
            .ssl_mode(if local { SslMode::Disable } else { wanted.mode })
            .connect_timeout(within)
            .tcp_user_timeout(Duration::from_secs(5))
            .keepalives_idle(Duration::from_secs(15))
            .keepalives_interval(Duration::from_secs(5))
            .keepalives_retries(2);
        let tls = tls::connector(wanted.verify, wanted.authorities.as_deref())?;
        Ok(Self { config, tls, within })
    }

    /// The same server, another database.
    pub(crate) fn on(mut self, database: &str) -> Self {
        self.config.dbname(database);
        self
    }

    /// Opens a connection that calls itself `application_name`.
    pub(crate) async fn open(&self, application_name: &str) -> Result<(Client, Wire), ConnectFault> {
        let mut config = self.config.clone();
        config.application_name(application_name);
        match tokio::time::timeout(self.within, config.connect(self.tls.clone())).await {
            Ok(opened) => Ok(opened?),
            Err(_) => Err(ConnectFault::Late(self.within)),
        }
    }

    /// Asks the server to end the statement that runs on a connection.
    pub(crate) async fn cancel(&self, token: &CancelToken) -> Result<(), ConnectFault> {
        match tokio::time::timeout(self.within, token.cancel_query(self.tls.clone())).await {
            Ok(asked) => Ok(asked?),
            Err(_) => Err(ConnectFault::Late(self.within)),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TlsOptions {
    pub(crate) mode: SslMode,
    pub(crate) verify: bool,
    pub(crate) authorities: Option<PathBuf>,
}

/// Takes `sslmode` and `sslrootcert` out of a URL: the driver knows only some of their values.
pub(crate) fn take_tls_options(url: &str) -> Result<(String, TlsOptions), StoreError> {
    let refuse = |why: String| StoreError::Failed(why.into());
    if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
        return Err(refuse(
            "the database's URL begins with postgres:// or postgresql://".to_owned(),
        ));
    }
    let (address, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut mode, mut authorities) = (None, None);
    let mut rest = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = || {
            percent_encoding::percent_decode_str(value)
                .decode_utf8_lossy()
                .into_owned()
        };
        match key {
            "sslmode" => mode = Some(value()),
            "sslrootcert" => authorities = Some(value()).filter(|path| path != "system").map(PathBuf::from),
            _ => rest.push(pair),
        }
    }
    // Stricter than libpq in one point: where a certificate is checked at all, so is the name in it.
    let (mode, verify) = match mode.as_deref() {
        Some("disable") => (SslMode::Disable, false),
        None | Some("allow" | "prefer") => (SslMode::Prefer, false),
        Some("require") => (SslMode::Require, authorities.is_some()),
        Some("verify-ca" | "verify-full") => (SslMode::Require, true),
        Some(other) => {
            return Err(refuse(format!(
                "sslmode {other:?} is none of disable, prefer, require, verify-full"
            )));
        }
    };
    let mut plain = address.to_owned();
    if !rest.is_empty() {
        plain = format!("{address}?{}", rest.join("&"));
    }
    let options = TlsOptions {
        mode,
        verify,
        authorities,
    };
    Ok((plain, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(url: &str) -> (String, SslMode, bool) {
        let (plain, options) = take_tls_options(url).unwrap();
        (plain, options.mode, options.verify)
    }

    #[test]
    fn sslmode_means_what_libpq_means() {
        for (query, mode, verify) in [
            ("", SslMode::Prefer, false),
            ("?sslmode=disable", SslMode::Disable, false),
            ("?sslmode=require", SslMode::Require, false),
            ("?sslmode=require&sslrootcert=%2Fca.pem", SslMode::Require, true),
            ("?sslmode=verify-full", SslMode::Require, true),
        ] {
            let plain = "postgres://pharos@db.example/pharos";
            assert_eq!(
                options(&format!("{plain}{query}")),
                (plain.to_owned(), mode, verify),
                "{query}"
            );
        }
        let (plain, ..) = options("postgres://db/x?sslmode=prefer&target_session_attrs=read-write");
        assert_eq!(plain, "postgres://db/x?target_session_attrs=read-write");
    }

    #[test]
    fn what_is_no_database_url_is_refused() {
        for bad in [
            "",
            "host=localhost",
            "mysql://db/x",
            "postgres://db/x?sslmode=maybe",
        ] {
            assert!(take_tls_options(bad).is_err(), "{bad}");
        }
        assert!(Connector::new("postgres://db:port/x", Duration::from_secs(1)).is_err());
    }
}
