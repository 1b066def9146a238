//! Answers of registries, and what is kept of them.

use pharos_uptime::registration::{Registrar, Registration, rdap::RdapError};
use serde_json::json;
use time::macros::datetime;

use crate::registry::{Registry, SHOP, shop};

#[tokio::test]
async fn everything_but_the_registrant_is_taken_from_the_registrys_answer() {
    let registry = Registry::showing(&shop()).await;
    let registration = registry.ask().await.unwrap().unwrap();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        registration,
        Registration {
            unicode_name: None,
            handle: Some("2138514_DOMAIN-EX".to_owned()),
            registered_at: Some(datetime!(2014-06-02 08:00:00 UTC)),
            expires_at: Some(datetime!(2027-06-02 08:00:00 UTC)),
            last_changed_at: Some(datetime!(2026-03-01 10:12:44 UTC)),
            transferred_at: None,
            rdap_updated_at: Some(datetime!(2026-03-31 09:00:00 UTC)),
            statuses: Some(names(&["client_delete_prohibited", "client_transfer_prohibited"])),
            registrar: Registrar {
                name: Some("Example Registrar".to_owned()),
                iana_id: Some("9999".to_owned()),
                url: Some("https://registrar.example/".to_owned()),
                abuse_email: Some("abuse@registrar.example".to_owned()),
            },
            nameservers: names(&["ns1.shop.example", "ns2.shop.example"]),
            dnssec_signed: Some(false),
            ds_records_count: Some(0),
            source_url: registry.server.url(SHOP),
        }
    );
    let heads = registry.server.heads();
    assert!(heads[1].contains("accept: application/rdap+json"), "{}", heads[1]);
    assert!(heads[1].contains("user-agent: pharos/"), "{}", heads[1]);
}

#[tokio::test]
async fn a_registry_that_publishes_no_end_leaves_it_out() {
    let mut object = shop();
    object["events"].as_array_mut().unwrap().remove(1);
    let registry = Registry::showing(&object).await;
    let registration = registry.ask().await.unwrap().unwrap();
    assert_eq!(registration.expires_at, None);
    assert!(registration.registered_at.is_some());
}

#[tokio::test]
async fn a_top_level_domain_without_a_service_is_not_asked_for() {
    let registry = Registry::showing(&shop()).await;
    assert_eq!(registry.ask_for("shop.nowhere").await.unwrap(), None);
    assert_eq!(registry.paths(), ["/dns.json"]);
}

#[tokio::test]
async fn an_internal_name_is_nobodys_registration() {
    let registry = Registry::showing(&shop()).await;
    assert_eq!(registry.ask_for("demo.localhost").await.unwrap(), None);
    assert_eq!(registry.paths(), [""; 0]);
}

#[tokio::test]
async fn an_answer_about_another_name_is_refused() {
    let mut object = shop();
    object["ldhName"] = json!("other.example");
    let refused = Registry::showing(&object).await.ask().await.unwrap_err();
    assert!(matches!(refused, RdapError::AnotherName(name) if name == "other.example"));
}

#[tokio::test]
async fn what_is_no_answer_of_a_registry_is_refused() {
    for body in [
        "",
        "<html>Please wait</html>",
        "[]",
        r#"{"objectClassName": "entity"}"#,
    ] {
        let refused = Registry::answering(200, &[], body).await.ask().await.unwrap_err();
        assert!(
            matches!(refused, RdapError::Malformed { .. }),
            "{body:?}: {refused}"
        );
    }
}

#[tokio::test]
async fn a_status_other_than_200_is_no_answer() {
    let unknown = Registry::answering(404, &[], r#"{"errorCode": 404, "title": "Not Found"}"#).await;
    assert!(matches!(unknown.ask().await, Err(RdapError::NotRegistered)));
    let broken = Registry::answering(500, &[], &shop().to_string()).await;
    let refused = broken.ask().await.unwrap_err();
    assert!(matches!(refused, RdapError::Status(status) if status.as_u16() == 500));
}
