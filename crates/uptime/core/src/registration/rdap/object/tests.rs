use serde_json::{Value, json};
use time::macros::datetime;

use super::*;

const SOURCE: &str = "https://rdap.example/domain/xn--fo-5ja.example";

fn parsed(object: &Value) -> Result<Registration, RdapError> {
    let name = "xn--fo-5ja.example".parse().unwrap();
    parse(object.to_string().as_bytes(), &name, SOURCE.to_owned())
}

/// A domain with these members besides its class and its name.
fn domain(members: Value) -> Registration {
    let mut object = json!({ "objectClassName": "domain", "ldhName": "xn--fo-5ja.example" });
    let Value::Object(members) = members else {
        unreachable!("{members}");
    };
    object.as_object_mut().unwrap().extend(members);
    parsed(&object).unwrap()
}

/// The example of RFC 9083, section 5.3, as far as it is about the members that are kept, and its registrant.
#[test]
fn the_example_of_the_rfc_is_read_and_its_registrant_is_not() {
    let registration = parsed(&json!({
        "objectClassName": "domain",
        "handle": "2138514-EXAMPLE",
        "ldhName": "xn--fo-5ja.example",
        "unicodeName": "fóo.example",
        "status": ["locked", "transfer prohibited"],
        "publicIds": [{ "type": "ENS_Auth ID", "identifier": "1234567890" }],
        "nameservers": [
            { "objectClassName": "nameserver", "handle": "2138514-EXAMPLE", "ldhName": "ns2.example.com" },
            { "objectClassName": "nameserver", "handle": "2138514-EXAMPLE", "ldhName": "NS1.example.com." }
        ],
        "secureDNS": {
            "zoneSigned": true,
            "delegationSigned": true,
            "maxSigLife": 604_800,
            "dsData": [{
                "keyTag": 12_345, "algorithm": 3, "digestType": 1, "digest": "49FD46E6C4B45C55D4AC"
            }]
        },
        "port43": "whois.example.net",
        "events": [
            { "eventAction": "registration", "eventDate": "1990-12-31T23:59:59Z" },
            { "eventAction": "last changed", "eventDate": "1991-12-31T23:59:59Z", "eventActor": "joe@example.com" },
            { "eventAction": "transfer", "eventDate": "1991-12-31T23:59:59Z" },
            { "eventAction": "expiration", "eventDate": "2016-12-31T23:59:59Z" }
        ],
        "entities": [{
            "objectClassName": "entity",
            "handle": "2138514-EXAMPLE",
            "vcardArray": ["vcard", [
                ["version", {}, "text", "4.0"],
                ["fn", {}, "text", "Joe User"],
                ["kind", {}, "text", "individual"],
                ["email", { "type": "work" }, "text", "joe.user@example.com"]
            ]],
            "roles": ["registrant"]
        }]
    }));
    let last = datetime!(1991-12-31 23:59:59 UTC);
    assert_eq!(
        registration.unwrap(),
        Registration {
            unicode_name: Some("fóo.example".to_owned()),
            handle: Some("2138514-EXAMPLE".to_owned()),
            registered_at: Some(datetime!(1990-12-31 23:59:59 UTC)),
            expires_at: Some(datetime!(2016-12-31 23:59:59 UTC)),
            last_changed_at: Some(last),
            transferred_at: Some(last),
            rdap_updated_at: None,
            statuses: Some(vec!["locked".to_owned(), "transfer_prohibited".to_owned()]),
            registrar: Registrar::default(),
            nameservers: vec!["ns1.example.com".to_owned(), "ns2.example.com".to_owned()],
            dnssec_signed: Some(true),
            ds_records_count: Some(1),
            source_url: SOURCE.to_owned(),
        }
    );
}

#[test]
fn what_the_answer_does_not_say_is_none() {
    let bare = domain(json!({}));
    assert_eq!(
        bare,
        Registration {
            source_url: SOURCE.to_owned(),
            ..Registration::default()
        }
    );
}

/// The names are those of RFC 8056, section 2; the second column those of RFC 5731 and RFC 3915.
#[test]
fn statuses_have_one_spelling() {
    let statuses = domain(json!({ "status": [
        "client transfer prohibited", "clientTransferProhibited", "serverHold", "Active",
        "redemption period", "pending delete", "auto renew period", "  server hold ", ""
    ] }));
    assert_eq!(
        statuses.statuses.unwrap(),
        [
            "active",
            "auto_renew_period",
            "client_transfer_prohibited",
            "pending_delete",
            "redemption_period",
            "server_hold"
        ]
    );
}

/// In UTC it lies beyond the years that RFC 3339 writes: nobody could show it.
#[test]
fn an_end_beyond_the_last_year_is_no_end() {
    let end = |date: &str| {
        let event = json!({ "eventAction": "expiration", "eventDate": date });
        domain(json!({ "events": [event] })).expires_at
    };
    assert_eq!(end("9999-12-31T23:59:59-00:01"), None);
    assert_eq!(end("0000-01-01T00:00:00+00:01"), None);
    assert_eq!(
        end("9999-12-31T23:59:59+23:59"),
        Some(datetime!(9999-12-31 00:00:59 UTC))
    );
}

#[test]
fn the_end_is_the_registrys_else_the_registrars_and_no_date_is_made_up() {
    let event = |action: &str, date: &str| json!({ "eventAction": action, "eventDate": date });
    let end = |events: Value| domain(json!({ "events": events })).expires_at;
    let (registry, registrar) = (
        event("expiration", "2026-12-01T00:00:00+02:00"),
        event("registrar expiration", "2027-12-01T00:00:00Z"),
    );
    assert_eq!(
        end(json!([registrar, registry])),
        Some(datetime!(2026-11-30 22:00:00 UTC))
    );
    assert_eq!(end(json!([registrar])), Some(datetime!(2027-12-01 00:00:00 UTC)));
    for bad in ["2026-12-01", "soon", "0000-00-00T00:00:00Z"] {
        assert_eq!(end(json!([event("expiration", bad)])), None, "{bad}");
    }
}

#[test]
fn ds_records_are_counted_where_that_can_be_told() {
    for (secure, signed, count) in [
        (json!({ "delegationSigned": false }), Some(false), Some(0)),
        (
            json!({ "delegationSigned": true, "dsData": [{}, {}] }),
            Some(true),
            Some(2),
        ),
        (
            json!({ "delegationSigned": true, "keyData": [{}] }),
            Some(true),
            None,
        ),
        (json!({ "zoneSigned": true }), None, None),
    ] {
        let registration = domain(json!({ "secureDNS": secure }));
        assert_eq!(
            (registration.dnssec_signed, registration.ds_records_count),
            (signed, count),
            "{secure}"
        );
    }
}

fn card(name: &str, email: &str) -> Value {
    json!([
        "vcard",
        [
            ["version", {}, "text", "4.0"],
            ["fn", {}, "text", name],
            ["email", {}, "text", email]
        ]
    ])
}

/// The shape of the registrar is that of ICANN's RDAP response profile, section 2.4.
#[test]
fn the_registrar_is_the_entity_of_that_role_and_abuse_goes_to_its_contact() {
    let registrar = domain(json!({ "entities": [
        {
            "roles": ["abuse", "registrant"],
            "vcardArray": card("Joe User", "joe.user@example.com")
        },
        {
            "roles": ["registrar"],
            "vcardArray": card("Example Registrar", "office@registrar.example"),
            "publicIds": [{ "type": "IANA Registrar ID", "identifier": 9999 }],
            "links": [
                { "rel": "self", "href": "https://rdap.registrar.example/entity/9999" },
                { "rel": "about", "href": "https://registrar.example/" }
            ],
            "entities": [
                { "roles": ["technical"], "vcardArray": card("Help", "help@registrar.example") },
                { "roles": ["abuse", "registrant"], "vcardArray": card("Joe User", "joe.user@example.com") },
                { "roles": ["abuse", "technical"], "vcardArray": card("Abuse", "abuse@registrar.example") }
            ]
        }
    ] }));
    assert_eq!(
        registrar.registrar,
        Registrar {
            name: Some("Example Registrar".to_owned()),
            iana_id: Some("9999".to_owned()),
            url: Some("https://registrar.example/".to_owned()),
            abuse_email: Some("abuse@registrar.example".to_owned()),
        }
    );
}

#[test]
fn who_is_the_registrant_too_is_nobodys_registrar() {
    let registrar = domain(json!({ "entities": [{
        "roles": ["registrar", "registrant"],
        "vcardArray": card("Joe User", "joe.user@example.com"),
        "entities": [{ "roles": ["abuse"], "vcardArray": card("Joe User", "joe.user@example.com") }]
    }] }));
    assert_eq!(registrar.registrar, Registrar::default());
}

#[test]
fn an_answer_about_something_else_is_refused() {
    let other = parsed(&json!({ "objectClassName": "domain", "ldhName": "other.example" }));
    assert!(matches!(other, Err(RdapError::AnotherName(name)) if name == "other.example"));
    let nameless = parsed(&json!({ "objectClassName": "domain" }));
    assert!(matches!(nameless, Err(RdapError::AnotherName(_))));
    let same = parsed(&json!({ "objectClassName": "domain", "ldhName": "XN--FO-5JA.Example." }));
    assert!(same.is_ok());
    let unicode = parsed(&json!({ "objectClassName": "domain", "unicodeName": "fóo.example" }));
    assert!(unicode.is_ok());
    for wrong in [
        json!([]),
        json!({ "objectClassName": "entity" }),
        json!({ "errorCode": 404 }),
    ] {
        assert!(
            matches!(parsed(&wrong), Err(RdapError::Malformed { .. })),
            "{wrong}"
        );
    }
}

/// The log tells where an answer is at fault, and not what stands there.
#[test]
fn a_malformed_answer_is_not_repeated() {
    let malformed = parsed(&json!({ "objectClassName": "domain", "entities": "Joe User" })).unwrap_err();
    assert!(
        !format!("{malformed} {malformed:?}").contains("Joe"),
        "{malformed:?}"
    );
}
