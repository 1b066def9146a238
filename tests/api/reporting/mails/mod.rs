//! Reports that are mailed: who is asked, who gets them, and what mail servers do.

mod asked;
mod sent;

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_STANDARD};
use pharos_artefacts::links::Links;
use pharos_domain::{clock::Clock, ids::ReportTemplateId, secret::Secret};
use pharos_mail::mailer::{Mailer, SmtpSettings};
use pharos_reporting::{
    mails::{questions::QuestionMailer, reports::ReportMailer},
    recipients::{
        recipient::{Address, Recipient},
        store::{RecipientAdmin, RecipientError},
    },
};
use pharos_server::worker::WorkerPace;
use serde_json::{Value, json};

use super::{get, maker, only, path, results, schedules::scheduler, template};
use crate::{
    alerting::deliveries::receivers::Receiver,
    harness::{TestApp, actor, openssl::Vault},
    jobs::{Crew, connect},
};

/// The address that mails know Pharos by.
const BASE: &str = "https://pharos.example";

/// A mail server that drops the first mails in the middle, and a worker that makes reports and mails them.
pub(super) struct Post {
    pub(super) mails: Receiver,
    _crew: Crew,
    _vault: Vault,
}

impl Post {
    pub(super) async fn open(app: &TestApp, drops: u8) -> Self {
        let vault = Vault::new("mail-root");
        let (mails, port) = Receiver::of_mail(&vault, "smtps", drops).await;
        let settings = SmtpSettings {
            url: Secret::from(format!("smtps://pharos:correct%20horse@127.0.0.1:{port}")),
            from: "Pharos <pharos@mail.example>".to_owned(),
            extra_roots: Some(vault.read("root.pem")),
        };
        let mailer = Some(Arc::new(Mailer::new(&settings).unwrap()));
        let questions = QuestionMailer {
            store: app.stores.ports.get().unwrap(),
            mailer: mailer.clone(),
            base_url: BASE.to_owned(),
        };
        let reports = ReportMailer {
            store: app.stores.ports.get().unwrap(),
            results: results(app),
            links: app.stores.ports.get::<Links>().unwrap(),
            mailer,
            clock: Arc::clone(&app.clock) as Arc<dyn Clock>,
            base_url: BASE.to_owned(),
        };
        let database = connect(app.database.url()).await;
        let crew = Crew::start(
            &database,
            "local",
            WorkerPace::default(),
            vec![Arc::new(maker(app).await), Arc::new(questions), Arc::new(reports)],
        )
        .await;
        Self {
            mails,
            _crew: crew,
            _vault: vault,
        }
    }
}

/// A template whose report is due at 10:00 UTC; the clock stands at 09:15.
async fn weekly(app: &TestApp, format: &str) -> ReportTemplateId {
    let body = json!({
        "name": "Weekly", "default_period": "last_week", "format": format,
        "schedule": { "frequency": "weekly", "weekday": 2, "hour": 12, "timezone": "Europe/Berlin" },
        "sections_config": only("notes", "text", &json!({ "text": "All is well." })),
    });
    template(app, &body).await.parse().unwrap()
}

/// Lets the schedule ask for its next report.
async fn due(app: &TestApp) {
    app.clock.advance(time::Duration::days(7));
    assert_eq!(scheduler(app).round().await.unwrap(), 1);
}

async fn add(app: &TestApp, template: ReportTemplateId, address: &str) -> Result<Recipient, RecipientError> {
    let recipients = app.stores.ports.get::<dyn RecipientAdmin>().unwrap();
    let address = Address::parse(address).unwrap();
    recipients.add(template, &address, &actor(), app.now()).await
}

/// A recipient who has said yes.
pub(super) async fn confirmed(app: &TestApp, template: ReportTemplateId, address: &str) -> Recipient {
    let added = add(app, template, address).await.unwrap();
    app.sql(&format!(
        "UPDATE report_recipients SET confirmed_at = now(), link_digest = NULL WHERE id = '{}'",
        added.id
    ))
    .await;
    // Nobody need be asked any more.
    app.sql("DELETE FROM jobs WHERE kind = 'report_question'").await;
    added
}

/// The one file that goes along with a mail.
pub(super) fn attached(mail: &Value) -> Vec<u8> {
    let files = mail["files"].as_array().unwrap();
    assert_eq!(files.len(), 1);
    BASE64_STANDARD
        .decode(files[0]["base64"].as_str().unwrap())
        .unwrap()
}

/// The path of the link in a mail that begins so, as requests to what is no operation have it: with one more slash.
fn link(mail: &Value, start: &str) -> String {
    let text = mail["text"].as_str().unwrap();
    let start = format!("{BASE}{start}");
    let from = text.find(&start).unwrap_or_else(|| panic!("{start} in {text}"));
    let link = text[from..].split_whitespace().next().unwrap();
    format!("/{}", &link[BASE.len()..])
}

/// Opens a page of the console without an account, and gives its status and text.
async fn open(app: &TestApp, method: &str, path: &str) -> (u16, String) {
    let request = app
        .request(method, path)
        .body("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click");
    let reply = request.send_unchecked().await;
    (reply.status, String::from_utf8(reply.body.to_vec()).unwrap())
}

/// How many recipients the API says that the reports of the template go to.
async fn recipients_count(app: &TestApp, template: ReportTemplateId) -> Value {
    let found = get(app, &format!("templates/{template}")).await.ok();
    found["schedule"]["recipients_count"].clone()
}

/// Has everything that waits sent now.
async fn hurry(app: &TestApp) {
    app.sql("UPDATE jobs SET run_at = now() WHERE state = 'queued'")
        .await;
    for kind in ["report_question", "report_delivery"] {
        app.sql(&format!("SELECT pg_notify('pharos_jobs', '{kind}')"))
            .await;
    }
}
