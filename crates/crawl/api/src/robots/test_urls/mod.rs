//! URLs that are saved with what is expected of them, and questions about any.

pub(crate) mod list;
pub(crate) mod query;
pub(crate) mod replace;

use pharos_crawl::robots::monitor::{
    evaluate::{InForce, Tests},
    site::{Expectation, RobotsSite, TestUrl},
};
use pharos_domain::{page::Page, timestamp::Timestamp, wire_enum};
use pharos_http::{operation::ApiResult, payload::Example, problem::Problem};
use serde::Serialize;
use time::macros::datetime;
use utoipa::ToSchema;
use uuid::{Uuid, uuid};

use super::RuleRefPublic;

wire_enum! {
    /// Whether a URL may be fetched, as far as is known.
    TestResult as "RobotsTestResult" {
        /// It may.
        Allowed = "allowed",
        /// It may not.
        Disallowed = "disallowed",
        /// The file was never fetched, or its rules take too long.
        Unknown = "unknown",
    }
}

/// A saved URL, with what is expected of it and what is so.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RobotsTestUrl)]
pub(crate) struct RobotsTestUrlPublic {
    /// Its id; a new one whenever the list is replaced.
    id: Uuid,
    /// The URL.
    url: String,
    /// The crawler that the expectation is about.
    user_agent: String,
    /// The result that is expected.
    expectation: Expectation,
    /// The result, by the file as crawlers take it now.
    last_result: TestResult,
    /// Whether it is as expected; null where the file was never fetched.
    #[schema(required)]
    passing: Option<bool>,
    /// When the file was last fetched, which this is by; null where it never was.
    #[schema(required)]
    last_evaluated_at: Option<Timestamp>,
    /// The rule that decides; null where none does.
    #[schema(required)]
    matched_rule: Option<RuleRefPublic>,
}

impl RobotsTestUrlPublic {
    fn new(saved: TestUrl, tests: &mut Tests<'_>, at: Option<Timestamp>) -> Self {
        let tested = tests.test(&saved);
        let (result, passing) = (tested.result, tested.passes(saved.expectation));
        let matched_rule = tested.rule.map(RuleRefPublic::from);
        let TestUrl {
            id,
            url,
            user_agent,
            expectation,
        } = saved;
        Self {
            id,
            url,
            user_agent,
            expectation,
            last_result: match result {
                Some(Expectation::Allowed) => TestResult::Allowed,
                Some(Expectation::Disallowed) => TestResult::Disallowed,
                None => TestResult::Unknown,
            },
            passing,
            last_evaluated_at: at,
            matched_rule,
        }
    }
}

/// All saved URLs, held against the file. Where both are long that takes a while, in which other requests are answered.
async fn all(saved: Vec<TestUrl>, site: Option<RobotsSite>) -> ApiResult<Page<RobotsTestUrlPublic>> {
    tokio::task::spawn_blocking(move || {
        let file = site.as_ref().map(InForce::of);
        let at = site.as_ref().map(|site| Timestamp::from(site.last_checked_at));
        let mut tests = Tests::new(file.as_ref());
        let rows = saved.into_iter();
        Page::single(
            rows.map(|saved| RobotsTestUrlPublic::new(saved, &mut tests, at))
                .collect(),
        )
    })
    .await
    .map_err(|error| Problem::internal(error.to_string()))
}

impl Example for RobotsTestUrlPublic {
    fn example() -> Self {
        Self {
            id: uuid!("0195c0de-7a4e-7c31-9d52-3f1f0b6a8e22"),
            url: "https://shop.example/cart".to_owned(),
            user_agent: "Googlebot".to_owned(),
            expectation: Expectation::Disallowed,
            last_result: TestResult::Disallowed,
            passing: Some(true),
            last_evaluated_at: Some(datetime!(2026-03-31 09:14:30 UTC).into()),
            matched_rule: Some(RuleRefPublic::example()),
        }
    }
}
