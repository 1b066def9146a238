//! The addresses that a key may be used from.

use std::net::IpAddr;

use ipnet::IpNet;
use pharos_domain::identity::Source;

/// Parses one entry: an address, or a range in CIDR notation.
#[must_use]
pub fn parse_entry(text: &str) -> Option<IpNet> {
    let text = text.trim();
    text.parse::<IpNet>()
        .ok()
        .or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// Whether a stored allowlist lets a source in. One that can't be evaluated denies: an entry that can't be
/// read, or a source that nobody knows.
#[must_use]
pub fn admits(entries: &[String], source: Source) -> bool {
    let ranges: Option<Vec<IpNet>> = entries.iter().map(|entry| parse_entry(entry)).collect();
    match (ranges, source.0) {
        (Some(ranges), Some(address)) => {
            let address = address.to_canonical();
            ranges.iter().any(|range| range.contains(&address))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(entries: &[&str], source: Option<&str>) -> bool {
        let entries: Vec<String> = entries.iter().map(|entry| (*entry).to_owned()).collect();
        admits(&entries, Source(source.map(|address| address.parse().unwrap())))
    }

    #[test]
    fn addresses_and_ranges_admit() {
        assert!(admitted(&["203.0.113.7"], Some("203.0.113.7")));
        assert!(admitted(&["203.0.113.0/24"], Some("203.0.113.200")));
        assert!(admitted(&["203.0.113.0/24"], Some("::ffff:203.0.113.200")));
        assert!(admitted(&["2001:db8::/32", "192.0.2.1"], Some("2001:db8:7::1")));
        assert!(!admitted(&["203.0.113.0/24"], Some("203.0.114.1")));
        assert!(!admitted(&[], Some("203.0.113.7")));
    }

    #[test]
    fn what_can_t_be_evaluated_denies() {
        assert!(!admitted(&["203.0.113.0/24", "office"], Some("203.0.113.7")));
        assert!(!admitted(&["0.0.0.0/0", "::/0"], None));
    }
}
