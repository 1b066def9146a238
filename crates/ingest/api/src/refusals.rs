//! Refusals as problems.

use pharos_domain::{problem::Suffix, store::StoreError};
use pharos_http::problem::{Extras, Fault, Problem, unavailable};
use pharos_ingest::collector::Refusal;

/// When to come again where beacons can't be stored, in seconds.
const AGAIN_SECONDS: u32 = 5;

/// The problem that a refusal is told as.
pub(crate) fn problem(refusal: Refusal) -> Problem {
    match refusal {
        Refusal::Faults(faults) => Problem::invalid(faults.into_iter().map(Fault::from).collect()),
        Refusal::UnknownSite => unknown_site(),
        Refusal::ForeignHost(host) => {
            let whose = if host.is_empty() {
                "without an origin".to_owned()
            } else {
                format!("of {host}")
            };
            let detail =
                format!("A page {whose} is none of the site; allowed_hosts of its settings adds some.");
            Problem::new(Suffix::Forbidden, detail)
        }
        Refusal::TooMany { retry_after_seconds } => Problem {
            extras: Box::new(Extras {
                bucket: Some("collect"),
                retry_after_seconds: Some(retry_after_seconds),
                ..Extras::default()
            }),
            ..Problem::new(
                Suffix::RateLimited,
                "More came of the site, or from this address, than may an hour. A beacon counts for as many rows as it has, and for \
                 10 at least.",
            )
            .retry_after(retry_after_seconds)
        },
        Refusal::Unstored => Problem {
            detail: "Beacons can not be stored at the moment. Send this one again, with its id.".to_owned(),
            ..unavailable().retry_after(AGAIN_SECONDS)
        },
        Refusal::Store(error) => store(&error),
    }
}

/// 404: no site has the key or the secret.
pub(crate) fn unknown_site() -> Problem {
    Problem::new(Suffix::NotFound, "No site has this key or secret.")
}

/// A store that could not be read.
fn store(error: &StoreError) -> Problem {
    match error {
        StoreError::Unavailable(_) | StoreError::TooLong(_) => unavailable().retry_after(AGAIN_SECONDS),
        StoreError::Failed(_) | StoreError::Corrupt(_) => Problem::internal(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_be_stored_is_to_come_again_soon() {
        let away = || StoreError::Unavailable("the store is away".into());
        for refusal in [Refusal::Unstored, Refusal::from(away())] {
            let problem = problem(refusal);
            assert_eq!(problem.suffix.status(), 503);
            assert_eq!(problem.retry_after, Some(AGAIN_SECONDS));
        }
    }
}
