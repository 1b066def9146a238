//! Every range from its first address to its last, and the addresses just outside.

use std::net::{IpAddr, SocketAddr};

use pharos_egress::address_policy::{AddressKind, AddressPolicy, UrlFault};
use url::Url;

fn allows(ip: &str) -> bool {
    AddressPolicy::public().allows(socket(ip))
}

fn socket(ip: &str) -> SocketAddr {
    SocketAddr::new(ip.parse::<IpAddr>().unwrap(), 80)
}

fn url_fault(policy: &AddressPolicy, url: &str) -> Option<UrlFault> {
    policy.check_url(&Url::parse(url).unwrap()).err()
}

#[test]
fn every_special_ipv4_range_is_refused_from_end_to_end() {
    let ranges = [
        ("0.0.0.0", "0.255.255.255"),
        ("10.0.0.0", "10.255.255.255"),
        ("100.64.0.0", "100.127.255.255"),
        ("127.0.0.0", "127.255.255.255"),
        ("168.63.129.16", "168.63.129.16"),
        ("169.254.0.0", "169.254.255.255"),
        ("172.16.0.0", "172.31.255.255"),
        ("192.0.0.0", "192.0.0.255"),
        ("192.0.2.0", "192.0.2.255"),
        ("192.88.99.0", "192.88.99.255"),
        ("192.168.0.0", "192.168.255.255"),
        ("198.18.0.0", "198.19.255.255"),
        ("198.51.100.0", "198.51.100.255"),
        ("203.0.113.0", "203.0.113.255"),
        ("224.0.0.0", "239.255.255.255"),
        ("240.0.0.0", "255.255.255.255"),
    ];
    for (first, last) in ranges {
        assert!(!allows(first) && !allows(last), "{first} to {last}");
    }
}

#[test]
fn ipv4_addresses_beside_the_special_ranges_are_allowed() {
    for ip in [
        "1.0.0.0",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.15",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.0.3.0",
        "192.88.98.255",
        "192.88.100.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "198.51.99.255",
        "198.51.101.0",
        "203.0.112.255",
        "203.0.114.0",
        "223.255.255.255",
    ] {
        assert!(allows(ip), "{ip}");
    }
}

#[test]
fn every_special_ipv6_range_is_refused_from_end_to_end() {
    let all = "ffff:ffff:ffff:ffff:ffff:ffff";
    let ranges = [
        ("::".to_owned(), "::1".to_owned()),
        ("::2".to_owned(), "::ffff:ffff".to_owned()),
        ("::808:808".to_owned(), "::1:0:0".to_owned()),
        (
            "64:ff9b:1::".to_owned(),
            "64:ff9b:1:ffff:ffff:ffff:ffff:ffff".to_owned(),
        ),
        ("64:ff9b:1::808:808".to_owned(), "64:ff9b::1:0:0".to_owned()),
        ("100::".to_owned(), "100::ffff:ffff:ffff:ffff".to_owned()),
        ("2001::".to_owned(), format!("2001:1ff:{all}")),
        ("2001:db8::".to_owned(), format!("2001:db8:{all}")),
        ("3fff::".to_owned(), format!("3fff:fff:{all}")),
        ("5f00::".to_owned(), format!("5f00:ffff:{all}")),
        ("fc00::".to_owned(), format!("fdff:ffff:{all}")),
        ("fe80::".to_owned(), format!("febf:ffff:{all}")),
        ("fec0::".to_owned(), format!("feff:ffff:{all}")),
        ("ff00::".to_owned(), format!("ffff:ffff:{all}")),
        ("4000::".to_owned(), format!("1fff:ffff:{all}")),
    ];
    for (first, last) in ranges {
        assert!(!allows(&first) && !allows(&last), "{first} to {last}");
    }
}

#[test]
fn ipv6_addresses_beside_the_special_ranges_are_allowed() {
    for ip in [
        "2000::",
        "2001:200::",
        "2001:db7:ffff::",
        "2001:db9::",
        "2003::",
        "2606:4700::1111",
        "3ffe:ffff::",
        "3fff:1000::",
    ] {
        assert!(allows(ip), "{ip}");
    }
}

#[test]
fn an_ipv6_address_that_carries_an_ipv4_one_is_judged_by_it() {
    for (public, private) in [
        ("::ffff:8.8.8.8", "::ffff:10.0.0.1"),
        ("64:ff9b::8.8.8.8", "64:ff9b::10.0.0.1"),
        ("64:ff9b::808:808", "64:ff9b::a9fe:a9fe"),
        ("2002:808:808::1", "2002:7f00:1::1"),
        ("2a00:1::5efe:8.8.8.8", "2a00:1::5efe:10.0.0.1"),
        ("2a00:1::200:5efe:8.8.8.8", "2a00:1::200:5efe:127.0.0.1"),
    ] {
        assert!(allows(public), "{public}");
        assert!(!allows(private), "{private}");
    }
}

#[test]
fn a_mapped_address_is_connected_to_as_ipv4() {
    let allowed = AddressPolicy::public().check(socket("::ffff:8.8.8.8")).unwrap();
    assert_eq!(allowed.get(), socket("8.8.8.8"));
}

#[test]
fn a_refusal_names_the_kind_but_shows_no_address() {
    let fault = AddressPolicy::public()
        .check(socket("169.254.169.254"))
        .unwrap_err();
    assert_eq!(fault.kind, AddressKind::LinkLocal);
    assert!(!fault.to_string().contains("169"));
}

#[test]
fn permitted_ranges_open_what_they_hold_and_no_more() {
    let policy = AddressPolicy::public()
        .permitting(vec!["10.20.0.0/16".parse().unwrap()])
        .permitting(vec!["fd00:1::/32".parse().unwrap()]);
    for ip in [
        "10.20.0.1",
        "::ffff:10.20.0.1",
        "64:ff9b::10.20.0.1",
        "fd00:1::1",
        "8.8.8.8",
    ] {
        assert!(policy.allows(socket(ip)), "{ip}");
    }
    for ip in [
        "10.21.0.1",
        "::ffff:10.21.0.1",
        "fd00:2::1",
        "127.0.0.1",
        "169.254.169.254",
    ] {
        assert!(!policy.allows(socket(ip)), "{ip}");
    }
}

#[test]
fn a_permitted_socket_opens_one_port_of_one_address() {
    let policy = AddressPolicy::public().permitting_exactly("127.0.0.1:8080".parse().unwrap());
    assert!(policy.allows("127.0.0.1:8080".parse().unwrap()));
    assert!(policy.allows("[::ffff:127.0.0.1]:8080".parse().unwrap()));
    for socket in ["127.0.0.1:8081", "127.0.0.2:8080", "[::1]:8080"] {
        assert!(!policy.allows(socket.parse().unwrap()), "{socket}");
    }
}

#[test]
fn one_forbidden_address_refuses_all_that_a_name_resolved_to() {
    let policy = AddressPolicy::public();
    assert!(
        policy
            .check_all(&[socket("8.8.8.8"), socket("2606:4700::1111")])
            .is_ok()
    );
    assert!(
        policy
            .check_all(&[socket("8.8.8.8"), socket("10.0.0.1")])
            .is_err()
    );
}

#[test]
fn each_fault_of_a_url_is_told() {
    let policy = AddressPolicy::public();
    let long = format!("https://example.com/{}", "a".repeat(2048));
    for (url, fault) in [
        ("ftp://example.com/", UrlFault::Scheme),
        ("file:///etc/passwd", UrlFault::Scheme),
        ("gopher://example.com/", UrlFault::Scheme),
        ("data:text/plain,x", UrlFault::Scheme),
        ("https://user@example.com/", UrlFault::Userinfo),
        ("https://:secret@example.com/", UrlFault::Userinfo),
        ("https://example.com/#part", UrlFault::Fragment),
        ("https://example.com:0/", UrlFault::Port),
        (&long, UrlFault::Length),
        ("https://intranet/", UrlFault::InternalName),
        ("https://localhost/", UrlFault::InternalName),
        ("https://LOCALHOST./", UrlFault::InternalName),
        ("https://app.localhost/", UrlFault::InternalName),
        ("https://printer.local/", UrlFault::InternalName),
        ("https://metadata.google.internal/", UrlFault::InternalName),
        ("https://metadata.google.internal./", UrlFault::InternalName),
        ("https://router.home.arpa/", UrlFault::InternalName),
    ] {
        assert_eq!(url_fault(&policy, url), Some(fault), "{url}");
    }
}

#[test]
fn all_faults_of_a_url_are_told_at_once() {
    let url = Url::parse("ftp://user@intranet:0/#part").unwrap();
    let faults = AddressPolicy::public().url_faults(&url);
    let want = [
        UrlFault::Fragment,
        UrlFault::Scheme,
        UrlFault::Userinfo,
        UrlFault::InternalName,
    ];
    assert_eq!(faults, want);
}

#[test]
fn a_forbidden_address_in_a_url_is_told_without_a_look_up() {
    for url in [
        "http://127.0.0.1/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://[::1]/",
        "http://0/",
    ] {
        let fault = url_fault(&AddressPolicy::public(), url);
        assert!(matches!(fault, Some(UrlFault::Address(_))), "{url}: {fault:?}");
    }
}

#[test]
fn ordinary_urls_pass() {
    for url in [
        "https://example.com",
        "http://example.com:8080/a?b=c",
        "https://bücher.example/",
        "https://example.com./",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]/",
        "https://local.example.com/",
    ] {
        assert_eq!(url_fault(&AddressPolicy::public(), url), None, "{url}");
    }
}

#[test]
fn internal_names_pass_only_once_a_range_is_permitted() {
    let exact = AddressPolicy::public().permitting_exactly(socket("127.0.0.1"));
    assert_eq!(
        url_fault(&exact, "http://intranet/"),
        Some(UrlFault::InternalName)
    );
    let ranged = AddressPolicy::public().permitting(vec!["10.0.0.0/8".parse().unwrap()]);
    assert_eq!(url_fault(&ranged, "http://intranet/"), None);
    assert!(matches!(
        url_fault(&ranged, "http://127.0.0.1/"),
        Some(UrlFault::Address(_))
    ));
}
