//! The OpenAPI document, and whether an answer fits it.

use std::{
    collections::HashMap,
    sync::{Mutex, OnceLock},
};

use jsonschema::Validator;
use pharos_http::{
    openapi::document::document,
    spec::{BASE_PATH, Verb},
};
use pharos_server::registry::registry;
use serde_json::{Value, json};

use super::Reply;

/// The document, with its schemas ready to be held against answers.
pub(crate) struct Contract {
    pub(crate) document: Value,
    validators: Mutex<HashMap<String, std::sync::Arc<[Validator; 2]>>>,
}

impl Contract {
    /// The document of this build.
    pub(crate) fn get() -> &'static Self {
        static CONTRACT: OnceLock<Contract> = OnceLock::new();
        CONTRACT.get_or_init(|| {
            let document = document(&registry().unwrap(), "/");
            Contract {
                document,
                validators: Mutex::default(),
            }
        })
    }

    /// Asserts that an answer of the API is one that the document describes, headers included.
    #[track_caller]
    pub(crate) fn check(&self, method: &str, target: &str, reply: &Reply) {
        let path = target.split('?').next().unwrap_or("");
        // The OAuth operations answer in the words of their own RFCs.
        if !path.starts_with(BASE_PATH) || path.starts_with(&format!("{BASE_PATH}/oauth/")) {
            return;
        }
        let shown = format!(
            "{method} {target} answered {} {}",
            reply.status,
            String::from_utf8_lossy(&reply.body)
        );
        let id = reply
            .header("x-request-id")
            .unwrap_or_else(|| panic!("X-Request-Id: {shown}"));
        assert!(
            pharos_domain::ids::parse_hyphenated(id).is_some(),
            "X-Request-Id: {shown}"
        );
        self.check_accounts(method, path, reply, &shown);
        assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{shown}");
        assert!(
            reply.header("access-control-allow-credentials").is_none(),
            "{shown}"
        );
        if reply.status == 401 {
            let hint = reply
                .header("www-authenticate")
                .unwrap_or_else(|| panic!("no hint: {shown}"));
            assert!(hint.starts_with("Bearer resource_metadata=\"http"), "{shown}");
        }
        if method == "HEAD" {
            assert!(reply.body.is_empty(), "{shown}");
            return;
        }
        if method == "OPTIONS" && reply.status == 204 {
            return;
        }
        if reply.status >= 400 {
            self.check_problem(target, reply, id, &shown);
        }
        let Some(operation) = self.operation(method, path) else {
            assert!(matches!(reply.status, 404 | 405), "{shown}");
            return;
        };
        let described = &operation["responses"][reply.status.to_string()];
        assert!(described.is_object(), "an undocumented status: {shown}");
        if reply.status >= 400 {
            let problem = plain(reply);
            let suffix = problem["type"].as_str().and_then(|kind| kind.rsplit('/').next());
            let declared = described["x-problems"].as_array().unwrap();
            assert!(
                declared.iter().any(|known| known.as_str() == suffix),
                "an undeclared problem: {shown}"
            );
        }
        if reply.status == 304 {
            assert!(reply.body.is_empty() && reply.header("etag").is_some(), "{shown}");
            return;
        }
        let kind = reply
            .header("content-type")
            .unwrap_or_else(|| panic!("Content-Type: {shown}"));
        let schema = &described["content"][kind]["schema"];
        assert!(schema.is_object(), "an undocumented media type {kind}: {shown}");
        self.fits(schema, &plain(reply), &shown);
    }

    /// Every answer says what it cost: the price for a success that was computed, else nothing. A caller who is
    /// known is told what is left of credits and of the tightest bucket.
    #[track_caller]
    fn check_accounts(&self, method: &str, path: &str, reply: &Reply, shown: &str) {
        let cache = reply.header("x-cache");
        assert!(
            matches!(cache, Some("HIT" | "MISS" | "UNAVAILABLE")),
            "X-Cache: {shown}"
        );
        let is_success = (200..300).contains(&reply.status) && method != "OPTIONS";
        let is_computed = cache != Some("HIT") && reply.header("idempotent-replayed").is_none();
        let price = match self.operation(method, path) {
            Some(operation) if is_success && is_computed => operation["x-credits"].to_string(),
            _ => "0".to_owned(),
        };
        // Operations that only tests have are not described.
        if !is_success || self.operation(method, path).is_some() {
            assert_eq!(reply.header("x-credits-cost"), Some(&*price), "{shown}");
        }
        if is_success {
            let number = |name: &str| reply.header(name).map(|value| value.parse::<i64>());
            assert!(
                matches!(number("x-credits-remaining"), Some(Ok(0..))),
                "X-Credits-Remaining: {shown}"
            );
            for name in ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
                match number(name) {
                    Some(Ok(0..)) => assert_ne!(cache, Some("UNAVAILABLE"), "{name}: {shown}"),
                    None => assert_eq!(cache, Some("UNAVAILABLE"), "{name}: {shown}"),
                    Some(_) => panic!("{name}: {shown}"),
                }
            }
        }
    }

    #[track_caller]
    fn check_problem(&self, target: &str, reply: &Reply, id: &str, shown: &str) {
        let problem = plain(reply);
        self.fits(
            &json!({ "$ref": "#/components/schemas/Problem" }),
            &problem,
            shown,
        );
        assert_eq!(problem["status"], reply.status, "{shown}");
        assert_eq!(problem["request_id"], id, "{shown}");
        assert_eq!(problem["instance"].as_str(), target.split('?').next(), "{shown}");
        let suffix = problem["type"].as_str().unwrap().rsplit('/').next().unwrap();
        let known: pharos_domain::problem::Suffix = suffix.parse().unwrap_or_else(|_| panic!("{shown}"));
        assert_eq!(
            (known.status(), known.title()),
            (reply.status, problem["title"].as_str().unwrap()),
            "{shown}"
        );
    }

    /// Asserts that a body fits, for clients that check formats and for those that take them for remarks, as JSON Schema
    /// has it unless they are asked to.
    #[track_caller]
    fn fits(&self, schema: &Value, body: &Value, shown: &str) {
        let validators = {
            let mut validators = self.validators.lock().unwrap();
            let compile = || {
                let mut schema = schema.clone();
                schema["components"] = self.document["components"].clone();
                let of_formats = |are_checked| {
                    let options = jsonschema::draft202012::options().should_validate_formats(are_checked);
                    options.build(&schema).expect("a schema of the document")
                };
                std::sync::Arc::new([true, false].map(of_formats))
            };
            validators
                .entry(schema.to_string())
                .or_insert_with(compile)
                .clone()
        };
        for validator in validators.iter() {
            if let Some(error) = validator.iter_errors(body).next() {
                panic!(
                    "the body does not fit at {}: {error}; {shown}",
                    error.instance_path()
                );
            }
        }
    }

    /// The described operation of a method and path.
    fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let verb = Verb::answering(method)?.as_str().to_ascii_lowercase();
        let segments: Vec<&str> = path.split('/').collect();
        let paths = self.document["paths"].as_object()?;
        let (_, item) = paths.iter().find(|(template, _)| {
            let template: Vec<&str> = template.split('/').collect();
            template.len() == segments.len()
                && template
                    .iter()
                    .zip(&segments)
                    .all(|(known, given)| known == given || (known.starts_with('{') && !given.is_empty()))
        })?;
        item.get(verb)
    }
}

/// The body, unpacked where it came compressed.
fn plain(reply: &Reply) -> Value {
    if reply.header("content-encoding") == Some("gzip") {
        return serde_json::from_reader(flate2::read::GzDecoder::new(&*reply.body)).unwrap();
    }
    reply.json()
}
