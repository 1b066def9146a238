//! Whether somebody wants reports: asked once, answered by a link, and not too often.

use pharos_domain::ids::{ReportRecipientId, ReportTemplateId};
use pharos_reporting::recipients::{
    bounds::{ASKED_BY_WORKSPACE, ASKED_OF_ADDRESS, MOST_RECIPIENTS, REFUSED_FOR},
    recipient::RecipientState,
};

use super::*;

async fn again(
    app: &TestApp,
    template: ReportTemplateId,
    id: ReportRecipientId,
) -> Result<Recipient, RecipientError> {
    let recipients = app.stores.ports.get::<dyn RecipientAdmin>().unwrap();
    recipients.ask_again(template, id, &actor(), app.now()).await
}

async fn remove(app: &TestApp, template: ReportTemplateId, id: ReportRecipientId) {
    let recipients = app.stores.ports.get::<dyn RecipientAdmin>().unwrap();
    recipients
        .remove(template, id, &actor(), app.now())
        .await
        .unwrap();
}

async fn state(app: &TestApp, template: ReportTemplateId) -> RecipientState {
    let recipients = app.stores.ports.get::<dyn RecipientAdmin>().unwrap();
    recipients.list(template).await.unwrap()[0].state
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_says_yes_once_by_a_link_after_a_question() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    let mut post = Post::open(&app, 0).await;
    let added = add(&app, id, "Client@shop.example").await.unwrap();
    assert_eq!(added.state, RecipientState::Asked);
    let mail = post.mails.next().await;
    assert_eq!(mail["to"], json!(["Client@shop.example"]));
    assert_eq!(
        mail["headers"]["Subject"],
        "Do you want reports about shop.example?"
    );
    assert_eq!(mail["files"], json!([]));
    assert!(
        !mail.to_string().contains("Weekly"),
        "what a report is called may be an advertisement: {mail}"
    );
    let yes = link(&mail, "/console/reports/confirm/");
    let secret = yes.rsplit('/').next().unwrap();
    let kept = app
        .sql("SELECT r::text || (SELECT string_agg(j::text, '') FROM jobs AS j) FROM report_recipients AS r")
        .await;
    assert!(
        !kept[0][0].as_deref().unwrap().contains(secret),
        "only its digest is kept"
    );

    let (status, page) = open(&app, "GET", &yes).await;
    assert_eq!(status, 200);
    assert!(page.contains("Weekly") && page.contains("shop.example"), "{page}");
    assert_eq!(
        state(&app, id).await,
        RecipientState::Asked,
        "programs that follow links say nothing"
    );
    assert_eq!(recipients_count(&app, id).await, 0);
    assert_eq!(open(&app, "POST", &yes).await.0, 200);
    assert_eq!(state(&app, id).await, RecipientState::Confirmed);
    assert_eq!(recipients_count(&app, id).await, 1);
    for method in ["GET", "POST"] {
        assert_eq!(open(&app, method, &yes).await.0, 410, "used");
    }
    assert!(matches!(
        again(&app, id, added.id).await,
        Err(RecipientError::Confirmed)
    ));
    assert!(matches!(
        add(&app, id, "client@SHOP.example").await,
        Err(RecipientError::Known)
    ));
    let audit = app
        .sql("SELECT actor, action, details::text FROM audit_log WHERE action LIKE 'report_recipient.%' ORDER BY at, id")
        .await;
    let actions: Vec<&str> = audit.iter().map(|row| row[1].as_deref().unwrap()).collect();
    assert_eq!(actions, ["report_recipient.add", "report_recipient.confirm"]);
    assert_eq!(audit[1][0].as_deref(), Some("reader"));
    assert!(!format!("{audit:?}").contains("lient@"), "{audit:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_lapsed_or_was_replaced_leads_nowhere() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    let mut post = Post::open(&app, 0).await;
    let added = add(&app, id, "client@shop.example").await.unwrap();
    let first = link(&post.mails.next().await, "/console/reports/confirm/");
    again(&app, id, added.id).await.unwrap();
    let second = link(&post.mails.next().await, "/console/reports/confirm/");
    for method in ["GET", "POST"] {
        assert_eq!(
            open(&app, method, &first).await.0,
            410,
            "a newer one took its place"
        );
    }
    assert_eq!(open(&app, "GET", &second).await.0, 200);
    app.sql("UPDATE report_recipients SET asked_until = now()").await;
    for method in ["GET", "POST"] {
        let (status, page) = open(&app, method, &second).await;
        assert_eq!(status, 410, "{page}");
    }
    assert_eq!(state(&app, id).await, RecipientState::Lapsed);
    assert_eq!(recipients_count(&app, id).await, 0);
    for nothing in ["x", &"A".repeat(43)] {
        let path = format!("//console/reports/confirm/{nothing}");
        assert_eq!(open(&app, "POST", &path).await.0, 410);
    }
    for nothing in ["x", "01900000-0000-4000-8000-000000000000"] {
        let path = format!("//console/reports/unsubscribe/{nothing}");
        assert_eq!(open(&app, "POST", &path).await.0, 404);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_wants_none_is_not_asked_again() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    let mut post = Post::open(&app, 0).await;
    let added = add(&app, id, "client@shop.example").await.unwrap();
    let mail = post.mails.next().await;
    let end = link(&mail, "/console/reports/unsubscribe/");
    let yes = link(&mail, "/console/reports/confirm/");
    assert_eq!(open(&app, "GET", &end).await.0, 200);
    assert_eq!(state(&app, id).await, RecipientState::Asked);
    for _ in 0..2 {
        assert_eq!(open(&app, "POST", &end).await.0, 200);
    }
    assert_eq!(state(&app, id).await, RecipientState::Unsubscribed);
    assert_eq!(open(&app, "POST", &yes).await.0, 410, "the question is over");
    assert!(matches!(
        again(&app, id, added.id).await,
        Err(RecipientError::Refused)
    ));
    // So it is told at once, and they stay in the list with the day from which on they may be asked.
    assert!(matches!(
        add(&app, id, "CLIENT@shop.example").await,
        Err(RecipientError::Refused)
    ));
    let recipients = app.stores.ports.get::<dyn RecipientAdmin>().unwrap();
    let listed = recipients.list(id).await.unwrap();
    let [still] = &listed[..] else {
        panic!("one recipient: {listed:?}");
    };
    assert_eq!(still.id, added.id);
    assert_eq!(
        still.refuses_until(),
        still.unsubscribed_at.map(|at| at + REFUSED_FOR)
    );
    assert!(still.unsubscribed_at.is_some());
    remove(&app, id, added.id).await;
    assert!(matches!(
        add(&app, id, "CLIENT@shop.example").await,
        Err(RecipientError::Refused)
    ));
    let kept = app
        .sql("SELECT count(*)::text FROM report_questions WHERE is_refusal")
        .await;
    assert_eq!(kept[0][0].as_deref(), Some("1"), "once");
}

/// Whoever removes a recipient, and asks them anew, does not take the links from them by which they end that.
#[tokio::test(flavor = "multi_thread")]
async fn who_was_removed_can_still_say_that_they_want_none() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    let mut post = Post::open(&app, 0).await;
    let added = add(&app, id, "client@shop.example").await.unwrap();
    let end = link(&post.mails.next().await, "/console/reports/unsubscribe/");
    app.sql("UPDATE report_questions SET at = now() - interval '89 days'")
        .await;
    again(&app, id, added.id).await.unwrap();
    assert_eq!(
        link(&post.mails.next().await, "/console/reports/unsubscribe/"),
        end
    );
    remove(&app, id, added.id).await;
    // Two days later upkeep forgets the first question, and the link is good for as long as the second is known.
    app.sql("UPDATE report_questions SET at = at - interval '2 days'")
        .await;
    app.sql("DELETE FROM report_questions WHERE at <= now() - interval '90 days'")
        .await;
    let known = app.sql("SELECT count(*)::text FROM report_questions").await;
    assert_eq!(known[0][0].as_deref(), Some("1"));
    let (status, page) = open(&app, "GET", &end).await;
    assert!(
        status == 200 && page.contains("Ask me no more"),
        "{status}: {page}"
    );
    for _ in 0..2 {
        let (status, page) = open(&app, "POST", &end).await;
        assert!(status == 200 && page.contains("90 days"), "{status}: {page}");
    }
    assert!(matches!(
        add(&app, id, "CLIENT@shop.example").await,
        Err(RecipientError::Refused)
    ));
    let kept = app
        .sql("SELECT count(*)::text FROM report_questions WHERE is_refusal")
        .await;
    assert_eq!(kept[0][0].as_deref(), Some("1"), "once");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_waits_is_not_sent_to_who_has_refused_meanwhile() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    let other = template(&app, &json!({ "name": "Other" })).await.parse().unwrap();
    let first = add(&app, id, "client@shop.example").await.unwrap();
    add(&app, other, "Client@shop.example").await.unwrap();
    add(&app, other, "bo@shop.example").await.unwrap();
    let token = app
        .sql(&format!(
            "SELECT unsubscribe_token::text FROM report_recipients WHERE id = '{}'",
            first.id
        ))
        .await;
    let end = format!(
        "//console/reports/unsubscribe/{}",
        token[0][0].as_deref().unwrap()
    );
    assert_eq!(open(&app, "POST", &end).await.0, 200);
    let mut post = Post::open(&app, 0).await;
    assert_eq!(post.mails.next().await["to"], json!(["bo@shop.example"]));
    app.reaches("(SELECT count(*) FROM jobs WHERE kind = 'report_question' AND state = 'succeeded') = 3")
        .await;
    assert_eq!(state(&app, other).await, RecipientState::Asked);
    let links = app
        .sql("SELECT count(*)::text FROM report_recipients WHERE link_digest IS NOT NULL")
        .await;
    assert_eq!(links[0][0].as_deref(), Some("1"), "that of the other");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_unsubscribed_long_ago_is_asked_anew() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    let added = add(&app, id, "client@shop.example").await.unwrap();
    let ended = |days: u32| {
        format!(
            "UPDATE report_recipients SET confirmed_at = now() - interval '100 days', link_digest = NULL,
                 unsubscribed_at = now() - interval '{days} days'"
        )
    };
    app.sql(&ended(89)).await;
    app.sql("UPDATE report_questions SET is_refusal = true, at = now() - interval '89 days'")
        .await;
    assert!(matches!(
        add(&app, id, "client@shop.example").await,
        Err(RecipientError::Refused)
    ));
    assert_eq!(state(&app, id).await, RecipientState::Unsubscribed);
    app.sql(&ended(91)).await;
    app.sql("UPDATE report_questions SET at = now() - interval '91 days'")
        .await;
    let anew = add(&app, id, "client@shop.example").await.unwrap();
    assert_ne!(anew.id, added.id);
    assert_eq!((anew.state, anew.confirmed_at), (RecipientState::Asked, None));
    assert_eq!(recipients_count(&app, id).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_asked_too_often() {
    let app = TestApp::start().await;
    let id = weekly(&app, "csv").await;
    for _ in 0..ASKED_OF_ADDRESS {
        let added = add(&app, id, "client@shop.example").await.unwrap();
        remove(&app, id, added.id).await;
    }
    assert!(matches!(
        add(&app, id, "client@shop.example").await,
        Err(RecipientError::AddressAskedTooOften)
    ));
    app.sql("UPDATE report_questions SET at = at - interval '1 day'")
        .await;
    add(&app, id, "client@shop.example").await.unwrap();

    for one in 1..MOST_RECIPIENTS {
        add(&app, id, &format!("client-{one}@shop.example"))
            .await
            .unwrap();
    }
    assert!(matches!(
        add(&app, id, "one-more@shop.example").await,
        Err(RecipientError::TooMany)
    ));
    app.sql(&format!(
        "INSERT INTO report_questions (id, workspace_id, address_digest, is_refusal, at)
         SELECT uuid_v7(), '{}', decode(md5(n::text), 'hex'), false, now() FROM generate_series(1, {}) AS n",
        app.world.workspace,
        ASKED_BY_WORKSPACE - MOST_RECIPIENTS
    ))
    .await;
    let other = template(&app, &json!({ "name": "Other" })).await.parse().unwrap();
    assert!(matches!(
        add(&app, other, "one-more@shop.example").await,
        Err(RecipientError::WorkspaceAsksTooOften)
    ));
    let nobody = ReportTemplateId::generate();
    assert!(matches!(
        add(&app, nobody, "client@shop.example").await,
        Err(RecipientError::NoTemplate)
    ));
}
