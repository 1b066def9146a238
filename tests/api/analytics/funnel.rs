//! GET /domains/{domain_id}/analytics/funnel, of the log that was worked out by hand.

use serde_json::{Value, json};

use super::{
    path,
    reads::{get, number},
    told,
};

const DAYS: &str = "start_date=2026-03-30&end_date=2026-04-03";

/// 9 sessions viewed `/`; 3 of them `/a` later, after 300, 1,200 and 1,500 s; of these 1 signed up, 30 s later.
#[tokio::test]
async fn percentages_are_of_sessions_and_null_where_there_is_nothing_to_share() {
    let app = told().await;
    let found = get(
        &app,
        &format!("funnel?{DAYS}&step=page:/&step=page%3A%2Fa&step=event:signup"),
    )
    .await;
    let steps = found["steps"].as_array().unwrap();
    let shown: Vec<Value> = steps
        .iter()
        .map(|step| {
            json!([
                step["index"],
                step["kind"],
                step["value"],
                step["visitors"],
                step["sessions"]
            ])
        })
        .collect();
    assert_eq!(
        shown,
        [
            json!([0, "page", "/", 9, 9]),
            json!([1, "page", "/a", 3, 3]),
            json!([2, "event", "signup", 1, 1]),
        ]
    );
    assert_eq!(
        (
            &steps[0]["from_previous_pct"],
            &steps[0]["median_seconds_from_previous"]
        ),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(steps[0]["from_start_pct"], 100.0);
    for (step, member, expected) in [
        (1, "from_previous_pct", 100.0 / 3.0),
        (1, "median_seconds_from_previous", 1_200.0),
        (2, "from_previous_pct", 100.0 / 3.0),
        (2, "from_start_pct", 100.0 / 9.0),
        (2, "median_seconds_from_previous", 30.0),
    ] {
        let found = number(&steps[step][member]);
        assert!((found - expected).abs() < 1e-9, "{step} {member}: {found}");
    }
    assert!((number(&found["overall_conversion_pct"]) - 100.0 / 9.0).abs() < 1e-9);
    assert_eq!(found["meta"]["range_start"], "2026-03-30");
    let nobody = get(
        &app,
        &format!("funnel?{DAYS}&step=page:/nowhere&step=page:/&country=FR"),
    )
    .await;
    assert_eq!(
        (
            &nobody["steps"][0]["from_start_pct"],
            &nobody["steps"][1]["sessions"],
            &nobody["overall_conversion_pct"]
        ),
        (&Value::Null, &json!(0), &Value::Null)
    );
}

/// The order of steps is the question. Answers are kept by it.
#[tokio::test]
async fn steps_in_another_order_are_another_funnel() {
    let app = told().await;
    let ask = async |steps: &str| {
        let target = path(&app, &format!("funnel?{DAYS}&{steps}"));
        let reply = app.get(&target, &app.world.key).send().await;
        let kept = reply.header("x-cache").map(str::to_owned);
        (reply.ok()["steps"][1]["sessions"].clone(), kept)
    };
    let is = |answer: (Value, Option<String>), sessions: u8, kept: &str| {
        assert_eq!(answer, (json!(sessions), Some(kept.to_owned())));
    };
    is(ask("step=page:/&step=page:/a").await, 3, "MISS");
    is(ask("step=page:/a&step=page:/").await, 0, "MISS");
    is(ask("step=page:%2F&step=page%3A/a").await, 3, "HIT");
}

#[tokio::test]
async fn every_fault_of_the_steps_is_told() {
    let app = told().await;
    let faults = async |query: &str| {
        let reply = app
            .get(&path(&app, &format!("funnel?{query}")), &app.world.key)
            .send()
            .await;
        assert_eq!(reply.status, 400, "{query}");
        let errors = reply.json()["errors"].as_array().unwrap().clone();
        let told = errors.iter().map(|fault| {
            let parameter = fault["parameter"].as_str().unwrap();
            format!("{parameter}: {}", fault["detail"].as_str().unwrap())
        });
        told.collect::<Vec<_>>()
    };
    assert_eq!(faults("").await, ["step: missing"]);
    assert_eq!(faults("step=page:/").await, ["step: fewer than 2"]);
    let nine = ["step=page:/"; 9].join("&");
    assert_eq!(faults(&nine).await, ["step: more than 8 items"]);
    let no_step = "not page: and a path, such as page:/pricing, or event: and a name, such as event:signup";
    assert_eq!(
        faults("step=page:shop&step=event:a&step=event:&period=no")
            .await
            .len(),
        3,
        "two steps and the period"
    );
    assert_eq!(
        faults("step=event:a&step=Page:/").await,
        [format!("step: number 2: {no_step}")]
    );
    assert_eq!(
        faults("step=event:a&step=event:b&country=FR&country=DE").await,
        ["country: given more than once"]
    );
    let long = format!("step=page:/{}&step=event:%25%27--", "x".repeat(5_000));
    let none = get(&app, &format!("funnel?{DAYS}&{long}")).await;
    assert_eq!(none["steps"][0]["sessions"], 0);
}
