//! The problem catalogue: every suffix of a problem's `type`, with its status and title.
//!
//! Clients branch on the suffix (RFC 9457, section 3.1.1), so this list only grows. Status, title and the
//! text of the page that the `type` URI serves are properties of the suffix and stand nowhere else.

macro_rules! catalogue {
    ($($variant:ident = $suffix:literal, $status:literal, $title:literal, $meaning:literal, $advice:literal;)+) => {
        /// A problem's suffix: the last segment of its `type` URI.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Suffix {
            $(#[doc = concat!("`", $suffix, "` (", $status, "): ", $meaning)] $variant,)+
        }

        impl Suffix {
            /// The whole catalogue, by status.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The suffix as it stands in the `type` URI.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $suffix,)+ }
            }

            /// The HTTP status.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)+ }
            }

            /// The title, the same in every answer.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)+ }
            }

            /// The cause, for the problem's page.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)+ }
            }

            /// How to go on, for the problem's page.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$variant => $advice,)+ }
            }
        }

        impl std::str::FromStr for Suffix {
            type Err = crate::store::UnknownName;

            fn from_str(suffix: &str) -> Result<Self, Self::Err> {
                match suffix {
                    $($suffix => Ok(Self::$variant),)+
                    other => Err(crate::store::UnknownName::new("problem suffix", other, &[$($suffix),+])),
                }
            }
        }
    };
}

catalogue! {
    InvalidRequest = "invalid-request", 400, "Invalid request",
        "A parameter, header or body member is malformed, unknown, repeated, out of range or contradicts another. `errors` names each one.",
        "Mend what `errors` names and send the request again.";
    ConsentAlreadyUsed = "consent-already-used", 400, "Consent already used",
        "The consent of this authorization request was already given or refused.",
        "Start the authorization again.";
    CsrfRequired = "csrf-required", 400, "CSRF token required",
        "The form came without its CSRF token, or with one that is too old.",
        "Load the page again and submit the form from there.";
    WorkspaceNotAccessible = "workspace-not-accessible", 400, "Workspace not accessible",
        "The consent named a workspace that its user can not reach.",
        "Choose among the workspaces that the consent screen offers.";
    InvalidCredential = "invalid-credential", 401, "Invalid credential",
        "The credential is malformed, unknown, revoked, expired, past its grace, or used from an address outside its allowlist. Which of these is not told.",
        "Check the key, or create a new one. Trying again will not help.";
    MissingCredential = "missing-credential", 401, "Missing credential",
        "The request has no Authorization header.",
        "Send `Authorization: Bearer <credential>`. Cookies and query strings are never read.";
    InvalidAudience = "invalid-audience", 401, "Invalid audience",
        "The access token was made for another resource.",
        "Ask for a token with the `resource` of this API.";
    IpNotAllowed = "ip-not-allowed", 401, "Address not allowed",
        "The request came from outside the key's allowlist. Outside callers see invalid-credential instead; this suffix stands in the records of a refusal.",
        "Call from an address on the allowlist, or change the list.";
    TokenRevoked = "token-revoked", 401, "Token revoked",
        "The access token was revoked.",
        "Authorize again.";
    GrantRevoked = "grant-revoked", 401, "Grant revoked",
        "The grant behind the access token was revoked.",
        "Authorize again.";
    QuotaExhausted = "quota-exhausted", 402, "Quota exhausted",
        "A quota of the plan, one that Google sets for a property, or the credit allowance is spent. `detail` says which; `used`, `limit` and `resets_on` say how much and until when.",
        "Wait for `resets_on`, or change the plan, which helps with its own quotas alone.";
    WorkspaceNotWritable = "workspace-not-writable", 402, "Workspace not writable",
        "The workspace's subscription is past due, canceled or expired. Reads are served, writes and runs are refused.",
        "Renew the subscription.";
    Forbidden = "forbidden", 403, "Forbidden",
        "The operation is not permitted.",
        "Ask an owner of the workspace.";
    InsufficientScope = "insufficient-scope", 403, "Insufficient scope",
        "The credential lacks `required_scope`; `granted_scopes` is what it has.",
        "Use a credential with the scope.";
    InsufficientRole = "insufficient-role", 403, "Insufficient role",
        "The scope is there, but the role of the credential's user in the workspace forbids the operation.",
        "Have an owner or admin change the membership.";
    PlanRestriction = "plan-restriction", 403, "Plan restriction",
        "The workspace's plan does not have this module.",
        "Change the plan.";
    PlanFeatureUnavailable = "plan-feature-unavailable", 403, "Plan feature unavailable",
        "The workspace's plan does not have this feature.",
        "Change the plan.";
    NotFound = "not-found", 404, "Not found",
        "No operation has this path, or no such resource exists, or the credential can not see it. Which of these is not told.",
        "Check the path and the ids.";
    DomainNotFound = "domain-not-found", 404, "Domain not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    WorkspaceNotFound = "workspace-not-found", 404, "Workspace not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    UptimeNotFound = "uptime-not-found", 404, "Uptime monitor not found",
        "The domain has no uptime monitor.",
        "Create one with PUT /domains/{domain_id}/uptime/config.";
    IncidentNotFound = "incident-not-found", 404, "Incident not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    SslNotFound = "ssl-not-found", 404, "Certificate not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    CheckDataNotFound = "check-data-not-found", 404, "Check data not found",
        "The module is configured, but nothing was recorded yet.",
        "Wait for the first check.";
    RumNotFound = "rum-not-found", 404, "Real-user monitoring data not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    RumErrorNotFound = "rum-error-not-found", 404, "Error group not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    CruxNotFound = "crux-not-found", 404, "Field data not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    CruxUrlNotFound = "crux-url-not-found", 404, "Tracked URL not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    GscNotFound = "gsc-not-found", 404, "Search data not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    GscPropertyNotFound = "gsc-property-not-found", 404, "Search property not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    SyntheticNotFound = "synthetic-not-found", 404, "Lab tests not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    SyntheticUrlNotFound = "synthetic-url-not-found", 404, "Tested URL not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    SyntheticRunNotFound = "synthetic-run-not-found", 404, "Lab test run not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    IndexingNotFound = "indexing-not-found", 404, "URL inspection not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    IndexingUrlNotFound = "indexing-url-not-found", 404, "Monitored URL not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    InspectorRunNotFound = "inspector-run-not-found", 404, "Inspector run not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    RobotsNotFound = "robots-not-found", 404, "robots.txt not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    RobotsVersionNotFound = "robots-version-not-found", 404, "robots.txt version not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    SitemapNotFound = "sitemap-not-found", 404, "Sitemap not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    SitemapFileNotFound = "sitemap-file-not-found", 404, "Sitemap file not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    AnalyticsNotFound = "analytics-not-found", 404, "Analytics data not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    ExperimentNotFound = "experiment-not-found", 404, "Experiment not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    EvaluationNotFound = "evaluation-not-found", 404, "Evaluation not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    AlertRuleNotFound = "alert-rule-not-found", 404, "Alert rule not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    AlertHistoryNotFound = "alert-history-not-found", 404, "Fired alert not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    NotificationNotFound = "notification-not-found", 404, "Notification not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    NotificationTrendNotFound = "notification-trend-not-found", 404, "Notification trend not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    ReportNotFound = "report-not-found", 404, "Report not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    ReportRunNotFound = "report-run-not-found", 404, "Report run not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    ReportTemplateNotFound = "report-template-not-found", 404, "Report template not found",
        "There is no such resource, or the credential can not see it. Which of these is not told.",
        "Check the ids.";
    GscPropertyNotLinked = "gsc-property-not-linked", 404, "Search property not linked",
        "The domain is not linked to a Search Console property.",
        "Link one in the console.";
    ReportNotRegistered = "report-not-registered", 404, "Report not registered",
        "There is no report of this name.",
        "Check the name against the catalogue.";
    MethodNotAllowed = "method-not-allowed", 405, "Method not allowed",
        "The path exists, but not for this method. `Allow` lists the methods that it has.",
        "Use one of the methods in `Allow`.";
    Conflict = "conflict", 409, "Conflict",
        "The request contradicts the present state of the resource.",
        "Read the resource, then decide.";
    IdempotencyKeyReuse = "idempotency-key-reuse", 409, "Idempotency key reused",
        "The Idempotency-Key was used before with another request.",
        "Use a new key for a new request.";
    IdempotencyInProgress = "idempotency-in-progress", 409, "Request in progress",
        "The first request with this Idempotency-Key is still running.",
        "Try again after `Retry-After` seconds.";
    ReportTemplateNameConflict = "report-template-name-conflict", 409, "Template name taken",
        "The workspace has a report template of this name.",
        "Choose another name.";
    ReportResultExpired = "report-result-expired", 410, "Report result expired",
        "The stored result aged out.",
        "Run the report again.";
    PayloadTooLarge = "payload-too-large", 413, "Payload too large",
        "The body is larger than the operation takes.",
        "Send less. `detail` names the limit.";
    UnsupportedMediaType = "unsupported-media-type", 415, "Unsupported media type",
        "The body is not of a media type that the operation takes.",
        "Send `Content-Type: application/json`.";
    RateLimited = "rate-limited", 429, "Rate limited",
        "A bucket is empty or a ceiling is reached. `bucket` says which.",
        "Wait `retry_after_seconds`, then go on.";
    InternalError = "internal-error", 500, "Internal error",
        "Pharos failed. Nothing was charged.",
        "Try again later. Report `request_id` when it stays.";
    DatastoreError = "datastore-error", 500, "Datastore error",
        "A query of the analytics store failed.",
        "Try again later.";
    UpstreamError = "upstream-error", 502, "Upstream error",
        "An upstream service answered with an error.",
        "Try again later.";
    UpstreamUnavailable = "upstream-unavailable", 502, "Upstream unavailable",
        "An upstream service did not answer.",
        "Try again later.";
    StorageUnavailable = "storage-unavailable", 502, "Storage unavailable",
        "The store of files did not answer.",
        "Try again later.";
    ApiDisabled = "api-disabled", 503, "API disabled",
        "The operator has turned the API off for a while.",
        "Try again after `Retry-After` seconds.";
    ReadOnlyMode = "read-only-mode", 503, "Read-only mode",
        "The operator has turned writes and runs off for a while. Reads are served.",
        "Try again after `Retry-After` seconds.";
    CreditBalanceUnavailable = "credit-balance-unavailable", 503, "Credit balance unavailable",
        "The credential or its balance could not be read. The request was refused rather than served unmetered.",
        "Try again after `Retry-After` seconds.";
}

impl std::fmt::Display for Suffix {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_suffix_stands_once_and_parses_back() {
        let names: HashSet<_> = Suffix::ALL.iter().map(|suffix| suffix.as_str()).collect();
        assert_eq!(names.len(), Suffix::ALL.len());
        for suffix in Suffix::ALL {
            assert_eq!(suffix.as_str().parse(), Ok(*suffix));
            assert!((400..=599).contains(&suffix.status()), "{suffix}");
        }
    }

    #[test]
    fn the_catalogue_is_in_the_order_of_status() {
        assert!(Suffix::ALL.is_sorted_by_key(|suffix| suffix.status()));
    }
}
