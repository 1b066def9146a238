//! The way to the mail server: SMTP, encrypted where a password is sent.

use std::{error::Error as _, fmt, io, iter, time::Duration};

use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    message::{Attachment as Part, Mailbox, MultiPart, header},
    transport::smtp::{
        AsyncSmtpTransportBuilder,
        client::{Certificate, Tls, TlsParameters},
    },
};
use pharos_domain::{line::one_line, secret::Secret};
use thiserror::Error;
use url::Url;

use crate::mail::{Attachment, Mail};

/// How long mail servers are waited for.
const BOUNDS: Bounds = Bounds {
    trial: Duration::from_secs(20),
    mail: Duration::from_secs(60),
};

/// How long a mail server is waited for, which may accept a connection and say nothing.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// For a connection, and for a trial as a whole.
    trial: Duration,
    /// For a mail, with the connection that it takes.
    mail: Duration,
}

/// The mail server, and the sender of mails.
#[derive(Clone, Debug)]
pub struct SmtpSettings {
    /// `smtps://user:password@host:465` encrypts from the beginning on, `smtp://user:password@host:587?tls=required` by
    /// STARTTLS, `smtp://host:25` not at all.
    pub url: Secret,
    /// The sender, such as `Pharos <pharos@mail.example>`.
    pub from: String,
    /// Certificate authorities, as PEM, that are trusted besides the web's.
    pub extra_roots: Option<Vec<u8>>,
}

/// Why mails can't be sent with these settings.
#[derive(Debug, Error)]
pub enum MailFault {
    /// The URL is none.
    #[error(
        "the mail server is a URL such as smtps://user:password@mail.example or \
         smtp://user:password@mail.example:587?tls=required"
    )]
    Url,
    /// A password would be sent as it is.
    #[error("the mail server's URL has a password but no encryption: use smtps://, or add ?tls=required")]
    Unencrypted,
    /// The sender is none.
    #[error("the sender of mails is an address such as Pharos <pharos@mail.example>")]
    From,
    /// The certificate authorities can't be used.
    #[error("the certificate authorities of the mail server can't be used")]
    Roots(#[source] lettre::transport::smtp::Error),
}

/// Why a mail was not sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct MailError {
    /// A clause for people, such as "the mail server answered 550". It names no secret of ours.
    pub why: String,
    /// Whether no other attempt will help.
    pub is_final: bool,
}

impl MailError {
    fn later(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            is_final: false,
        }
    }

    fn never(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            is_final: true,
        }
    }
}

/// Sends mails.
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    bounds: Bounds,
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailer")
            .field("from", &self.from)
            .finish_non_exhaustive()
    }
}

impl Mailer {
    /// Prepares what all mails share. No connection is made yet.
    ///
    /// # Errors
    /// The first fault of the settings.
    pub fn new(settings: &SmtpSettings) -> Result<Self, MailFault> {
        Self::within(settings, BOUNDS)
    }

    fn within(settings: &SmtpSettings, bounds: Bounds) -> Result<Self, MailFault> {
        let from = settings.from.parse().map_err(|_| MailFault::From)?;
        let transport = transport(settings)?.timeout(Some(bounds.trial)).build();
        Ok(Self {
            transport,
            from,
            bounds,
        })
    }

    /// Sends a mail.
    ///
    /// # Errors
    /// Why the mail server did not take it, as far as is known.
    pub async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        let mail = self.written(mail)?;
        match tokio::time::timeout(self.bounds.mail, self.transport.send(mail)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(failure(&error)),
            Err(_) => Err(MailError::later("the mail server did not take the mail in time")),
        }
    }

    /// Connects to the mail server and signs in, as a mail would, and sends none.
    ///
    /// # Errors
    /// Why no mail would go out.
    pub async fn try_server(&self) -> Result<(), MailError> {
        match tokio::time::timeout(self.bounds.trial, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(MailError::later("the mail server takes no mail at the moment")),
            Ok(Err(error)) => Err(failure(&error)),
            Err(_) => Err(MailError::later("the mail server did not answer in time")),
        }
    }

    fn written(&self, mail: &Mail) -> Result<lettre::Message, MailError> {
        let Mail {
            id,
            thread,
            to,
            subject,
            text,
            html,
            unsubscribe,
            attachment,
        } = mail;
        let to: Address = to
            .parse()
            .map_err(|_| MailError::never("the mail address is not one"))?;
        let domain = self.from.email.domain();
        let mut message = lettre::Message::builder()
            .from(self.from.clone())
            .to(to.into())
            .subject(one_line(subject))
            .message_id(Some(format!("<{id}@{domain}>")))
            .header(AutoSubmitted("auto-generated".to_owned()));
        if let Some(unsubscribe) = unsubscribe {
            message = message
                .header(ListUnsubscribe(format!("<{unsubscribe}>")))
                .header(ListUnsubscribePost("List-Unsubscribe=One-Click".to_owned()));
        }
        if let Some(thread) = thread {
            message = message.references(format!("<{thread}@{domain}>"));
        }
        let unwritten =
            |error: &dyn fmt::Display| MailError::never(format!("the mail can't be written: {error}"));
        let texts = MultiPart::alternative_plain_html(text.clone(), html.clone());
        let parts = match attachment {
            None => texts,
            Some(Attachment {
                name,
                content_type,
                bytes,
            }) => {
                let content_type =
                    header::ContentType::parse(content_type).map_err(|error| unwritten(&error))?;
                let file = Part::new(name.clone()).body(bytes.clone(), content_type);
                MultiPart::mixed().multipart(texts).singlepart(file)
            }
        };
        message.multipart(parts).map_err(|error| unwritten(&error))
    }
}

/// The way to the mail server: as the URL says, with the authorities that are trusted besides the web's.
fn transport(settings: &SmtpSettings) -> Result<AsyncSmtpTransportBuilder, MailFault> {
    let url = settings.url.reveal();
    let parsed = Url::parse(url).map_err(|_| MailFault::Url)?;
    let host = parsed
        .host_str()
        .filter(|host| !host.is_empty())
        .ok_or(MailFault::Url)?;
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(|_| MailFault::Url)?;
    let has_starttls = parsed
        .query_pairs()
        .any(|(name, value)| name == "tls" && value == "required");
    let is_encrypted = parsed.scheme() == "smtps" || has_starttls;
    if !is_encrypted && (parsed.password().is_some() || !parsed.username().is_empty()) {
        return Err(MailFault::Unencrypted);
    }
    let Some(pem) = settings.extra_roots.as_deref().filter(|_| is_encrypted) else {
        return Ok(builder);
    };
    let roots = Certificate::from_pem(pem).map_err(MailFault::Roots)?;
    let parameters = TlsParameters::builder(host.to_owned())
        .add_root_certificate(roots)
        .build()
        .map_err(MailFault::Roots)?;
    Ok(builder.tls(match parsed.scheme() {
        "smtps" => Tls::Wrapper(parameters),
        _ => Tls::Required(parameters),
    }))
}

/// Why the mail server did not take a mail.
fn failure(error: &lettre::transport::smtp::Error) -> MailError {
    let Some(code) = error.status() else {
        let why = if error.is_timeout() {
            "the mail server did not answer in time"
        } else if is_refused(error) {
            "the mail server's host refuses connections to its port, as where nothing listens there"
        } else if error.is_tls() {
            "the connection to the mail server can't be encrypted"
        } else if needs_smtputf8(error) {
            "the mail server does not support SMTPUTF8, which an address with characters outside of ASCII needs"
        } else if error.is_client() {
            "the mail server offers no way to sign in or to encrypt that is known here"
        } else {
            "the conversation with the mail server broke off"
        };
        return MailError::later(why);
    };
    let code = u16::from(code);
    let why = format!("the mail server answered {code}");
    // Those of signing in (RFC 4954, section 6) are for the operator to mend: then the mail may go out.
    if error.is_permanent() && !matches!(code, 530 | 534 | 535 | 538) {
        MailError::never(why)
    } else {
        MailError::later(why)
    }
}

/// Whether nobody takes connections there.
fn is_refused(error: &lettre::transport::smtp::Error) -> bool {
    iter::successors(error.source(), |&cause| cause.source())
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::ConnectionRefused)
}

/// Whether an address stopped the mail that the server has no way to take. The library says so by its words alone.
fn needs_smtputf8(error: &lettre::transport::smtp::Error) -> bool {
    error.is_client()
        && error
            .source()
            .is_some_and(|cause| cause.to_string().contains("SMTPUTF8"))
}

/// Declares a header that has one text as its value.
macro_rules! text_header {
    ($(#[$meta:meta])* $name:ident = $wire:literal) => {
        $(#[$meta])*
        #[derive(Clone)]
        struct $name(String);

        impl header::Header for $name {
            fn name() -> header::HeaderName {
                header::HeaderName::new_from_ascii_str($wire)
            }

            fn parse(value: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Ok(Self(value.to_owned()))
            }

            fn display(&self) -> header::HeaderValue {
                header::HeaderValue::new(Self::name(), self.0.clone())
            }
        }
    };
}

text_header! {
    /// Keeps absence notes from answering (RFC 3834).
    AutoSubmitted = "Auto-Submitted"
}
text_header! {
    /// The link that ends the mails (RFC 2369).
    ListUnsubscribe = "List-Unsubscribe"
}
text_header! {
    /// The body that programs post to that link (RFC 8058).
    ListUnsubscribePost = "List-Unsubscribe-Post"
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
        net::TcpListener,
    };
    use uuid::Uuid;

    use super::*;

    const LINK: &str = "https://pharos.example/console/unsubscribe/token";

    fn settings(url: &str) -> SmtpSettings {
        SmtpSettings {
            url: Secret::from(url.to_owned()),
            from: "Pharos <pharos@mail.example>".to_owned(),
            extra_roots: None,
        }
    }

    fn mail() -> Mail {
        Mail {
            id: Uuid::from_u128(1),
            thread: Some(Uuid::from_u128(2)),
            to: "on-call@shop.example".to_owned(),
            subject: "Down".to_owned(),
            text: "It is down.".to_owned(),
            html: "<p>It is down.</p>".to_owned(),
            unsubscribe: Some(LINK.to_owned()),
            attachment: None,
        }
    }

    fn written(mail: &Mail) -> String {
        let mailer = Mailer::new(&settings("smtps://mail.example")).unwrap();
        String::from_utf8(mailer.written(mail).unwrap().formatted()).unwrap()
    }

    #[test]
    fn a_password_is_sent_over_encrypted_connections_only() {
        let fault = |url| Mailer::new(&settings(url)).err().map(|fault| fault.to_string());
        assert_eq!(fault("smtps://user:password@mail.example"), None);
        assert_eq!(fault("smtp://user:password@mail.example:587?tls=required"), None);
        assert_eq!(fault("smtp://mail.example:25"), None);
        for url in [
            "smtp://user:password@mail.example",
            "smtp://user:password@mail.example?tls=opportunistic",
        ] {
            assert!(fault(url).unwrap().contains("no encryption"), "{url}");
        }
        for url in ["mail.example", "https://mail.example", "smtps://"] {
            assert!(fault(url).unwrap().contains("a URL such as"), "{url}");
        }
        assert!(!format!("{:?}", settings("smtps://user:hidden@mail.example")).contains("hidden"));
    }

    #[test]
    fn a_text_adds_no_header() {
        let hostile = "a\r\nBcc: b@shop.example\r\n\r\n<script>";
        let written = written(&Mail {
            subject: hostile.repeat(20),
            attachment: Some(Attachment {
                name: hostile.to_owned(),
                content_type: "application/pdf",
                bytes: b"%PDF".to_vec(),
            }),
            ..mail()
        });
        assert!(!written.lines().any(|line| line.starts_with("Bcc")), "{written}");
        let (head, _) = written.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("Subject: a Bcc: b@shop.example <script>"), "{head}");
    }

    #[test]
    fn what_is_no_address_gets_no_mail() {
        let mailer = Mailer::new(&settings("smtps://mail.example")).unwrap();
        let to = "a@shop.example\r\nBcc: b@shop.example".to_owned();
        let refused = mailer.written(&Mail { to, ..mail() }).unwrap_err();
        assert!(refused.is_final, "{refused}");
    }

    #[tokio::test]
    async fn an_address_outside_of_ascii_needs_a_mail_server_that_takes_such() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let (mut stream, mut said) = (BufReader::new(stream), String::new());
            stream.write_all(b"220 mail.example\r\n").await.unwrap();
            stream.read_line(&mut said).await.unwrap();
            stream.write_all(b"250 mail.example\r\n").await.unwrap();
            said
        });
        let mailer = Mailer::new(&settings(&format!("smtp://127.0.0.1:{port}"))).unwrap();
        let to = "j\u{f6}rg@shop.example".to_owned();
        let refused = mailer.send(&Mail { to, ..mail() }).await.unwrap_err();
        assert!(refused.why.contains("SMTPUTF8"), "{refused}");
        // Whoever runs the mail server may mend that.
        assert!(!refused.is_final, "{refused}");
        assert!(server.await.unwrap().starts_with("EHLO"));
    }

    #[tokio::test]
    async fn where_nothing_listens_the_error_says_so() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        for url in [
            format!("smtp://127.0.0.1:{port}"),
            format!("smtps://127.0.0.1:{port}"),
        ] {
            let mailer = Mailer::new(&settings(&url)).unwrap();
            let refused = mailer.send(&mail()).await.unwrap_err();
            assert!(refused.why.contains("refuses connections"), "{refused}");
            assert!(!refused.is_final, "{refused}");
        }
    }

    /// It accepts every connection, says this, and then nothing more.
    async fn silent_after(greeting: &'static str) -> (u16, tokio::task::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                stream.write_all(greeting.as_bytes()).await.unwrap();
                held.push(stream);
            }
            drop(held);
        });
        (port, server)
    }

    #[tokio::test]
    async fn a_mail_server_that_says_nothing_holds_neither_a_mail_nor_a_trial() {
        // Far longer than either may take, on however busy a machine.
        let patience = Duration::from_secs(60);
        let bounds = Bounds {
            trial: Duration::from_millis(200),
            mail: Duration::from_millis(200),
        };
        for greeting in ["", "220 mail.example\r\n", "220-mail.example\r\n"] {
            let (port, server) = silent_after(greeting).await;
            let settings = settings(&format!("smtp://127.0.0.1:{port}"));
            let mailer = Mailer::within(&settings, bounds).unwrap();
            let sent = tokio::time::timeout(patience, mailer.send(&mail())).await;
            let tried = tokio::time::timeout(patience, mailer.try_server()).await;
            for refused in [sent, tried] {
                let refused = refused.expect("it ends").unwrap_err();
                assert!(refused.why.contains("in time"), "{greeting:?}: {refused}");
                // Another time it may speak.
                assert!(!refused.is_final, "{greeting:?}: {refused}");
            }
            server.abort();
        }
    }

    #[test]
    fn a_file_goes_along_as_it_is() {
        let written = written(&Mail {
            attachment: Some(Attachment {
                name: "report-2026-03-31.pdf".to_owned(),
                content_type: "application/pdf",
                bytes: vec![0, 255, 13, 10],
            }),
            ..mail()
        });
        for part in [
            "Content-Type: multipart/mixed",
            "Content-Disposition: attachment; filename=\"report-2026-03-31.pdf\"",
            "Content-Transfer-Encoding: base64\r\n\r\nAP8NCg==",
        ] {
            assert!(written.contains(part), "{part} in {written}");
        }
    }

    #[test]
    fn it_can_be_unsubscribed_from_by_one_click_and_is_of_a_thread() {
        let written = written(&mail());
        for line in [
            format!("List-Unsubscribe: <{LINK}>\r\n"),
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n".to_owned(),
            "Auto-Submitted: auto-generated\r\n".to_owned(),
            format!("Message-ID: <{}@mail.example>\r\n", Uuid::from_u128(1)),
            format!("References: <{}@mail.example>\r\n", Uuid::from_u128(2)),
        ] {
            assert!(written.contains(&line), "{line} in {written}");
        }
    }
}
