//! An id type for each kind of thing, so that one can't stand where another is meant.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, de};
use uuid::Uuid;

/// A UUID in the only form that the API takes: 36 characters, hyphenated, hex digits in either case.
/// Braced, `urn:uuid:` and unhyphenated forms are refused.
#[must_use]
pub fn parse_hyphenated(text: &str) -> Option<Uuid> {
    (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten()
}

macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
        #[serde(transparent)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[cfg_attr(feature = "openapi", schema(value_type = String, format = Uuid))]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new id that sorts after those made before it (UUID version 7, RFC 9562).
            #[must_use]
            pub fn generate() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = MalformedId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                parse_hyphenated(text).map(Self).ok_or(MalformedId)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <Cow<'de, str>>::deserialize(deserializer)?;
                text.parse().map_err(de::Error::custom)
            }
        }
    )+};
}

/// The text is no hyphenated UUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a hyphenated UUID, such as 0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11")]
pub struct MalformedId;

ids! {
    /// A workspace: who owns domains and pays.
    WorkspaceId,
    /// A person; credentials act for one.
    UserId,
    /// A monitored domain.
    DomainId,
    /// A credential: an API key, or a grant. Rotation keeps it.
    CredentialId,
    /// An app that was registered as an OAuth client.
    ClientId,
    /// One check of a site.
    CheckId,
    /// A run that a caller asked for.
    RunId,
    /// A version of a robots.txt.
    RobotsVersionId,
    /// A sitemap file that is watched.
    SitemapFileId,
    /// An incident of a monitored site.
    IncidentId,
    /// A status page.
    StatusPageId,
    /// An origin or a page whose field data is collected.
    CruxUrlId,
    /// An account at Google that reads Search Console.
    SearchAccountId,
    /// A page that lab tests are run of.
    SyntheticUrlId,
    /// A bound that a figure of lab tests is held to.
    SyntheticBudgetId,
    /// A URL whose place in Google's index is known.
    IndexingUrlId,
    /// A maintenance window.
    MaintenanceWindowId,
    /// An alert rule.
    AlertRuleId,
    /// An alert: a rule that fired.
    AlertId,
    /// A notification.
    NotificationId,
    /// A template of reports.
    ReportTemplateId,
    /// Somebody whom the reports of a template are mailed to.
    ReportRecipientId,
    /// A report on its way to one of them.
    ReportDeliveryId,
    /// A channel that notifications are delivered to.
    ChannelId,
    /// A delivery of a notification to a channel.
    DeliveryId,
    /// One request to the API.
    RequestId,
    /// Work that is done later.
    JobId,
    /// A process that does such work; a new one at each start.
    WorkerId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_hyphenated_form_is_an_id() {
        let id = "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11";
        assert!(parse_hyphenated(id).is_some());
        assert_eq!(parse_hyphenated(&id.to_uppercase()), parse_hyphenated(id));
        for bad in [
            "{0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11}",
            "urn:uuid:0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e11",
            "0190f3c27a4e7c319d523f1f0b6a8e11",
            "0190f3c2-7a4e-7c31-9d52-3f1f0b6a8e1",
            "0190f3c27-a4e-7c31-9d52-3f1f0b6a8e11",
            "",
        ] {
            assert_eq!(parse_hyphenated(bad), None, "{bad}");
        }
    }
}
