//! The texts of mails. Names come from people: they are lines, and are escaped where they are put into HTML.

use maud::{Markup, html};
use pharos_domain::{ids::ReportDeliveryId, line::one_line, secret::Secret};
use pharos_mail::{
    frame::{self, PLAIN},
    mail::{Attachment, Mail},
};
use time::OffsetDateTime;
use uuid::Uuid;

use super::store::{RecipientQuestion, ReportToMail};
use crate::{
    format::ReportLocale,
    render::words,
    run::{KeyFigure, ReportResult},
    summary::Kind,
};

/// Where a report is read without the mail.
pub(super) struct Download {
    pub(super) link: String,
    pub(super) until: OffsetDateTime,
}

/// The question whether somebody wants reports. It says who asks, and nothing else that its sender chose: its reader asked for
/// nothing yet, and the name of a report may be an advertisement. The page that the link leads to says it.
pub(super) fn question(asked: &RecipientQuestion, base_url: &str, token: &Secret) -> Mail {
    let RecipientQuestion {
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
        accent,
        hostname,
        workspace_name,
        unsubscribe_token,
    } = mailed;
    let [name, hostname, workspace] =
        [&run.template_name, hostname, workspace_name].map(|text| one_line(text));
    let unsubscribe = ended_by(base_url, unsubscribe_token);
    let days = words::days(*locale, run.days);
    let about = format!("{hostname}, {days}");
    let brief = run.result.as_ref().map(brief).unwrap_or_default();
    let is_attached = match attachment {
        Some(_) => "The report is attached.",
        None => "The report is not attached; the link leads to it.",
    };
    let until = words::moment(*locale, download.until);
    let holds = format!("The link is good until {until}, for whoever has it.");
    let why = format!("You said that you want this report of the workspace \u{201c}{workspace}\u{201d}.");

    let text = format!(
        "{name}\n{about}\n\n{}{is_attached}\n{}\n{holds}\n\n-----\n\n{why} To end these mails: {unsubscribe}\n",
        brief.text(),
        download.link
    );
    let content = html! {
        (frame::paragraph(&html! { (about) }))
        (brief.html())
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
        html: frame::page(
            &subject,
            &frame::card(bar(accent.as_deref()), &name, &content),
            &reason,
        ),
        subject,
        unsubscribe: Some(unsubscribe),
        attachment,
    }
}

/// The colour of the bar beside a report: its own, else the one of all mails.
fn bar(accent: Option<&str>) -> u32 {
    let digits = accent.and_then(|accent| accent.strip_prefix('#'));
    let digits = digits.filter(|digits| digits.len() == 6);
    let colour = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    colour.unwrap_or(PLAIN)
}

/// A report in a few lines: its figures, what needs doing, what changed, and what could not be looked at, each apart.
#[derive(Default)]
struct Brief<'a> {
    figures: &'a [KeyFigure],
    days: Option<&'a str>,
    actions: &'a [String],
    changes: &'a [String],
    missing: Option<&'a str>,
}

fn brief(result: &ReportResult) -> Brief<'_> {
    let ReportResult {
        summary,
        days,
        actions,
        missing,
        figures,
        ..
    } = result;
    Brief {
        figures,
        days: days.as_deref(),
        actions,
        changes: summary,
        missing: missing.as_deref(),
    }
}

impl<'a> Brief<'a> {
    /// The lists of sentences, each below its title.
    fn lists(&self) -> impl Iterator<Item = (&'static str, &'a [String])> {
        [(Kind::Action, self.actions), (Kind::Change, self.changes)]
            .into_iter()
            .filter(|(_, sentences)| !sentences.is_empty())
            .map(|(kind, sentences)| (kind.heading(), sentences))
    }

    /// For readers without HTML, with an empty line behind each part.
    fn text(&self) -> String {
        let mut text = String::new();
        for figure in self.figures {
            let change = figure.change.as_ref().map(|change| format!(" ({change})"));
            let (label, change) = (one_line(&figure.label), change.unwrap_or_default());
            text.push_str(&format!("{label}: {}{change}\n", figure.value));
        }
        if !self.figures.is_empty() {
            text.push('\n');
        }
        if let Some(days) = self.days {
            text.push_str(&format!("{days}\n\n"));
        }
        for (title, sentences) in self.lists() {
            text.push_str(&format!("{title}:\n"));
            for sentence in sentences {
                text.push_str(&format!("- {sentence}\n"));
            }
            text.push('\n');
        }
        if let Some(missing) = self.missing {
            text.push_str(&format!("{missing}\n\n"));
        }
        text
    }

    fn html(&self) -> Markup {
        html! {
            @if !self.figures.is_empty() {
                table style="margin:0 0 12px;border-collapse:collapse;font-size:15px;line-height:1.45" {
                    @for figure in self.figures {
                        tr {
                            th scope="row" style="padding:2px 16px 2px 0;text-align:left;font-weight:400;color:#5c5c5c" { (figure.label) }
                            td style="padding:2px 12px 2px 0;text-align:right;font-weight:600" { (figure.value) }
                            td style="padding:2px 0;text-align:right;color:#5c5c5c" { @if let Some(change) = &figure.change { (change) } }
                        }
                    }
                }
            }
            @if let Some(days) = self.days { p style="margin:0 0 8px;font-size:13px;color:#5c5c5c" { (days) } }
            @for (title, sentences) in self.lists() {
                h2 style="margin:12px 0 4px;font-size:15px" { (title) }
                ul style="margin:0 0 8px;padding-left:20px;font-size:15px;line-height:1.45" {
                    @for sentence in sentences { li { (sentence) } }
                }
            }
            @if let Some(missing) = self.missing { p style="margin:0 0 8px;font-size:13px;color:#5c5c5c" { (missing) } }
        }
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
        run::ReportRun,
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
                    days: Some("01.03.2026 – 31.03.2026, compared with <others>.".to_owned()),
                    actions: vec!["The certificate ends in one day.".to_owned()],
                    figures: vec![KeyFigure {
                        label: "Visits: Visitors".to_owned(),
                        value: "1.200".to_owned(),
                        change: Some("-20,0\u{a0}%".to_owned()),
                    }],
                    ..ReportResult::default()
                }),
            },
            locale: ReportLocale::De,
            accent: Some("#0a7f5c".to_owned()),
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
    fn figures_what_needs_doing_and_what_changed_stand_apart() {
        let mail = written("Monthly");
        let brief = "\n\nVisits: Visitors: 1.200 (-20,0\u{a0}%)\n\n01.03.2026 – 31.03.2026, compared with <others>.\n\n\
                     What needs doing:\n- The certificate ends in one day.\n\n\
                     What changed:\n- Visitors fell by 20.0% to 1,200, which is <worse>.\n\n";
        assert!(mail.text.contains(brief), "{}", mail.text);
        for part in [
            ">Visits: Visitors</th>",
            ">-20,0\u{a0}%</td>",
            ">01.03.2026 – 31.03.2026, compared with &lt;others&gt;.</p>",
            ">What needs doing</h2>",
            "<li>The certificate ends in one day.</li>",
            "border-left:4px solid #0a7f5c",
        ] {
            assert!(mail.html.contains(part), "{part} in {}", mail.html);
        }
        for accent in [None, Some("#0a7f5"), Some("red"), Some("#12345g")] {
            assert_eq!(bar(accent), PLAIN, "{accent:?}");
        }
    }

    #[test]
    fn a_mail_names_the_modules_that_its_summary_could_not_look_at() {
        let mut silent = mailed("Monthly");
        let missing = "Could not be read when the report was made: Uptime.";
        silent.run.result = Some(ReportResult {
            missing: Some(missing.to_owned()),
            ..ReportResult::default()
        });
        let download = Download {
            link: "https://pharos.example/artefacts/reports/x".to_owned(),
            until: datetime!(2026-04-15 08:00 UTC),
        };
        let id = ReportDeliveryId(Uuid::from_u128(9));
        let mail = report(id, &silent, None, &download, "https://pharos.example");
        assert!(mail.text.contains(&format!("\n\n{missing}\n\n")), "{}", mail.text);
        assert!(mail.html.contains(&format!(">{missing}</p>")), "{}", mail.html);
    }

    #[test]
    fn a_report_that_is_silent_is_mailed_without_empty_parts() {
        let mut silent = mailed("Monthly");
        silent.run.result = None;
        let download = Download {
            link: "https://pharos.example/artefacts/reports/x".to_owned(),
            until: datetime!(2026-04-15 08:00 UTC),
        };
        let id = ReportDeliveryId(Uuid::from_u128(9));
        let mail = report(id, &silent, None, &download, "https://pharos.example");
        let begin = "Monthly\nshop.example, 01.03.2026 – 31.03.2026\n\nThe report is not attached";
        assert!(mail.text.starts_with(begin), "{}", mail.text);
        assert!(
            !mail.html.contains("<h2") && !mail.html.contains("<table"),
            "{}",
            mail.html
        );
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
        let asked = RecipientQuestion {
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
