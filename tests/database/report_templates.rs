//! Templates of reports and their recipients, which several change at the same moment.

use pharos_domain::ids::ReportTemplateId;
use pharos_reporting::store::TemplateStore;

use crate::{
    harness::{Fixture, Home, NOW, charged, connect},
    retries::blocked,
};

/// A template of the home's domain.
pub(crate) async fn template(fixture: &Fixture, home: &Home, name: &str) -> ReportTemplateId {
    let id = ReportTemplateId::generate();
    fixture
        .sql
        .batch_execute(&format!(
            "INSERT INTO report_templates (id, domain_id, workspace_id, name, name_key, sections, locale, format, default_period,
                 compare_previous, branding, requester_kind, credential_id, created_at, updated_at)
             VALUES ('{id}', '{}', '{}', '{name}', lower('{name}'), '{{}}', 'en', 'pdf', 'last_month', true, '{{}}',
                 'api_key', gen_random_uuid(), now(), now())",
            home.domain, home.workspace,
        ))
        .await
        .unwrap();
    id
}

/// Whoever makes one takes of the quota first, and then waits for a template of the same name that is being deleted.
#[tokio::test]
async fn a_template_that_is_deleted_and_one_that_is_made_wait_for_each_other_in_no_circle() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let id = template(&fixture, &home, "Monthly").await;
    let quota = format!(
        "INSERT INTO quota_usage (workspace_id, resource, period_start, used)
         VALUES ('{}', 'report_templates', '1970-01-01', 2)",
        home.workspace
    );
    fixture.sql.batch_execute(&quota).await.unwrap();
    let other = connect(fixture.test.url()).await;
    let takes = "BEGIN; SELECT FROM quota_usage WHERE resource = 'report_templates' FOR UPDATE";
    other.batch_execute(takes).await.unwrap();
    let paid = charged(&fixture.access(&home).await, 1, NOW);
    let again = charged(&fixture.access(&home).await, 1, NOW);
    let templates = fixture.stores.ports.get::<dyn TemplateStore>().unwrap();
    let deleted = tokio::spawn(async move {
        let first = templates.delete(&paid, id, NOW).await.unwrap();
        (first, templates.delete(&again, id, NOW).await.unwrap())
    });
    blocked(&fixture, "UPDATE quota_usage").await;
    let waits_for_nobody =
        format!("SELECT FROM report_templates WHERE id = '{id}' FOR UPDATE NOWAIT; COMMIT");
    other.batch_execute(&waits_for_nobody).await.unwrap();
    assert_eq!(deleted.await.unwrap(), (true, false));
    let used = "SELECT used FROM quota_usage WHERE resource = 'report_templates'";
    assert_eq!(fixture.value::<i64>(used, &[]).await, 1, "once");
}

/// Whoever changes recipients holds their template, and then changes them. Upkeep that held them, and waited for the template to
/// count them, would wait in a circle.
#[tokio::test]
async fn who_never_answered_is_forgotten_after_30_days_unless_somebody_holds_the_template() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let held = template(&fixture, &home, "Monthly").await;
    let free = template(&fixture, &home, "Weekly").await;
    let recipients = format!(
        "INSERT INTO report_recipients (id, template_id, address, address_key, asked_at, asked_until, confirmed_at)
         SELECT gen_random_uuid(), t.id, a.name, a.name, now() - interval '40 days', now() - a.ago, a.confirmed_at
         FROM report_templates AS t
         CROSS JOIN (
             VALUES ('lapsed', interval '30 days', NULL::timestamptz), ('later', interval '29 days', NULL),
                 ('reader', interval '30 days', now())
         ) AS a (name, ago, confirmed_at)
         WHERE t.id IN ('{held}', '{free}')"
    );
    fixture.sql.batch_execute(&recipients).await.unwrap();
    let other = connect(fixture.test.url()).await;
    let holds = format!("BEGIN; SELECT FROM report_templates WHERE id = '{held}' FOR NO KEY UPDATE");
    other.batch_execute(&holds).await.unwrap();
    let left = async |template: ReportTemplateId| -> Vec<String> {
        let left = format!(
            "SELECT array_agg(address ORDER BY address) FROM report_recipients WHERE template_id = '{template}'"
        );
        fixture.value(&left, &[]).await
    };
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(left(held).await, ["lapsed", "later", "reader"]);
    assert_eq!(left(free).await, ["later", "reader"]);
    other.batch_execute("COMMIT").await.unwrap();
    fixture.database.maintain(NOW).await.unwrap();
    assert_eq!(left(held).await, ["later", "reader"]);
}

/// Whoever buries a job knows nothing of mails.
#[tokio::test]
async fn a_mail_whose_job_is_dead_or_gone_has_failed() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let id = template(&fixture, &home, "Monthly").await;
    let mails = format!(
        "INSERT INTO runs (id, domain_id, kind, status, requested_at, finished_at, requester_kind, credential_id, credits_charged)
         VALUES ('01900000-0000-7000-8000-000000000001', '{}', 'report', 'succeeded', now(), now(), 'api_key', gen_random_uuid(), 25);
         INSERT INTO report_runs (run_id, template_id, template_name, trigger, format, first_day, last_day, ordered)
         VALUES ('01900000-0000-7000-8000-000000000001', '{id}', 'Monthly', 'schedule', 'pdf', '2026-03-01', '2026-03-31', '{{}}');
         INSERT INTO report_recipients (id, template_id, address, address_key, asked_at, asked_until, confirmed_at)
         SELECT gen_random_uuid(), '{id}', name, name, now(), now(), now() FROM unnest('{{dead, gone, waits}}'::text[]) AS name;
         INSERT INTO report_deliveries (id, run_id, recipient_id, state, created_at)
         SELECT gen_random_uuid(), '01900000-0000-7000-8000-000000000001', r.id, 'queued', now() FROM report_recipients AS r;
         INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, last_error, created_at, finished_at)
         SELECT v.id, 'report_delivery', '{{}}', CASE r.address WHEN 'dead' THEN 'dead' ELSE 'queued' END, now(), 0, 11,
             CASE r.address WHEN 'dead' THEN 'its worker was lost' END, now(), CASE r.address WHEN 'dead' THEN now() END
         FROM report_deliveries AS v
         JOIN report_recipients AS r ON r.id = v.recipient_id
         WHERE r.address <> 'gone'",
        home.domain
    );
    fixture.sql.batch_execute(&mails).await.unwrap();
    fixture.database.maintain(NOW).await.unwrap();
    let ends = "SELECT array_agg(concat_ws(': ', r.address, v.state, v.last_error) ORDER BY r.address)
        FROM report_deliveries AS v JOIN report_recipients AS r ON r.id = v.recipient_id";
    assert_eq!(
        fixture.value::<Vec<String>>(ends, &[]).await,
        [
            "dead: failed: its worker was lost",
            "gone: failed: its job is gone",
            "waits: queued"
        ]
    );
}
