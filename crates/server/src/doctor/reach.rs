//! How Pharos is reached, and what it may reach: settings that fit each other, and the networks around them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use ipnet::IpNet;
use url::{Host, Url};

use super::Finding;
use crate::config::Config;

/// A network of fewer bits is no private one: the largest are `10.0.0.0/8` and `fc00::/7`.
const LEAST_BITS: (u8, u8) = (8, 7);
/// Where clouds tell each of their machines its credentials: Amazon's by IPv6 too, in the midst of private addresses.
const METADATA: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254)),
    IpAddr::V6(Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)),
];

/// The address that callers know.
pub(super) fn base_url(config: &Config) -> Finding {
    const WHAT: &str = "base_url";
    let base_url = config.addresses().base_url;
    let Some(url) = config
        .base_url
        .as_deref()
        .and_then(|given| Url::parse(given).ok())
    else {
        if config.listen.ip().to_canonical().is_loopback() {
            return Finding::well(WHAT, format!("{base_url}, for callers on this machine"));
        }
        let detail = format!(
            "listen is {}, and base_url is not set: links, tokens and problems name {base_url}, which others may not reach; set \
             PHAROS_BASE_URL to the address that callers open",
            config.listen
        );
        return Finding::wrong(WHAT, &detail);
    };
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        let detail = format!(
            "{base_url} has a path, and Pharos is served at the root of its host: give it a host of its own, and set \
             PHAROS_BASE_URL to that"
        );
        return Finding::wrong(WHAT, &detail);
    }
    if url.scheme() == "http" && !is_this_machine(&url) {
        let detail = format!(
            "{base_url} is not encrypted, so keys, passwords and cookies can be read on the way: put a proxy with TLS in front, \
             and set PHAROS_BASE_URL to its https:// address"
        );
        return Finding::wrong(WHAT, &detail);
    }
    Finding::well(WHAT, base_url)
}

/// Whether the addresses of callers can be believed.
pub(super) fn proxies(config: &Config) -> Finding {
    const WHAT: &str = "trusted_hops";
    let (hops, listen) = (config.trusted_hops, config.listen);
    let is_https = config
        .base_url
        .as_deref()
        .is_some_and(|url| url.starts_with("https://"));
    let behind_tls = is_https && config.tls_listen.is_none();
    let sockets = [Some(listen), config.tls_listen];
    let open = sockets
        .into_iter()
        .flatten()
        .find_map(|socket| Some((open_at(socket)?, socket.port())));
    match (hops, open) {
        (0, _) if behind_tls => Finding::wrong(
            WHAT,
            &"base_url is https://, so a proxy stands in front, and trusted_hops is 0: all callers count as that proxy, and share \
              its limits; set PHAROS_TRUSTED_HOPS to how many proxies append to X-Forwarded-For",
        ),
        (0, _) => Finding::well(WHAT, "0: X-Forwarded-For is not read"),
        (_, Some((address, port))) => {
            let detail = format!(
                "{hops}, and {address} is a public address: whoever reaches port {port} past the proxy chooses which address they \
                 count as; let listen be an address that only the proxy reaches"
            );
            Finding::wrong(WHAT, &detail)
        }
        (_, None) => Finding::well(
            WHAT,
            format!("{hops}, as long as nobody but the proxy reaches {listen}"),
        ),
    }
}

/// Whether checks and webhooks may reach more than was meant.
pub(super) fn networks(config: &Config) -> Finding {
    const WHAT: &str = "probe_networks";
    for network in &config.probe_networks {
        if is_wide(network) {
            let detail = format!(
                "{network} is wide open: every workspace could have addresses asked that are none of its own; name the networks \
                 of the sites that are watched"
            );
            return Finding::wrong(WHAT, &detail);
        }
        if let Some(metadata) = METADATA.iter().find(|address| network.contains(*address)) {
            let detail = format!(
                "{network} has {metadata}, where clouds hand out credentials of this machine to whoever asks from it; name the \
                 networks of the sites that are watched"
            );
            return Finding::wrong(WHAT, &detail);
        }
    }
    if config.probe_networks.is_empty() {
        return Finding::well(WHAT, "none: checks and webhooks reach public addresses alone");
    }
    let named: Vec<String> = config.probe_networks.iter().map(ToString::to_string).collect();
    Finding::well(
        WHAT,
        format!(
            "checks and webhooks of every workspace reach {}",
            named.join(", ")
        ),
    )
}

fn is_wide(network: &IpNet) -> bool {
    match network {
        IpNet::V4(network) => network.prefix_len() < LEAST_BITS.0,
        IpNet::V6(network) => network.prefix_len() < LEAST_BITS.1,
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The public address of this machine that a socket at `listen` answers on, if there is one.
fn open_at(listen: SocketAddr) -> Option<IpAddr> {
    open_of(listen.ip().to_canonical(), own_addresses())
}

/// The first public one of `own` that a socket on this address answers on. One on `0.0.0.0` takes IPv4 alone, one on `::` both.
fn open_of(ip: IpAddr, mut own: impl Iterator<Item = IpAddr>) -> Option<IpAddr> {
    if ip.is_unspecified() {
        return own.find(|address| (ip.is_ipv6() || address.is_ipv4()) && is_public(*address));
    }
    is_public(ip).then_some(ip)
}

/// The addresses that this machine would go out from. Nothing is sent: the kernel only looks up the way to addresses that are
/// reserved for documentation.
fn own_addresses() -> impl Iterator<Item = IpAddr> {
    let ways: [(IpAddr, IpAddr); 2] = [
        (Ipv4Addr::UNSPECIFIED.into(), Ipv4Addr::new(192, 0, 2, 1).into()),
        (
            Ipv6Addr::UNSPECIFIED.into(),
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
        ),
    ];
    ways.into_iter().filter_map(|(from, to)| {
        let socket = UdpSocket::bind((from, 0)).ok()?;
        socket.connect((to, 9)).ok()?;
        Some(socket.local_addr().ok()?.ip())
    })
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            // Addresses that providers share among customers (RFC 6598) are not reached from outside.
            let is_shared = address.octets()[0] == 100 && address.octets()[1] & 0b1100_0000 == 64;
            !(address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_unspecified()
                || is_shared)
        }
        IpAddr::V6(address) => {
            !(address.is_loopback()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.is_unspecified())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(change: impl FnOnce(&mut Config)) -> Config {
        let mut config = Config::default();
        change(&mut config);
        config
    }

    #[track_caller]
    fn judged(finding: &Finding, well: bool, words: &str) {
        assert_eq!(finding.well, well, "{}", finding.detail);
        assert!(finding.detail.contains(words), "{}", finding.detail);
    }

    #[test]
    fn a_base_url_is_one_that_callers_can_use_in_safety() {
        for (listen, url, well, words) in [
            ("127.0.0.1:7070", None, true, "on this machine"),
            ("[::1]:7070", None, true, "on this machine"),
            ("0.0.0.0:7070", None, false, "set PHAROS_BASE_URL"),
            ("10.0.0.7:7070", None, false, "others may not reach"),
            (
                "127.0.0.1:7070",
                Some("https://pharos.example"),
                true,
                "https://pharos.example",
            ),
            (
                "127.0.0.1:7070",
                Some("https://pharos.example/"),
                true,
                "https://pharos.example",
            ),
            (
                "127.0.0.1:7070",
                Some("https://pharos.example/status"),
                false,
                "has a path",
            ),
            (
                "127.0.0.1:7070",
                Some("https://pharos.example/?a=b"),
                false,
                "has a path",
            ),
            (
                "127.0.0.1:7070",
                Some("http://pharos.example"),
                false,
                "not encrypted",
            ),
            (
                "127.0.0.1:7070",
                Some("http://10.0.0.7:7070"),
                false,
                "not encrypted",
            ),
            ("127.0.0.1:7070", Some("http://localhost:7070"), true, "localhost"),
            (
                "127.0.0.1:7070",
                Some("http://pharos.localhost"),
                true,
                "localhost",
            ),
            ("127.0.0.1:7070", Some("http://[::1]:7070"), true, "[::1]"),
        ] {
            let config = config(|config| {
                config.listen = listen.parse().unwrap();
                config.base_url = url.map(str::to_owned);
            });
            judged(&base_url(&config), well, words);
        }
    }

    #[test]
    fn hops_are_trusted_where_only_the_proxy_gets() {
        for (hops, listen, url, well, words) in [
            (0, "0.0.0.0:7070", None, true, "not read"),
            (
                0,
                "127.0.0.1:7070",
                Some("https://pharos.example"),
                false,
                "count as that proxy",
            ),
            (
                1,
                "127.0.0.1:7070",
                Some("https://pharos.example"),
                true,
                "nobody but the proxy",
            ),
            (
                1,
                "10.0.0.7:7070",
                Some("https://pharos.example"),
                true,
                "nobody but the proxy",
            ),
            (
                1,
                "[fd00::1]:7070",
                Some("https://pharos.example"),
                true,
                "nobody but the proxy",
            ),
            (
                1,
                "8.8.8.8:7070",
                Some("https://pharos.example"),
                false,
                "past the proxy",
            ),
            (1, "[::ffff:8.8.8.8]:7070", None, false, "past the proxy"),
        ] {
            let config = config(|config| {
                config.trusted_hops = hops;
                config.listen = listen.parse().unwrap();
                config.base_url = url.map(str::to_owned);
            });
            judged(&proxies(&config), well, words);
        }
    }

    /// Who speaks TLS without a proxy needs no hops, and a proxy can be gone past by either address.
    #[test]
    fn an_address_of_tls_counts_as_one_that_callers_reach() {
        for (hops, tls, well, words) in [
            (0, "0.0.0.0:443", true, "not read"),
            (1, "10.0.0.7:443", true, "nobody but the proxy"),
            (1, "8.8.8.8:443", false, "port 443 past the proxy"),
        ] {
            let config = config(|config| {
                config.trusted_hops = hops;
                config.base_url = Some("https://pharos.example".to_owned());
                config.tls_listen = Some(tls.parse().unwrap());
            });
            judged(&proxies(&config), well, words);
        }
    }

    #[test]
    fn a_socket_of_ipv4_is_not_reached_by_ipv6() {
        let (private, v4, v6) = ("10.0.0.7", "8.8.8.8", "2001:4860:4860::8888");
        for (ip, own, open) in [
            ("0.0.0.0", [private, v6], None),
            ("0.0.0.0", [v6, v4], Some(v4)),
            ("::", [private, v6], Some(v6)),
            ("::", [v4, v6], Some(v4)),
            ("::", [private, "fd00::7"], None),
            ("10.0.0.7", [v4, v6], None),
            ("8.8.8.8", [private, v6], Some(v4)),
        ] {
            let own: [IpAddr; 2] = own.map(|address| address.parse().unwrap());
            let open: Option<IpAddr> = open.map(|address| address.parse().unwrap());
            assert_eq!(open_of(ip.parse().unwrap(), own.into_iter()), open, "{ip}");
        }
    }

    #[test]
    fn networks_are_private_ones() {
        for (named, well, words) in [
            ("", true, "none"),
            ("10.0.0.0/8", true, "reach 10.0.0.0/8"),
            (
                "127.0.0.0/8 fd12:3456::/32",
                true,
                "reach 127.0.0.0/8, fd12:3456::/32",
            ),
            ("fd00:ec3::/32", true, "reach fd00:ec3::/32"),
            ("0.0.0.0/0", false, "wide open"),
            ("10.1.0.0/16 ::/0", false, "::/0 is wide open"),
            ("128.0.0.0/1", false, "wide open"),
            (
                "169.254.0.0/16",
                false,
                "has 169.254.169.254, where clouds hand out credentials",
            ),
            (
                "fc00::/7",
                false,
                "has fd00:ec2::254, where clouds hand out credentials",
            ),
            ("10.0.0.0/8 fd00:ec2::254/128", false, "hand out credentials"),
        ] {
            let config = config(|config| {
                config.probe_networks = named.split_whitespace().map(|one| one.parse().unwrap()).collect();
            });
            judged(&networks(&config), well, words);
        }
    }
}
