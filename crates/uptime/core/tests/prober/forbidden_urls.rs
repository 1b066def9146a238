//! Ways to write a forbidden address into a URL. None of them may reach it.
//!
//! Every name resolves to this machine, so that a trick which passes for a name is refused all the same.

use url::Url;

use crate::lab::{Canary, Dns, Lab, assert_not_reached, get};

/// A prober that may reach nothing here, and a canary behind every address of this machine.
async fn assert_unreachable(template: &str) {
    let canary = Canary::start().await;
    let dns = Dns::with(&["127.0.0.1", "::1"]).await;
    let url = template.replace("{port}", &canary.port.to_string());
    // A text that is no URL at all cannot be configured in the first place.
    if Url::parse(&url).is_ok() {
        let report = Lab::new().dns(&dns).probe(&get(&url)).await;
        assert_not_reached(&report);
        assert_eq!(
            (report.ip, report.connect, report.status_code),
            (None, None, None),
            "{url}"
        );
    }
    assert_eq!(canary.hits().await, 0, "{url}");
}

macro_rules! unreachable_urls {
    ($($name:ident: $url:expr,)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                assert_unreachable($url).await;
            }
        )*
    };
}

unreachable_urls! {
    // IPv4 as people write it, and as they do not.
    dotted_decimal: "http://127.0.0.1:{port}/",
    another_loopback: "http://127.8.9.10:{port}/",
    last_loopback: "http://127.255.255.254:{port}/",
    one_decimal_number: "http://2130706433:{port}/",
    one_hex_number: "http://0x7f000001:{port}/",
    one_hex_number_upper_case: "http://0X7F000001:{port}/",
    one_octal_number: "http://017700000001:{port}/",
    octal_parts: "http://0177.0.0.01:{port}/",
    octal_parts_with_more_zeros: "http://000000177.0.0.1:{port}/",
    hex_parts: "http://0x7f.0x0.0x0.0x1:{port}/",
    mixed_bases: "http://0x7f.0.0.01:{port}/",
    mixed_bases_in_two_parts: "http://0177.0x1:{port}/",
    two_parts: "http://127.1:{port}/",
    three_parts: "http://127.0.1:{port}/",
    empty_hex: "http://0x7f.0x.0x.1:{port}/",
    trailing_dot: "http://127.0.0.1.:{port}/",
    short_form_with_trailing_dot: "http://127.1.:{port}/",
    overflowing_number: "http://4429185025:{port}/",
    overflowing_part: "http://383.0.0.1:{port}/",
    five_parts: "http://127.0.0.0.1:{port}/",
    zero: "http://0:{port}/",
    zero_dotted: "http://0.0.0.0:{port}/",
    zero_hex: "http://0x0:{port}/",
    this_network: "http://0.0.0.1:{port}/",
    // Metadata, private networks, and what is not unicast.
    metadata: "http://169.254.169.254/latest/meta-data/",
    metadata_decimal: "http://2852039166/latest/meta-data/",
    metadata_octal: "http://0251.0376.0251.0376/latest/meta-data/",
    metadata_of_containers: "http://169.254.170.2/v2/credentials",
    metadata_behind_carrier_translation: "http://100.100.100.200/latest/meta-data/",
    metadata_in_protocol_assignments: "http://192.0.0.192/latest/",
    metadata_of_a_cloud_host: "http://168.63.129.16/machine?comp=goalstate",
    metadata_over_ipv6: "http://[fd00:ec2::254]/latest/meta-data/",
    metadata_name: "http://metadata.google.internal/computeMetadata/v1/",
    private_10: "http://10.0.0.1:{port}/",
    private_172: "http://172.16.0.1:{port}/",
    private_192: "http://192.168.0.1:{port}/",
    benchmark: "http://198.18.0.1:{port}/",
    multicast: "http://224.0.0.1:{port}/",
    broadcast: "http://255.255.255.255:{port}/",
    reserved: "http://240.0.0.1:{port}/",
    // IPv6, plain and carrying IPv4.
    loopback_v6: "http://[::1]:{port}/",
    loopback_v6_in_full: "http://[0:0:0:0:0:0:0:1]:{port}/",
    loopback_v6_with_zeros: "http://[0000:0000:0000:0000:0000:0000:0000:0001]:{port}/",
    unspecified_v6: "http://[::]:{port}/",
    unspecified_v6_mapped: "http://[::ffff:0.0.0.0]:{port}/",
    mapped: "http://[::ffff:127.0.0.1]:{port}/",
    mapped_hex: "http://[::ffff:7f00:1]:{port}/",
    mapped_in_full: "http://[0:0:0:0:0:ffff:7f00:0001]:{port}/",
    mapped_metadata: "http://[::ffff:169.254.169.254]/latest/meta-data/",
    translated: "http://[::ffff:0:127.0.0.1]:{port}/",
    compatible: "http://[::127.0.0.1]:{port}/",
    compatible_hex: "http://[::7f00:1]:{port}/",
    nat64: "http://[64:ff9b::127.0.0.1]:{port}/",
    nat64_metadata: "http://[64:ff9b::a9fe:a9fe]/latest/meta-data/",
    nat64_for_local_use: "http://[64:ff9b:1::127.0.0.1]:{port}/",
    six_to_four: "http://[2002:7f00:1::]:{port}/",
    six_to_four_private: "http://[2002:0a00:0001::1]:{port}/",
    teredo: "http://[2001:0:7f00:1::]:{port}/",
    teredo_with_hidden_client: "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]:{port}/",
    isatap: "http://[2a00:1450::5efe:127.0.0.1]:{port}/",
    link_local: "http://[fe80::1]:{port}/",
    link_local_with_zone: "http://[fe80::1%25lo]:{port}/",
    link_local_with_bare_zone: "http://[fe80::1%lo]:{port}/",
    loopback_with_zone: "http://[::1%25lo]:{port}/",
    site_local: "http://[fec0::1]:{port}/",
    unique_local: "http://[fc00::1]:{port}/",
    multicast_v6: "http://[ff02::1]:{port}/",
    discard: "http://[100::1]:{port}/",
    segment_routing: "http://[5f00::1]:{port}/",
    documentation_v6: "http://[2001:db8::1]:{port}/",
    new_documentation_v6: "http://[3fff::1]:{port}/",
    // Characters that turn into others.
    percent_encoded: "http://%31%32%37.0.0.1:{port}/",
    percent_encoded_dots: "http://127%2e0%2e0%2e1:{port}/",
    percent_encoded_twice: "http://%2531%2532%2537.0.0.1:{port}/",
    percent_encoded_localhost: "http://%6c%6f%63alhost:{port}/",
    full_width_digits: "http://１２７.０.０.１:{port}/",
    full_width_dots: "http://127．0．0．1:{port}/",
    ideographic_dots: "http://127。0。0。1:{port}/",
    half_width_dots: "http://127｡0｡0｡1:{port}/",
    circled_digits: "http://①②⑦.⓪.⓪.①:{port}/",
    superscript_digits: "http://¹²⁷.⁰.⁰.¹:{port}/",
    mathematical_digits: "http://𝟙𝟚𝟟.𝟘.𝟘.𝟙:{port}/",
    circled_letters: "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/",
    soft_hyphen: "http://127.0.0\u{ad}.1:{port}/",
    zero_width_space: "http://127.0.0\u{200b}.1:{port}/",
    tab_in_the_host: "http://127.0\t.0.1:{port}/",
    newline_in_the_host: "http://127.0.\n0.1:{port}/",
    arabic_digits: "http://١٢٧.٠.٠.١:{port}/",
    // Confusion over where the host begins and ends.
    userinfo: "http://example.com@127.0.0.1:{port}/",
    userinfo_with_password: "http://example.com:80@127.0.0.1:{port}/",
    userinfo_twice: "http://example.com@example.org@127.0.0.1:{port}/",
    userinfo_encoded: "http://example.com%40@127.0.0.1:{port}/",
    empty_userinfo: "http://@127.0.0.1:{port}/",
    backslash_before_at: "http://127.0.0.1:{port}\\@example.com/",
    backslash_for_slash: "http:\\\\127.0.0.1:{port}\\",
    name_then_backslash: "http://example.com\\@127.0.0.1:{port}/",
    fragment_before_at: "http://127.0.0.1:{port}#@example.com/",
    query_before_at: "http://127.0.0.1:{port}?@example.com/",
    many_slashes: "http://////127.0.0.1:{port}/",
    no_slashes: "http:127.0.0.1:{port}/",
    leading_space: "  http://127.0.0.1:{port}/",
    space_in_the_host: "http://example.com 127.0.0.1:{port}/",
    port_with_zeros: "http://127.0.0.1:00{port}/",
    https_to_the_same: "https://127.0.0.1:{port}/",
    upper_case_scheme: "HTTP://127.0.0.1:{port}/",
    // Names that mean this machine.
    localhost: "http://localhost:{port}/",
    localhost_upper_case: "http://LocalHost:{port}/",
    localhost_with_trailing_dot: "http://localhost.:{port}/",
    localhost_subdomain: "http://foo.localhost:{port}/",
    localhost_localdomain: "http://localhost.localdomain:{port}/",
    localhost_in_an_old_hosts_file: "http://ip6-localhost:{port}/",
    single_label: "http://intranet:{port}/",
    local_name: "http://printer.local:{port}/",
    internal_name: "http://host.docker.internal:{port}/",
    home_name: "http://router.home.arpa:{port}/",
    name_that_spells_the_address: "http://127.0.0.1.nip.test:{port}/",
    name_that_ends_in_a_dot: "http://site.test.:{port}/",
    // Other schemes.
    file: "file:///etc/passwd",
    gopher: "gopher://127.0.0.1:{port}/_GET",
    dict: "dict://127.0.0.1:{port}/info",
    ftp: "ftp://127.0.0.1:{port}/",
    websocket: "ws://127.0.0.1:{port}/",
    data: "data:text/html,hello",
    unix_socket: "unix:///var/run/docker.sock",
    jar: "jar:http://127.0.0.1:{port}/a!/",
}
