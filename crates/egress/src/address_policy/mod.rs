//! Which addresses the platform may connect to: public unicast, and what configuration adds to it.

mod ranges;
mod urls;

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use ipnet::IpNet;

pub use self::ranges::AddressKind;
pub use self::urls::{INTERNAL_ZONES, MAX_URL_LENGTH, UrlFault};

/// Decides, for every outgoing connection, whether an address may be connected to.
///
/// The policy judges addresses, not names: a name is resolved once, the answer is judged here, and the
/// connection goes to an [`AllowedAddr`] that came out of that judgement. There is no second look-up
/// between the two, so a name that changes its answer gains nothing. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub struct AddressPolicy {
    ranges: Arc<[IpNet]>,
    sockets: Arc<[SocketAddr]>,
    names: Arc<[String]>,
}

/// A socket address that a policy has allowed; only [`AddressPolicy`] can make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllowedAddr(SocketAddr);

/// Why an address was refused.
///
/// Neither its text nor its `Debug` names the address: they may be shown to whoever configured the URL, and what a name
/// resolves to on the inside of a network is not for them to read.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the address is not allowed: only public addresses can be checked, unless the operator names their network in probe_networks"
)]
pub struct AddressFault {
    /// The kind of address it is. For logs.
    pub kind: AddressKind,
    /// The address. For whom it is no secret.
    pub address: IpAddr,
}

impl fmt::Debug for AddressFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AddressFault")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl AddressPolicy {
    /// Allows public unicast addresses and nothing else.
    #[must_use]
    pub fn public() -> Self {
        Self::default()
    }

    /// Also allows every address in `ranges`, whatever its kind. Internal names (`intranet`,
    /// `db.internal`) become acceptable too, since it is what they resolve to that decides.
    #[must_use]
    pub fn permitting(self, ranges: Vec<IpNet>) -> Self {
        Self {
            ranges: self.ranges.iter().copied().chain(ranges).collect(),
            ..self
        }
    }

    /// Also allows exactly this address with exactly this port.
    #[must_use]
    pub fn permitting_exactly(self, socket: SocketAddr) -> Self {
        Self {
            sockets: self.sockets.iter().copied().chain([socket]).collect(),
            ..self
        }
    }

    /// Also accepts this internal name. Where it leads is still judged by its addresses.
    #[must_use]
    pub fn permitting_name(self, name: &str) -> Self {
        Self {
            names: self
                .names
                .iter()
                .cloned()
                .chain([name.to_ascii_lowercase()])
                .collect(),
            ..self
        }
    }

    /// Whether `addr` may be connected to.
    #[must_use]
    pub fn allows(&self, addr: SocketAddr) -> bool {
        self.check(addr).is_ok()
    }

    /// Judges one address.
    ///
    /// # Errors
    /// Says what kind of address it is, if it is not allowed.
    pub fn check(&self, addr: SocketAddr) -> Result<AllowedAddr, AddressFault> {
        // An IPv4-mapped address reaches the IPv4 host, so it is that host which is judged.
        let addr = SocketAddr::new(addr.ip().to_canonical(), addr.port());
        if self.sockets.iter().any(|socket| same_socket(*socket, addr)) || self.in_permitted_range(addr.ip())
        {
            return Ok(AllowedAddr(addr));
        }
        let kind = match addr.ip() {
            IpAddr::V4(ip) => ranges::kind_of_v4(ip),
            IpAddr::V6(ip) => self.kind_of_v6(ip),
        };
        match kind {
            AddressKind::Public => Ok(AllowedAddr(addr)),
            kind => Err(AddressFault {
                kind,
                address: addr.ip(),
            }),
        }
    }

    /// Judges all that a name resolved to.
    ///
    /// One forbidden address refuses the whole name. Dropping it and using the rest would work as well
    /// against a plain answer, but then what a check does would depend on the order and the number of
    /// addresses that an attacker chooses, and whoever misconfigured a name would never be told.
    ///
    /// # Errors
    /// The first address that is not allowed.
    pub fn check_all(&self, addrs: &[SocketAddr]) -> Result<Vec<AllowedAddr>, AddressFault> {
        addrs.iter().map(|addr| self.check(*addr)).collect()
    }

    fn permits_internal_names(&self) -> bool {
        !self.ranges.is_empty()
    }

    fn in_permitted_range(&self, ip: IpAddr) -> bool {
        self.ranges.iter().any(|range| range.contains(&ip))
    }

    /// An IPv6 address that carries an IPv4 one is judged by what it carries, permitted ranges included,
    /// since that is the host which a translator or a tunnel will deliver to.
    fn kind_of_v6(&self, ip: Ipv6Addr) -> AddressKind {
        match ranges::kind_of_v6(ip) {
            ranges::V6Kind::Plain(kind) => kind,
            ranges::V6Kind::Carries(inner) => self.kind_of_carried(inner),
        }
    }

    fn kind_of_carried(&self, inner: Ipv4Addr) -> AddressKind {
        if self.in_permitted_range(IpAddr::V4(inner)) {
            AddressKind::Public
        } else {
            ranges::kind_of_v4(inner)
        }
    }
}

impl AllowedAddr {
    /// The address, in its canonical form (an IPv4-mapped one has become IPv4).
    #[must_use]
    pub fn get(self) -> SocketAddr {
        self.0
    }
}

/// Compares what is connected to: flow label and scope of an IPv6 socket do not matter.
fn same_socket(permitted: SocketAddr, addr: SocketAddr) -> bool {
    permitted.ip().to_canonical() == addr.ip() && permitted.port() == addr.port()
}
