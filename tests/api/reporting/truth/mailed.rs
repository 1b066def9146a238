//! A report from its schedule to its reader: every figure of the PDF in the mail is the API's.

use serde_json::json;

use super::{
    Days, LAST, against_the_api, all_besides, are_none, everything, in_print, is_about, report, seed,
};
use crate::{
    harness::TestApp,
    reporting::{
        get,
        mails::{Post, attached, confirmed},
        maker,
        schedules::scheduler,
        template,
    },
};

/// A schedule is about days that have a name: `last_30_days`.
const SCHEDULED: Days = Days {
    first: "2026-03-02",
    last: LAST,
    count: 30,
};

/// The clock stands at 09:15 UTC on a Tuesday, 45 minutes before the report is due.
#[tokio::test(flavor = "multi_thread")]
async fn every_figure_of_the_pdf_that_a_schedule_has_mailed_is_the_apis() {
    let app = TestApp::start().await;
    seed::site(&app).await;
    let catalogue = maker(&app).await.catalogue;
    let mut body = everything(&catalogue);
    body["default_period"] = json!("last_30_days");
    body["schedule"] =
        json!({ "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" });
    let id = template(&app, &body).await;
    confirmed(&app, id.parse().unwrap(), "client@shop.example").await;
    let mut post = Post::open(&app, 0).await;
    assert_eq!(scheduler(&app).round().await.unwrap(), 0, "not yet");
    app.clock.advance(time::Duration::minutes(45));
    assert_eq!(scheduler(&app).round().await.unwrap(), 1);
    // Until then it is read and printed, which may take longer than a mail may.
    app.reaches("EXISTS (SELECT FROM report_deliveries)").await;
    let mail = post.mails.next().await;
    assert_eq!(mail["to"], json!(["client@shop.example"]));
    let pdf = attached(&mail);

    let run = get(&app, "runs").await.ok()["items"][0].clone();
    assert_eq!(
        (&run["trigger"], &run["range_start"], &run["range_end"]),
        (
            &json!("schedule"),
            &json!(SCHEDULED.first),
            &json!(SCHEDULED.last)
        )
    );
    let answers = all_besides(&app, SCHEDULED).await;
    // The same figures as JSON: the clock stands still.
    let (result, _) = report(&app, &id, SCHEDULED, "json").await;
    let data = &result["inline"];
    is_about(
        data,
        [SCHEDULED.first, SCHEDULED.last, "2026-01-31", "2026-03-01"],
    );
    let mut faults = against_the_api(&app, &catalogue, data, SCHEDULED, &answers).await;
    faults.extend(in_print(&catalogue, data, &pdf).await);
    are_none(&faults);
}
