//! An attempt at a mail: what comes of it.

use std::sync::Arc;

use pharos_domain::{
    delivery_pauses::{ATTEMPTS, pause},
    jobs::JobFailure,
    problem::Suffix,
};
use pharos_mail::{
    mail::Mail,
    mailer::{MailError, Mailer},
};

use super::store::MailEnd;

/// Sends a mail; without a mail server it waits for one.
pub(super) async fn sent(mailer: Option<&Arc<Mailer>>, mail: &Mail) -> Result<(), MailError> {
    match mailer {
        Some(mailer) => mailer.send(mail).await,
        None => Err(MailError {
            why: "no mail server is configured: set smtp_url and mail_from".to_owned(),
            is_final: false,
        }),
    }
}

/// How the attempt of that number ended, for the mail and for its job. The cause is told to people as it is.
pub(super) fn judged(result: Result<(), MailError>, attempt: u32) -> (MailEnd, Option<JobFailure>) {
    let Err(MailError { why, is_final }) = result else {
        return (MailEnd::Sent, None);
    };
    if is_final {
        return (
            MailEnd::GivenUp { why: why.clone() },
            Some(JobFailure::permanent(why.clone()).with_public_error(Suffix::UpstreamError, why)),
        );
    }
    let failure = JobFailure::retry_after(pause(attempt, fastrand::f64()), why.clone())
        .with_public_error(Suffix::UpstreamError, why.clone());
    let end = if attempt >= u32::from(ATTEMPTS) {
        MailEnd::GivenUp { why }
    } else {
        MailEnd::Again { why }
    };
    (end, Some(failure))
}

#[cfg(test)]
mod tests {
    use pharos_domain::jobs::Retry;

    use super::*;

    fn failed(is_final: bool) -> Result<(), MailError> {
        Err(MailError {
            why: "the mail server answered 451".to_owned(),
            is_final,
        })
    }

    #[test]
    fn a_mail_is_tried_over_a_day_unless_it_is_refused_for_good() {
        assert_eq!(judged(Ok(()), 1), (MailEnd::Sent, None));
        let (end, failure) = judged(failed(false), 1);
        assert!(matches!(end, MailEnd::Again { .. }), "{end:?}");
        assert!(matches!(failure.unwrap().retry, Retry::After(_)));
        let (end, _) = judged(failed(false), u32::from(ATTEMPTS));
        assert!(matches!(end, MailEnd::GivenUp { .. }), "{end:?}");
        let (end, failure) = judged(failed(true), 1);
        assert!(matches!(end, MailEnd::GivenUp { .. }), "{end:?}");
        assert_eq!(failure.unwrap().retry, Retry::Never);
    }
}
