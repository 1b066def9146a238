//! The kinds of things that can be set aside.

/// The kinds of things that can be set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A finished check.
    Check,
    /// The settings of a monitor.
    Monitor,
    /// The state of a site as a region sees it.
    RegionState,
    /// A job, or its outcome.
    Job,
    /// The registration of a name.
    Registration,
    /// The name of a domain.
    Hostname,
    /// The roll-ups of a domain.
    Rollup,
    /// A row of the credit log that costs nothing, or that can't be read.
    LogRow,
    /// A charge.
    Charge,
    /// When a key was last used.
    KeyUse,
    /// A rule of alerts, or what its evaluation came to.
    AlertRule,
    /// A notification on its way to a channel.
    Delivery,
    /// A beacon of a visit.
    Beacon,
    /// Field data of an origin or a page.
    FieldData,
    /// A check of a robots.txt.
    RobotsCheck,
    /// The content of a sitemap file.
    SitemapFile,
    /// A lab test, or the page that it is of.
    LabTest,
    /// Inspections of URLs.
    Inspection,
    /// The end of an import of search data, a day or rows of one, or a sitemap that was submitted to the upstream.
    SearchImport,
    /// An alert of the past.
    Alert,
    /// A notification.
    Notification,
    /// A channel.
    Channel,
    /// A template of reports, or one of its runs.
    ReportTemplate,
    /// An incident.
    Incident,
    /// An experiment of analytics.
    Experiment,
}

impl Kind {
    /// Every kind.
    pub(crate) const ALL: [Self; 25] = [
        Self::Check,
        Self::Monitor,
        Self::RegionState,
        Self::Job,
        Self::Registration,
        Self::Hostname,
        Self::Rollup,
        Self::LogRow,
        Self::Charge,
        Self::KeyUse,
        Self::AlertRule,
        Self::Delivery,
        Self::Beacon,
        Self::FieldData,
        Self::RobotsCheck,
        Self::SitemapFile,
        Self::LabTest,
        Self::Inspection,
        Self::SearchImport,
        Self::Alert,
        Self::Notification,
        Self::Channel,
        Self::ReportTemplate,
        Self::Incident,
        Self::Experiment,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Monitor => "monitor",
            Self::RegionState => "region_state",
            Self::Job => "job",
            Self::Registration => "registration",
            Self::Hostname => "hostname",
            Self::Rollup => "rollup",
            Self::LogRow => "log_row",
            Self::Charge => "charge",
            Self::KeyUse => "key_use",
            Self::AlertRule => "alert_rule",
            Self::Delivery => "delivery",
            Self::Beacon => "beacon",
            Self::FieldData => "field_data",
            Self::RobotsCheck => "robots_check",
            Self::SitemapFile => "sitemap_file",
            Self::LabTest => "lab_test",
            Self::Inspection => "inspection",
            Self::SearchImport => "search_import",
            Self::Alert => "alert",
            Self::Notification => "notification",
            Self::Channel => "channel",
            Self::ReportTemplate => "report_template",
            Self::Incident => "incident",
            Self::Experiment => "experiment",
        }
    }
}
