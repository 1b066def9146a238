//! Every operation of the registry, held to what its spec promises. There is no list of exceptions.

use pharos_domain::scope::ScopeSet;
use pharos_http::{
    operation::Operation,
    spec::{Bucket, Idempotency, Verb},
};
use pharos_server::registry::registry;
use serde_json::{Value, json};

use crate::{
    fixtures,
    harness::{Contract, Key, Reply, Request, TestApp, World, all_scopes, filled},
};

/// A call of the operation as it is meant, its body the documented example.
fn call(app: &TestApp, operation: &Operation, world: &World) -> Request {
    let template = operation.spec.path;
    let path = if operation.spec.method == Verb::Delete {
        world.spend(template)
    } else {
        world.target(template)
    };
    prepared(operation, app.request(operation.spec.method.as_str(), &path))
}

/// The request with what the operation asks for: the documented example as its body, a key of its own.
fn prepared(operation: &Operation, mut request: Request) -> Request {
    if let Some(body) = &operation.shapes.body {
        let mut example = body.example.clone();
        // A second one of the same name is refused.
        if operation.spec.id == "createReportTemplate" {
            example["name"] = uuid::Uuid::now_v7().to_string().into();
        }
        request = request.json(&example);
    }
    if operation.spec.idempotency == Idempotency::Required {
        request = request.header("idempotency-key", uuid::Uuid::now_v7().to_string());
    }
    request
}

#[tokio::test]
async fn every_operation_answers_a_good_call_as_it_declares() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    for operation in registry().unwrap().operations() {
        let reply = call(&app, operation, &app.world).key(&app.world.key).send().await;
        assert_eq!(
            reply.status,
            operation.spec.success,
            "{}: {:?}",
            operation.spec.id,
            reply.json()
        );
    }
}

/// A body of which all members may be left out may be left out itself.
#[tokio::test]
async fn every_operation_whose_body_may_be_left_out_is_called_without_one() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let registry = registry().unwrap();
    let without: Vec<&Operation> = registry
        .operations()
        .iter()
        .filter(|operation| operation.shapes.body.is_some() && !operation.shapes.body_is_required)
        .collect();
    assert!(!without.is_empty());
    for operation in without {
        let path = app.world.target(operation.spec.path);
        let mut request = app
            .request(operation.spec.method.as_str(), &path)
            .key(&app.world.key);
        if operation.spec.idempotency == Idempotency::Required {
            request = request.header("idempotency-key", operation.spec.id);
        }
        let status = request.send().await.status;
        assert!(![400, 415].contains(&status), "{}: {status}", operation.spec.id);
    }
}

#[tokio::test]
async fn every_operation_needs_a_credential() {
    let app = TestApp::start().await;
    for operation in registry().unwrap().operations() {
        call(&app, operation, &app.world)
            .send()
            .await
            .problem(401, "missing-credential");
        let cookie = call(&app, operation, &app.world).header("cookie", "session=1");
        cookie.send().await.problem(401, "missing-credential");
        let unknown = Key {
            secret: format!("svc_dev_{}", "x".repeat(43)),
            ..app.world.key.clone()
        };
        call(&app, operation, &app.world)
            .key(&unknown)
            .send()
            .await
            .problem(401, "invalid-credential");
    }
}

#[tokio::test]
async fn every_operation_needs_its_scope_and_no_other() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    for operation in registry().unwrap().operations() {
        let Some(scope) = operation.spec.scope else {
            continue;
        };
        let others: Vec<_> = all_scopes().iter().filter(|other| *other != scope).collect();
        let without = app.world.key(&app.stores, &others, app.now()).await;
        let refused = call(&app, operation, &app.world).key(&without).send().await;
        let problem = refused.problem(403, "insufficient-scope");
        assert_eq!(problem["required_scope"], scope.as_str());
        let granted: ScopeSet = others.into_iter().collect();
        assert_eq!(problem["granted_scopes"], json!(granted));
        let hint = refused.header("www-authenticate").unwrap();
        assert!(
            hint.ends_with(&format!(r#"error="insufficient_scope", scope="{scope}""#)),
            "{hint}"
        );
        let with = app.world.key(&app.stores, &[scope], app.now()).await;
        let served = call(&app, operation, &app.world).key(&with).send().await;
        assert_eq!(served.status, operation.spec.success, "{}", operation.spec.id);
        for key in [without, with] {
            app.stores
                .keys
                .revoke(key.id, &crate::harness::actor(), app.now())
                .await
                .unwrap();
        }
    }
}

#[tokio::test]
async fn every_operation_hides_what_belongs_to_others() {
    let app = TestApp::start().await;
    let other = World::create(&app.stores, app.now()).await;
    for operation in registry().unwrap().operations() {
        let suffix = match operation.spec.path_parameters().next() {
            Some("domain_id") => "domain-not-found",
            Some("workspace_id") => "workspace-not-found",
            _ => continue,
        };
        call(&app, operation, &other)
            .key(&app.world.key)
            .send()
            .await
            .problem(404, suffix);
    }
}

#[tokio::test]
async fn every_operation_refuses_other_verbs_unknown_parameters_and_other_forms_of_ids() {
    let app = TestApp::start().await;
    let registry = registry().unwrap();
    for operation in registry.operations() {
        let siblings = registry
            .operations()
            .iter()
            .filter(|other| other.spec.path == operation.spec.path);
        let verbs: Vec<Verb> = siblings.map(|other| other.spec.method).collect();
        for verb in [Verb::Get, Verb::Post, Verb::Put, Verb::Patch, Verb::Delete] {
            if verbs.contains(&verb) {
                continue;
            }
            let refused = app
                .request(verb.as_str(), &app.world.path(operation.spec.path))
                .key(&app.world.key)
                .send()
                .await;
            refused.problem(405, "method-not-allowed");
            let allow = refused.header("allow").unwrap();
            assert!(
                verbs.iter().all(|known| allow.contains(known.as_str())) && !allow.contains(verb.as_str()),
                "{allow}"
            );
        }
        // Below every limit.
        app.clock.advance(time::Duration::seconds(20));
        let target = app.world.target(operation.spec.path);
        let and = if target.contains('?') { '&' } else { '?' };
        let unknown = format!("{target}{and}colour=red");
        let request = app
            .request(operation.spec.method.as_str(), &unknown)
            .key(&app.world.key);
        let request = prepared(operation, request);
        assert_eq!(request.send().await.faults(), ["colour"], "{}", operation.spec.id);
        let id = app.world.domain.to_string();
        for form in [
            format!("%7B{id}%7D"),
            format!("urn:uuid:{id}"),
            id.replace('-', ""),
            "1".to_owned(),
        ] {
            let template = operation.spec.path;
            if template.contains('{') {
                let target = app.world.target(template);
                let query = target.find('?').map_or("", |at| &target[at..]);
                let target = format!("{}{query}", filled(template, |_| form.clone()));
                let request = app
                    .request(operation.spec.method.as_str(), &target)
                    .key(&app.world.key);
                let request = prepared(operation, request);
                let named = operation.spec.path_parameters();
                // A key has no form to be malformed in.
                let named: Vec<&str> = named.filter(|name| name.ends_with("_id")).collect();
                assert_eq!(
                    request.send().await.faults(),
                    named,
                    "{}: {form}",
                    operation.spec.id
                );
            }
        }
    }
}

#[tokio::test]
async fn every_get_answers_head_and_every_path_answers_options() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    for operation in registry().unwrap().operations() {
        // Below every limit.
        app.clock.advance(time::Duration::seconds(4));
        let path = app.world.target(operation.spec.path);
        if operation.spec.method == Verb::Get {
            let get = app.get(&path, &app.world.key).send().await;
            let head = app.request("HEAD", &path).key(&app.world.key).send().await;
            assert_eq!(
                (head.status, head.header("content-type")),
                (get.status, get.header("content-type"))
            );
            // The log of requests grows between them, until its page is full of longer and shorter rows.
            if operation.spec.id == "listCreditLog" {
                continue;
            }
            let after = app.get(&path, &app.world.key).send().await;
            let length = |reply: &Reply| {
                let length = reply.header("content-length").expect("Content-Length");
                length.parse::<usize>().unwrap()
            };
            assert!((length(&get)..=length(&after)).contains(&length(&head)), "{path}");
            app.request("HEAD", &path)
                .send_unchecked()
                .await
                .header("www-authenticate")
                .expect("the hint of a 401");
        }
        let options = app.request("OPTIONS", &path).send().await;
        assert_eq!(options.status, 204, "without a credential");
        assert!(
            options
                .header("access-control-allow-methods")
                .unwrap()
                .contains(operation.spec.method.as_str())
        );
        assert!(
            options
                .header("access-control-allow-headers")
                .unwrap()
                .contains("Authorization")
        );
    }
}

#[tokio::test]
async fn every_documented_operation_is_served_and_every_served_one_is_documented() {
    let document = &Contract::get().document;
    let described: usize = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .map(|item| item.as_object().unwrap().len())
        .sum();
    let registry = registry().unwrap();
    assert_eq!(described, registry.operations().len() + registry.open().len());
    let app = TestApp::start().await;
    let served = app.request("GET", "//openapi.json").send().await.ok();
    let strip = |document: &Value| (document["paths"].clone(), document["components"].clone());
    assert_eq!(strip(&served), strip(document));
}

/// One key empties a bucket; from then on it refuses every operation that counts in it, and lets the others in.
#[tokio::test]
async fn every_operation_is_refused_past_its_bucket() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    let registry = registry().unwrap();
    for (bucket, ceiling) in [
        (Bucket::Run, 20),
        (Bucket::HeavyQuery, 120),
        (Bucket::General, 600),
    ] {
        let counts = |operation: &&Operation| bucket == Bucket::General || operation.spec.bucket == bucket;
        let Some(first) = registry.operations().iter().find(counts) else {
            continue;
        };
        let key = app
            .world
            .another_key(&app.stores, app.world.owner, app.now())
            .await;
        for _ in 0..ceiling {
            let reply = call(&app, first, &app.world).key(&key).send().await;
            assert_eq!(reply.status, first.spec.success, "{}", first.spec.id);
        }
        for operation in registry.operations() {
            let reply = call(&app, operation, &app.world).key(&key).send().await;
            if counts(&operation) {
                let problem = reply.problem(429, "rate-limited");
                assert_eq!(problem["bucket"], bucket.as_str(), "{}", operation.spec.id);
            } else {
                assert_eq!(reply.status, operation.spec.success, "{}", operation.spec.id);
            }
        }
    }
}

#[tokio::test]
async fn every_operation_with_a_key_needs_one_and_replays_its_first_answer() {
    let app = TestApp::start().await;
    fixtures::fill(&app).await;
    for operation in registry().unwrap().operations() {
        if operation.spec.idempotency != Idempotency::Required {
            continue;
        }
        // Below every limit.
        app.clock.advance(time::Duration::seconds(10));
        let path = app.world.path(operation.spec.path);
        let mut request = app
            .request(operation.spec.method.as_str(), &path)
            .key(&app.world.key);
        if let Some(body) = &operation.shapes.body {
            request = request.json(&body.example);
        }
        assert_eq!(
            request.clone().send().await.faults(),
            ["Idempotency-Key"],
            "{}",
            operation.spec.id
        );
        let request = request.header("idempotency-key", operation.spec.id);
        let first = request.clone().send().await;
        assert_eq!(first.status, operation.spec.success, "{}", operation.spec.id);
        let again = request.send().await;
        assert_eq!(
            (again.status, again.header("idempotent-replayed")),
            (first.status, Some("true"))
        );
        assert_eq!(again.body, first.body, "{}", operation.spec.id);
    }
}
