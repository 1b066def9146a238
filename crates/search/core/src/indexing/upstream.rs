//! Asks `urlInspection.index.inspect`.

use std::{sync::Arc, time::Duration as StdDuration};

use async_trait::async_trait;
use pharos_domain::{clock::Clock, ids::DomainId};
use serde::Serialize;
use serde_json::Value;
use time::{Duration, OffsetDateTime};

use super::{
    inspection::{self, Inspection, Malformed},
    inspector::{InspectError, Inspecting, Inspector},
};
use crate::{
    google::{account::Account, client::GoogleClient, error::GoogleError},
    gsc::{link::LinkStore, property::Permission},
};

/// The language of sentences: their reasons are known in English.
const LANGUAGE: &str = "en-US";
/// Google's words for a quota of the day.
const DAILY_WORDS: [&str; 2] = ["dailyLimitExceeded", "quotaExceeded"];

/// The request (`InspectUrlIndexRequest`).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    inspection_url: &'a str,
    site_url: &'a str,
    language_code: &'a str,
}

impl GoogleClient {
    /// Asks Google for its record of a URL below a property.
    ///
    /// # Errors
    /// Why there is no answer.
    pub async fn inspect(
        &self,
        account: &Account,
        site_url: &str,
        url: &str,
        now: OffsetDateTime,
    ) -> Result<Inspection, InspectError> {
        let request = Request {
            inspection_url: url,
            site_url,
            language_code: LANGUAGE,
        };
        let path = ["v1", "urlInspection", "index:inspect"];
        let answer: Value = self.post(account, &path, &request, now).await?;
        Ok(inspection::read(&answer)?)
    }
}

/// Asks as the account that reads a domain's property.
#[derive(Clone)]
pub struct LinkedInspector {
    /// Asks Google.
    pub google: Arc<GoogleClient>,
    /// Which account reads what.
    pub links: Arc<dyn LinkStore>,
    /// The clock that tokens are judged by.
    pub clock: Arc<dyn Clock>,
}

impl std::fmt::Debug for LinkedInspector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkedInspector")
            .field("google", &self.google)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Inspector for LinkedInspector {
    async fn session(&self, domain: DomainId, site_url: &str) -> Result<Box<dyn Inspecting>, InspectError> {
        Ok(Box::new(Opened {
            google: Arc::clone(&self.google),
            account: self.account(domain, site_url).await?,
            site_url: site_url.to_owned(),
            clock: Arc::clone(&self.clock),
        }))
    }

    async fn permission(&self, domain: DomainId, site_url: &str) -> Result<Option<Permission>, InspectError> {
        let account = self.account(domain, site_url).await?;
        let sites = self.google.sites(&account, self.clock.now()).await?;
        let site = sites.into_iter().find(|site| site.site_url == site_url);
        Ok(site.map(|site| site.permission))
    }
}

/// An account that was opened.
struct Opened {
    google: Arc<GoogleClient>,
    account: Account,
    site_url: String,
    clock: Arc<dyn Clock>,
}

#[async_trait]
impl Inspecting for Opened {
    async fn inspect(&self, url: &str) -> Result<Inspection, InspectError> {
        let now = self.clock.now();
        self.google.inspect(&self.account, &self.site_url, url, now).await
    }
}

impl LinkedInspector {
    /// The account that reads the property for the domain.
    async fn account(&self, domain: DomainId, site_url: &str) -> Result<Account, InspectError> {
        let link = self.links.link(domain).await;
        let link = link.map_err(|error| InspectError::Away(error.to_string()))?;
        link.filter(|link| link.site_url == site_url)
            .and_then(|link| link.account)
            .ok_or_else(|| {
                InspectError::NoAccess("the domain is not linked to the property any more".to_owned())
            })
    }
}

impl From<GoogleError> for InspectError {
    fn from(error: GoogleError) -> Self {
        let why = error.to_string();
        match error {
            GoogleError::Quota {
                reason: Some(reason), ..
            } if DAILY_WORDS.contains(&reason.as_str()) => Self::DayExhausted,
            GoogleError::Quota { retry_after, .. } => Self::Busy {
                retry_after: retry_after.map(pause),
            },
            GoogleError::Egress(error) => match error.retry_after() {
                Some(retry_after) => Self::Busy {
                    retry_after: Some(pause(retry_after)),
                },
                None => Self::Away(why),
            },
            GoogleError::Unavailable {
                retry_after: Some(retry_after),
                ..
            } => Self::Busy {
                retry_after: Some(pause(retry_after)),
            },
            GoogleError::Unavailable { .. } => Self::Away(why),
            GoogleError::Unauthorized { .. } | GoogleError::Key(_) | GoogleError::NoClient => {
                Self::NoAccess(why)
            }
            GoogleError::Forbidden { .. } => Self::NotPermitted(why),
            // Nobody but who has the project can help, and the rotation goes on once they did.
            GoogleError::NotEnabled { .. } => Self::Away(why),
            // One status says that the project may not ask at all, the other that this URL is none of the property.
            GoogleError::Refused { status, .. } if status.as_u16() == 400 => Self::Refused(why),
            GoogleError::Refused { .. } => Self::Away(why),
            GoogleError::NotJson(_) => Self::Malformed(Malformed::NoJson),
            GoogleError::Malformed(_) => Self::Malformed(Malformed::NoResult),
        }
    }
}

fn pause(pause: StdDuration) -> Duration {
    Duration::try_from(pause).unwrap_or(Duration::DAY)
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;

    fn quota(reason: &str, seconds: Option<u64>) -> InspectError {
        let error = GoogleError::Quota {
            reason: Some(reason.to_owned()),
            retry_after: seconds.map(StdDuration::from_secs),
        };
        error.into()
    }

    #[test]
    fn refusals_of_google_are_told_apart() {
        assert_eq!(quota("dailyLimitExceeded", Some(60)), InspectError::DayExhausted);
        assert_eq!(
            quota("RATE_LIMIT_EXCEEDED", Some(60)),
            InspectError::Busy {
                retry_after: Some(Duration::MINUTE)
            }
        );
        assert_eq!(
            quota("userRateLimitExceeded", None),
            InspectError::Busy { retry_after: None }
        );
        let refused = |status| InspectError::from(GoogleError::Refused { status, reason: None });
        assert!(matches!(
            refused(StatusCode::BAD_REQUEST),
            InspectError::Refused(_)
        ));
        assert!(matches!(refused(StatusCode::FORBIDDEN), InspectError::Away(_)));
        let away = GoogleError::Unavailable {
            status: StatusCode::BAD_GATEWAY,
            retry_after: None,
        };
        assert!(matches!(InspectError::from(away), InspectError::Away(_)));
        assert!(matches!(
            InspectError::from(GoogleError::NoClient),
            InspectError::NoAccess(_)
        ));
        let forbidden = || InspectError::from(GoogleError::Forbidden { reason: None });
        assert!(matches!(forbidden(), InspectError::NotPermitted(_)));
        assert!(matches!(
            forbidden().beside_answers(true),
            InspectError::Refused(_)
        ));
        assert!(matches!(
            forbidden().beside_answers(false),
            InspectError::NotPermitted(_)
        ));
    }
}
