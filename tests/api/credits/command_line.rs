//! Caps and quotas from the command line, through the real binary.

use serde_json::{Value, json};

use crate::{
    admin::{done, pharos, refused},
    harness::TestApp,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_s_quotas_hold_at_once_and_go_with_the_plan_that_is_put() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let put = |quotas: &[&str]| {
        let mut arguments = vec!["plan", "put", "small", "--name", "Small"];
        for quota in quotas {
            arguments.extend(["--quota", quota]);
        }
        pharos(&app, &arguments)
    };
    let listed = || {
        let plans = done(&pharos(&app, &["plan", "list"]));
        let plans = plans.as_array().unwrap().clone();
        plans.into_iter().find(|plan| plan["key"] == "small").unwrap()
    };
    let limits = async || {
        let path = format!("/workspaces/{workspace}/quotas");
        let page = app.get(&path, &app.world.key).send().await.ok();
        let rows = page["items"].as_array().unwrap();
        (rows[0]["limit"].clone(), rows[5]["limit"].clone())
    };
    let plan = done(&put(&["inspector_urls=100", "report_templates=5"]));
    let quotas = json!({ "inspector_urls": 100, "report_templates": 5 });
    assert_eq!((&plan["quotas"], &listed()["quotas"]), (&quotas, &quotas));
    assert_eq!(limits().await, (Value::Null, Value::Null), "another plan's");
    done(&pharos(&app, &["workspace", "set-plan", &workspace, "small"]));
    assert_eq!(limits().await, (json!(100), json!(5)));
    done(&put(&["inspector_urls=unlimited", "report_templates=0"]));
    assert_eq!(listed()["quotas"], json!({ "report_templates": 0 }));
    assert_eq!(limits().await, (Value::Null, json!(0)));
    done(&put(&[]));
    assert_eq!(limits().await, (Value::Null, Value::Null), "a plan is put whole");

    for (bad, words) in [
        (&["inspector_urls=-1"][..], "a quota is 0 or more"),
        (&["inspector_urls"], "not RESOURCE=LIMIT"),
        (&["inspector_urls=many"], "neither a whole number nor"),
        (&["bicycles=1"], "one of inspector_urls"),
        (&["inspector_urls=1", "inspector_urls=2"], "named twice"),
    ] {
        refused(&put(bad), words);
    }
    let audit = app
        .sql("SELECT details->'quotas' FROM audit_log WHERE action = 'plan.put' ORDER BY id")
        .await;
    let audit: Vec<String> = audit.into_iter().flatten().flatten().collect();
    assert_eq!(
        audit,
        [
            r#"{"inspector_urls": 100, "report_templates": 5}"#,
            r#"{"report_templates": 0}"#,
            "{}"
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_s_cap_holds_at_once_and_stays_until_it_is_taken_away() {
    let app = TestApp::start().await;
    let workspace = app.world.workspace.to_string();
    let email = app
        .sql("SELECT email FROM users")
        .await
        .remove(0)
        .remove(0)
        .unwrap();
    let put = |flags: &[&str]| {
        let mut arguments = vec!["member", "put", &workspace, &email, "owner"];
        arguments.extend(flags);
        pharos(&app, &arguments)
    };
    let cap = async || {
        let balance = app.get("/credits", &app.world.key).send().await.ok();
        balance["member"]["granted"].clone()
    };
    assert_eq!(done(&put(&[]))["credit_cap"], Value::Null);
    assert_eq!(cap().await, Value::Null);
    assert_eq!(done(&put(&["--credit-cap", "1"]))["credit_cap"], 1);
    assert_eq!(cap().await, 1);
    assert_eq!(done(&put(&[]))["credit_cap"], 1, "it was not mentioned");
    let listed = done(&pharos(&app, &["member", "list", &workspace]));
    assert_eq!(listed[0]["credit_cap"], 1);
    let config = format!("/domains/{}/uptime/config", app.world.domain);
    app.get(&config, &app.world.key).send().await.ok();
    app.get(&config, &app.world.key)
        .send()
        .await
        .problem(402, "quota-exhausted");
    assert_eq!(done(&put(&["--no-credit-cap"]))["credit_cap"], Value::Null);
    app.get(&config, &app.world.key).send().await.ok();
    assert_eq!(cap().await, Value::Null);

    refused(&put(&["--credit-cap=-1"]), "0 or more");
    refused(
        &put(&["--credit-cap", "1", "--no-credit-cap"]),
        "cannot be used with",
    );
    let audit = app
        .sql("SELECT details->'credit_cap' FROM audit_log WHERE action = 'member.put' ORDER BY id")
        .await;
    let audit: Vec<String> = audit.into_iter().flatten().flatten().collect();
    assert_eq!(audit, ["null", "1", "1", "null"]);
}
