//! The texts of mails. Names come from people: they are lines, and are escaped where they are put into HTML.

use maud::html;
use pharos_domain::{ids::ReportDeliveryId, line::one_line, secret::Secret};
use pharos_mail::{
    frame::{self, PLAIN},
    mail::{Attachment, Mail},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::store::{Question, ReportToMail};
use crate::{format::ReportLocale, render::words};

/// Where a report is read without the mail.
pub(super) struct Download {
    pub(super) link: String,
    pub(super) until: OffsetDateTime,
}

/// The question whether somebody wants reports. It says who asks, and nothing else that its sender chose: its reader asked for
/// nothing yet, and the name of a report may be an advertisement. The page that the link leads to says it.
pub(super) fn question(asked: &Question, base_url: &str, token: &Secret) -> Mail {
    let Question {
        to,
        hostname,
        workspace_name,
        until,
        unsubscribe_token,
    } = asked;
    let [hostname, workspace] = [hostname, workspace_name].map(|text| one_line(text));
    let confirm = format!("{base_url}/console/reports/confirm/{}", token.reveal());
    let unsubscribe = ended_by(base_url, unsubscribe_token);
    let until = words::moment(ReportLocale::En, *until);
    let title = format!("Do you want reports about {hostname}?");
    let asks =
        format!("The workspace \u{201c}{workspace}\u{201d} wants to send you a report about {hostname}.");
    let holds = format!("The link is good until {until}, once. Without it you get nothing.");
    let no_more = "If you do not know them, ignore this mail, or have them ask you no more:";
    let content = html! {
        (frame::paragraph(&html! { (asks) }))
        (frame::paragraph(&html! { a href=(confirm) { "Yes, send me this report" } }))
        (frame::small_print(&holds))
    };
    let reason = html! { (no_more) " " a href=(unsubscribe) { "Send me nothing" } };
    Mail {
        // Each has a link of its own: none is a repetition of another.
        id: Uuid::now_v7(),
        thread: None,
        to: to.to_string(),
        subject: title.clone(),
        text: format!(
            "{title}\n\n{asks}\n\nYes, send me this report: {confirm}\n\n{holds}\n\n-----\n\n{no_more} {unsubscribe}\n"
        ),
        html: frame::page(&title, &frame::card(PLAIN, &title, &content), &reason),
        unsubscribe: Some(unsubscribe),
        attachment: None,
    }
}

/// A report on its way to one reader.
pub(super) fn report(
    delivery: ReportDeliveryId,
    mailed: &ReportToMail,
    attachment: Option<Attachment>,
    download: &Download,
    base_url: &str,
) -> Mail {
    let ReportToMail {
        to,
        run,
        locale,
        hostname,
        workspace_name,
        unsubscribe_token,
    } = mailed;
    let [name, hostname, workspace] =
        [&run.template_name, hostname, workspace_name].map(|text| one_line(text));
    let unsubscribe = ended_by(base_url, unsubscribe_token);
    let days = words::days(*locale, run.days);
    let about = format!("{hostname}, {days}");
    let summary = run.result.as_ref().map_or(&[][..], |result| &result.summary);
    let is_attached = match attachment {
        Some(_) => "The report is attached.",
        None => "The report is not attached; the link leads to it.",
    };
    let until = words::moment(*locale, download.until);
    let holds = format!("The link is good until {until}, for whoever has it.");
    let why = format!("You said that you want this report of the workspace \u{201c}{workspace}\u{201d}.");

    let mut text = format!("{name}\n{about}\n\n");
    for sentence in summary {
        text.push_str(&format!("- {sentence}\n"));
    }
    if !summary.is_empty() {
        text.push('\n');
    }
    text.push_str(&format!(
        "{is_attached}\n{}\n{holds}\n\n-----\n\n{why} To end these mails: {unsubscribe}\n",
        download.link
    ));
    let content = html! {
        (frame::paragraph(&html! { (about) }))
        @if !summary.is_empty() {
            ul style="margin:0 0 8px;padding-left:20px;font-size:15px;line-height:1.45" {
                @for sentence in summary { li { (sentence) } }
            }
        }
        (frame::paragraph(&html! { (is_attached) " " a href=(download.link) { "Download the report" } }))
        (frame::small_print(&holds))
    };
    let reason = html! { (why) " " a href=(unsubscribe) { "End these mails" } };
    let subject = format!("{name}: {about}");
    Mail {
        id: delivery.0,
        thread: None,
        to: to.to_string(),
        text,
        html: frame::page(&subject, &frame::card(PLAIN, &name, &content), &reason),
        subject,
        unsubscribe: Some(unsubscribe),
        attachment,
    }
}

fn ended_by(base_url: &str, token: &Secret) -> String {
    format!("{base_url}/console/reports/unsubscribe/{}", token.reveal())
}

#[cfg(test)]
mod tests {
    use pharos_domain::{
        identity::CredentialKind,
        ids::{CredentialId, DomainId, RunId},
        runs::{Requester, Run, RunKind, RunStatus},
        window::DateRange,
    };
    use time::macros::{date, datetime};

    use super::*;
    use crate::{
        format::{ReportFormat, ReportTrigger},
        recipients::recipient::Address,
        run::{ReportResult, ReportRun},
    };

    fn mailed(name: &str) -> ReportToMail {
        ReportToMail {
            to: Address::parse("client@shop.example").unwrap(),
            run: ReportRun {
                run: Run {
                    id: RunId(Uuid::from_u128(1)),
                    domain_id: DomainId(Uuid::from_u128(2)),
                    kind: RunKind::Report,
                    status: RunStatus::Succeeded,
                    requested_at: datetime!(2026-04-01 08:00 UTC),
                    started_at: None,
                    finished_at: None,
                    expires_at: None,
                    items: None,
                    error_code: None,
                    error_detail: None,
                    requested_by: Requester {
                        kind: CredentialKind::ApiKey,
                        credential_id: CredentialId(Uuid::from_u128(3)),
                    },
                    credits_charged: 0,
                },
                template: None,
                template_name: name.to_owned(),
                trigger: ReportTrigger::Schedule,
                format: ReportFormat::Pdf,
                period: None,
                days: DateRange::new(date!(2026 - 03 - 01), date!(2026 - 03 - 31)).unwrap(),
                result: Some(ReportResult {
                    size_bytes: 4,
                    pages: Some(1),
                    sha256: String::new(),
                    summary: vec!["Visitors fell by 20.0% to 1,200, which is <worse>.".to_owned()],
                    ..ReportResult::default()
                }),
            },
            locale: ReportLocale::De,
            hostname: "shop.example".to_owned(),
            workspace_name: "<b>Shops</b>".to_owned(),
            unsubscribe_token: Secret::from("token".to_owned()),
        }
    }

    fn written(name: &str) -> Mail {
        let download = Download {
            link: "https://pharos.example/artefacts/reports/x".to_owned(),
            until: datetime!(2026-04-15 08:00 UTC),
        };
        let base_url = "https://pharos.example";
        report(
            ReportDeliveryId(Uuid::from_u128(9)),
            &mailed(name),
            None,
            &download,
            base_url,
        )
    }

    #[test]
    fn both_forms_have_the_summary_the_link_and_the_way_out() {
        let mail = written("Monthly");
        assert_eq!(
            mail.subject,
            "Monthly: shop.example, 01.03.2026 \u{2013} 31.03.2026"
        );
        for part in [
            "Visitors fell by 20.0% to 1,200",
            "https://pharos.example/artefacts/reports/x",
            "15.04.2026 08:00 UTC",
            "https://pharos.example/console/reports/unsubscribe/token",
        ] {
            assert!(mail.text.contains(part), "{part} in {}", mail.text);
            assert!(mail.html.contains(part), "{part} in {}", mail.html);
        }
        assert!(mail.html.contains("&lt;worse&gt;") && !mail.html.contains("<b>"));
    }

    #[test]
    fn a_name_of_several_lines_is_one() {
        let mail = written("Monthly\r\nBcc: others@shop.example");
        assert!(
            mail.subject
                .starts_with("Monthly Bcc: others@shop.example: shop.example")
        );
        assert!(mail.text.starts_with("Monthly Bcc: others@shop.example\n"));
    }

    #[test]
    fn a_question_has_both_links() {
        let asked = Question {
            to: Address::parse("client@shop.example").unwrap(),
            hostname: "shop.example".to_owned(),
            workspace_name: "Shops".to_owned(),
            until: datetime!(2026-04-08 08:00 UTC),
            unsubscribe_token: Secret::from("sesame".to_owned()),
        };
        let mail = question(
            &asked,
            "https://pharos.example",
            &Secret::from("secret".to_owned()),
        );
        for form in [&mail.text, &mail.html] {
            assert!(
                form.contains("https://pharos.example/console/reports/confirm/secret"),
                "{form}"
            );
            assert!(
                form.contains("https://pharos.example/console/reports/unsubscribe/sesame"),
                "{form}"
            );
            assert!(form.contains("8 Apr 2026 08:00 UTC"), "{form}");
        }
        assert!(!format!("{asked:?} {mail:?}").contains("sesame"));
    }
}
