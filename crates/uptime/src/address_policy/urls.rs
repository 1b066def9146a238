//! What can be said against a URL before its name is looked up.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use super::{AddressFault, AddressPolicy};

/// The longest URL that is asked for, in bytes.
pub const MAX_URL_LENGTH: usize = 2048;

/// Why a URL cannot be probed. The texts are for whoever wrote the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlFault {
    /// Neither http nor https.
    #[error("the URL must begin with http:// or https://")]
    Scheme,
    /// A user name or a password stands before the host.
    #[error("the URL must not contain a user name or password")]
    Userinfo,
    /// There is no host.
    #[error("the URL must name a host")]
    Host,
    /// There is a fragment, which is never sent to a server.
    #[error("the URL must not contain a fragment")]
    Fragment,
    /// Port 0 cannot be connected to.
    #[error("the URL must not use port 0")]
    Port,
    /// Longer than [`MAX_URL_LENGTH`].
    #[error("the URL must not be longer than {MAX_URL_LENGTH} characters")]
    Length,
    /// A name that means something only inside a network.
    #[error("the host name is internal: only public names can be checked")]
    InternalName,
    /// An address stands in place of a name, and is not allowed.
    #[error(transparent)]
    Address(#[from] AddressFault),
}

impl AddressPolicy {
    /// Says what is wrong with a URL that someone wants to have probed, as far as it can be told without
    /// looking up its name. Passing is no permission to connect: that is [`AddressPolicy::check_all`]'s.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check_url(&self, url: &Url) -> Result<(), UrlFault> {
        if url.fragment().is_some() {
            return Err(UrlFault::Fragment);
        }
        self.check_target(url)
    }

    /// The same for a URL that a server redirects to, where a fragment is usual and harmless.
    pub(crate) fn check_target(&self, url: &Url) -> Result<(), UrlFault> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(UrlFault::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(UrlFault::Userinfo);
        }
        if url.as_str().len() > MAX_URL_LENGTH {
            return Err(UrlFault::Length);
        }
        let port = match url.port_or_known_default() {
            None | Some(0) => return Err(UrlFault::Port),
            Some(port) => port,
        };
        let literal = match url.host() {
            None => return Err(UrlFault::Host),
            Some(Host::Domain(name)) => return self.check_name(name),
            Some(Host::Ipv4(ip)) => IpAddr::V4(ip),
            Some(Host::Ipv6(ip)) => IpAddr::V6(ip),
        };
        self.check(SocketAddr::new(literal, port))?;
        Ok(())
    }

    fn check_name(&self, name: &str) -> Result<(), UrlFault> {
        let name = name.strip_suffix('.').unwrap_or(name);
        if name.is_empty() {
            return Err(UrlFault::Host);
        }
        if self.permits_internal_names() || self.names.iter().any(|known| known == name) {
            return Ok(());
        }
        // `url` has lowered the case already.
        match name.rsplit_once('.') {
            None => Err(UrlFault::InternalName),
            Some((_, last)) if INTERNAL_ZONES.contains(&last) => Err(UrlFault::InternalName),
            Some(_) if name == "home.arpa" || name.ends_with(".home.arpa") => Err(UrlFault::InternalName),
            Some(_) => Ok(()),
        }
    }
}

/// Top-level labels that never lead to a public website.
pub(crate) const INTERNAL_ZONES: &[&str] = &["internal", "lan", "local", "localdomain", "localhost", "onion"];
