//! The address ranges that are not public unicast, after IANA's special-purpose registries.

use std::net::{Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

/// The purpose of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressKind {
    /// Globally reachable unicast: the only kind that is allowed without configuration.
    Public,
    /// The unspecified address, or "this network" (0.0.0.0/8). Many systems connect it to themselves.
    Unspecified,
    /// This machine.
    Loopback,
    /// A private network, unique local and deprecated site-local addresses included.
    Private,
    /// Address space shared behind a carrier's translator (100.64.0.0/10).
    Shared,
    /// This link, which is where clouds serve instance metadata.
    LinkLocal,
    /// An address on which a cloud's host serves its guests, although its number looks public.
    CloudService,
    /// Reserved for protocols, relays and translators.
    Protocol,
    /// Reserved for documentation and measuring.
    Documentation,
    /// A group of hosts, or all of them.
    Multicast,
    /// Reserved, or not handed out as unicast.
    Reserved,
}

/// An IPv6 address, or the IPv4 address that it stands for.
pub(super) enum V6Kind {
    Plain(AddressKind),
    Carries(Ipv4Addr),
}

pub(super) fn kind_of_v4(ip: Ipv4Addr) -> AddressKind {
    V4.iter()
        .find(|(range, _)| range.contains(&ip))
        .map_or(AddressKind::Public, |(_, kind)| *kind)
}

pub(super) fn kind_of_v6(ip: Ipv6Addr) -> V6Kind {
    let octets = ip.octets();
    let v4_at = |start: usize| {
        Ipv4Addr::new(
            octets[start],
            octets[start + 1],
            octets[start + 2],
            octets[start + 3],
        )
    };
    // Mapped addresses are canonicalised before they come here; this holds even if one is not.
    if MAPPED.contains(&ip) || NAT64.contains(&ip) {
        return V6Kind::Carries(v4_at(12));
    }
    if SIX_TO_FOUR.contains(&ip) {
        return V6Kind::Carries(v4_at(2));
    }
    if let Some((_, kind)) = V6.iter().find(|(range, _)| range.contains(&ip)) {
        return V6Kind::Plain(*kind);
    }
    if !GLOBAL_UNICAST.contains(&ip) {
        return V6Kind::Plain(AddressKind::Reserved);
    }
    // ISATAP: an interface identifier that says "tunnel to this IPv4 host", under any prefix.
    if matches!(&octets[8..12], [0x00 | 0x02, 0x00, 0x5e, 0xfe]) {
        return V6Kind::Carries(v4_at(12));
    }
    V6Kind::Plain(AddressKind::Public)
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

/// Looked through in order: the narrower range stands before the wider one.
const V4: &[(Ipv4Net, AddressKind)] = &[
    (v4(0, 0, 0, 0, 8), AddressKind::Unspecified),
    (v4(10, 0, 0, 0, 8), AddressKind::Private),
    (v4(100, 64, 0, 0, 10), AddressKind::Shared),
    (v4(127, 0, 0, 0, 8), AddressKind::Loopback),
    // Azure's host agent, which answers its guests with their configuration.
    (v4(168, 63, 129, 16, 32), AddressKind::CloudService),
    (v4(169, 254, 0, 0, 16), AddressKind::LinkLocal),
    (v4(172, 16, 0, 0, 12), AddressKind::Private),
    // Holds a few anycast addresses that are globally reachable; none of them serves a website.
    (v4(192, 0, 0, 0, 24), AddressKind::Protocol),
    (v4(192, 0, 2, 0, 24), AddressKind::Documentation),
    (v4(192, 88, 99, 0, 24), AddressKind::Protocol),
    (v4(192, 168, 0, 0, 16), AddressKind::Private),
    (v4(198, 18, 0, 0, 15), AddressKind::Documentation),
    (v4(198, 51, 100, 0, 24), AddressKind::Documentation),
    (v4(203, 0, 113, 0, 24), AddressKind::Documentation),
    (v4(224, 0, 0, 0, 4), AddressKind::Multicast),
    (v4(255, 255, 255, 255, 32), AddressKind::Multicast),
    (v4(240, 0, 0, 0, 4), AddressKind::Reserved),
];

const GLOBAL_UNICAST: Ipv6Net = v6(0x2000, 0, 0, 3);
const MAPPED: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96);
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 96);
const SIX_TO_FOUR: Ipv6Net = v6(0x2002, 0, 0, 16);

/// Whatever lies outside 2000::/3 is refused even without a line here; the lines give it its right name.
const V6: &[(Ipv6Net, AddressKind)] = &[
    (v6(0, 0, 0, 128), AddressKind::Unspecified),
    (
        Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128),
        AddressKind::Loopback,
    ),
    // IPv4-compatible addresses: deprecated, never translated, refused whatever they carry.
    (v6(0, 0, 0, 96), AddressKind::Reserved),
    // The translation prefix for local use reaches whatever the local network makes of it.
    (v6(0x64, 0xff9b, 1, 48), AddressKind::Protocol),
    (v6(0x100, 0, 0, 64), AddressKind::Protocol),
    // Teredo (2001::/32), benchmarking, ORCHID, anycast for protocols: none of it serves a website.
    (v6(0x2001, 0, 0, 23), AddressKind::Protocol),
    (v6(0x2001, 0xdb8, 0, 32), AddressKind::Documentation),
    (v6(0x3fff, 0, 0, 20), AddressKind::Documentation),
    (v6(0x5f00, 0, 0, 16), AddressKind::Protocol),
    (v6(0xfc00, 0, 0, 7), AddressKind::Private),
    (v6(0xfe80, 0, 0, 10), AddressKind::LinkLocal),
    (v6(0xfec0, 0, 0, 10), AddressKind::Private),
    (v6(0xff00, 0, 0, 8), AddressKind::Multicast),
];
