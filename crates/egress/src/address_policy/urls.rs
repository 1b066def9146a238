//! Faults of a URL that show before its name is looked up.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use super::{AddressFault, AddressPolicy};

/// The longest URL that is requested, in bytes.
pub const MAX_URL_LENGTH: usize = 2048;

/// Why a URL cannot be asked. The texts are for whoever wrote the URL.
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
    #[error(
        "the host name is internal: only public names can be checked, unless the operator names networks in probe_networks"
    )]
    InternalName,
    /// An address stands in place of a name, and is not allowed.
    #[error(transparent)]
    Address(#[from] AddressFault),
}

impl UrlFault {
    /// Whether the host itself can't be asked.
    #[must_use]
    pub const fn is_of_host(&self) -> bool {
        matches!(self, Self::Host | Self::InternalName | Self::Address(_))
    }
}

impl AddressPolicy {
    /// Everything that is wrong with a URL that someone wants to have asked, as far as it can be told without
    /// looking up its name. Without a fault there is no permission to connect yet: that is
    /// [`AddressPolicy::check_all`]'s.
    #[must_use]
    pub fn url_faults(&self, url: &Url) -> Vec<UrlFault> {
        let fragment = url.fragment().map(|_| UrlFault::Fragment);
        fragment.into_iter().chain(self.target_faults(url)).collect()
    }

    /// The same of a URL that a server redirects to, where a fragment is usual and harmless.
    #[must_use]
    pub fn target_faults(&self, url: &Url) -> Vec<UrlFault> {
        let has_scheme = matches!(url.scheme(), "http" | "https");
        let has_userinfo = !url.username().is_empty() || url.password().is_some();
        let port = url.port_or_known_default().filter(|port| *port != 0);
        let host = match url.host() {
            None => Err(UrlFault::Host),
            Some(Host::Domain(name)) => self.check_name(name),
            Some(Host::Ipv4(ip)) => self.check_literal(ip.into(), port),
            Some(Host::Ipv6(ip)) => self.check_literal(ip.into(), port),
        };
        let found = [
            (!has_scheme).then_some(UrlFault::Scheme),
            has_userinfo.then_some(UrlFault::Userinfo),
            (url.as_str().len() > MAX_URL_LENGTH).then_some(UrlFault::Length),
            (has_scheme && port.is_none()).then_some(UrlFault::Port),
            host.err(),
        ];
        found.into_iter().flatten().collect()
    }

    /// Judges a URL that someone wants to have asked.
    ///
    /// # Errors
    /// The first of [`AddressPolicy::url_faults`].
    pub fn check_url(&self, url: &Url) -> Result<(), UrlFault> {
        self.url_faults(url).into_iter().next().map_or(Ok(()), Err)
    }

    /// Judges a URL that a server redirects to.
    ///
    /// # Errors
    /// The first of [`AddressPolicy::target_faults`].
    pub fn check_target(&self, url: &Url) -> Result<(), UrlFault> {
        self.target_faults(url).into_iter().next().map_or(Ok(()), Err)
    }

    fn check_literal(&self, address: IpAddr, port: Option<u16>) -> Result<(), UrlFault> {
        self.check(SocketAddr::new(address, port.unwrap_or_default()))?;
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
pub const INTERNAL_ZONES: &[&str] = &["internal", "lan", "local", "localdomain", "localhost", "onion"];
