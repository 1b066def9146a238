use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::EncodingKey;
use pharos_domain::scope::Tier;
use serde_json::{Value, json};
use time::{Duration, macros::datetime};

use super::*;
use crate::oauth::signing::StoredKey;

const NOW: OffsetDateTime = datetime!(2026-03-31 09:15 UTC);
const ISSUER: &str = "https://pharos.example";

fn keys() -> (StoredKey, KeySet) {
    let stored = StoredKey::generate(NOW).unwrap();
    let keys = KeySet::new(vec![stored.clone()]).unwrap();
    (stored, keys)
}

fn issue(keys: &KeySet) -> String {
    let request = TokenRequest {
        issuer: ISSUER,
        grant: CredentialId::generate(),
        user: UserId::generate(),
        client: ClientId::generate(),
        resource: ISSUER,
        scopes: Tier::Read.scopes(),
    };
    sign(keys, &request, NOW).unwrap()
}

fn part(token: &str, at: usize) -> Value {
    let part = token.split('.').nth(at).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

fn encoded(value: &Value) -> String {
    URL_SAFE_NO_PAD.encode(value.to_string())
}

/// Signs whatever header and claims with a key of ours.
fn forged(stored: &StoredKey, header: &Header, claims: &Value) -> String {
    jsonwebtoken::encode(header, claims, &EncodingKey::from_ec_der(&stored.private_key)).unwrap()
}

fn ours(stored: &StoredKey) -> Header {
    Header {
        typ: Some("at+jwt".to_owned()),
        kid: Some(stored.kid.clone()),
        ..Header::new(Algorithm::ES256)
    }
}

/// RFC 9068, sections 2.1 and 2.2.
#[test]
fn a_token_has_the_form_of_the_rfc() {
    let (stored, keys) = keys();
    let token = issue(&keys);
    let header = part(&token, 0);
    assert_eq!(
        (&header["typ"], &header["alg"]),
        (&json!("at+jwt"), &json!("ES256"))
    );
    assert_eq!(header["kid"], json!(stored.kid));
    let claims = part(&token, 1);
    for name in ["iss", "sub", "aud", "client_id", "scope", "jti", "iat", "exp"] {
        assert!(!claims[name].is_null(), "{name}");
    }
    assert_eq!(
        claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(),
        3600
    );
    let read = verify(&keys, &token, ISSUER, NOW).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), claims);
}

#[test]
fn a_token_holds_for_an_hour_with_half_a_minute_of_skew() {
    let (_, keys) = keys();
    let claims = verify(&keys, &issue(&keys), ISSUER, NOW).unwrap();
    for (seconds, holds) in [
        (-31, false),
        (-30, true),
        (0, true),
        (3_629, true),
        (3_630, false),
    ] {
        assert_eq!(claims.holds(NOW + Duration::seconds(seconds)), holds, "{seconds}");
    }
    let later = AccessClaims {
        nbf: Some(claims.iat + 60),
        ..claims
    };
    assert!(!later.holds(NOW));
    assert!(later.holds(NOW + Duration::seconds(30)));
}

#[test]
fn a_token_that_was_altered_is_none() {
    let (_, keys) = keys();
    let token = issue(&keys);
    let [header, claims, signature] = token.split('.').collect::<Vec<_>>()[..] else {
        panic!("three parts");
    };
    let mut other = part(&token, 1);
    other["scope"] = json!("write:uptime");
    assert!(
        verify(
            &keys,
            &format!("{header}.{}.{signature}", encoded(&other)),
            ISSUER,
            NOW
        )
        .is_none()
    );
    assert!(verify(&keys, &format!("{header}.{claims}."), ISSUER, NOW).is_none());
    assert!(verify(&keys, &format!("{header}.{claims}"), ISSUER, NOW).is_none());
    assert!(verify(&keys, "", ISSUER, NOW).is_none());
    assert!(verify(&keys, &"a".repeat(1_000_000), ISSUER, NOW).is_none());
}

/// RFC 8725, sections 2.1 and 3.1: no `none`, and no other algorithm with a key of ours.
#[test]
fn the_algorithm_is_never_the_token_s_choice() {
    let (stored, keys) = keys();
    let token = issue(&keys);
    let claims = part(&token, 1);
    for alg in ["none", "None", "NONE", ""] {
        let header = json!({ "typ": "at+jwt", "alg": alg, "kid": stored.kid });
        let unsigned = format!("{}.{}.", encoded(&header), encoded(&claims));
        assert!(verify(&keys, &unsigned, ISSUER, NOW).is_none(), "{alg}");
    }
    // The public key as the secret of an HMAC.
    let public = keys.jwks(NOW)["keys"][0].to_string();
    let header = Header {
        alg: Algorithm::HS256,
        ..ours(&stored)
    };
    let confused =
        jsonwebtoken::encode(&header, &claims, &EncodingKey::from_secret(public.as_bytes())).unwrap();
    assert!(verify(&keys, &confused, ISSUER, NOW).is_none());
}

#[test]
fn only_access_tokens_of_this_issuer_by_a_key_of_ours_are_read() {
    let (stored, keys) = keys();
    let claims = part(&issue(&keys), 1);
    assert!(verify(&keys, &forged(&stored, &ours(&stored), &claims), ISSUER, NOW).is_some());
    let (other, _) = self::keys();
    let mut elsewhere = claims.clone();
    elsewhere["iss"] = json!("https://other.example");
    let without_kid = Header {
        kid: None,
        ..ours(&stored)
    };
    let id_token = Header {
        typ: Some("JWT".to_owned()),
        ..ours(&stored)
    };
    let critical = Header {
        crit: Some(vec!["b64".to_owned()]),
        ..ours(&stored)
    };
    for (bad, token) in [
        ("an extension", forged(&stored, &critical, &claims)),
        (
            "another key under our id",
            forged(&other, &ours(&stored), &claims),
        ),
        ("another key", forged(&other, &ours(&other), &claims)),
        ("another issuer", forged(&stored, &ours(&stored), &elsewhere)),
        ("no kid", forged(&stored, &without_kid, &claims)),
        ("another type", forged(&stored, &id_token, &claims)),
    ] {
        assert!(verify(&keys, &token, ISSUER, NOW).is_none(), "{bad}");
    }
    for name in [
        "iss",
        "sub",
        "aud",
        "exp",
        "iat",
        "client_id",
        "jti",
        "scope",
        "grant_id",
    ] {
        let mut lacking = claims.clone();
        lacking.as_object_mut().unwrap().remove(name);
        let token = forged(&stored, &ours(&stored), &lacking);
        assert!(verify(&keys, &token, ISSUER, NOW).is_none(), "without {name}");
    }
}
