//! The parts of the product that a plan contains and a domain has active.

use crate::documented_wire_enum;

documented_wire_enum! {
    /// A module of the API. The first nine hold data of their own and can be active on a domain.
    Module {
        /// Whether sites are up and how fast they answer; their certificates and registrations.
        Uptime = "uptime",
        /// Real-user monitoring.
        Rum = "rum",
        /// Field performance from the Chrome UX Report.
        Crux = "crux",
        /// Lab tests.
        Synthetic = "synthetic",
        /// Search performance.
        Gsc = "gsc",
        /// URL inspection.
        Indexing = "indexing",
        /// robots.txt.
        Robots = "robots",
        /// Sitemaps.
        Sitemap = "sitemap",
        /// Web analytics.
        Analytics = "analytics",
        /// Alert rules and history.
        Alerts = "alerts",
        /// Notifications.
        Notifications = "notifications",
        /// Reports.
        Reports = "reports",
        /// The cost of calls, and the credits left. Part of every plan.
        Credits = "credits",
        /// Identity, workspaces and domains, and a domain's modules at a glance. Part of every plan.
        Platform = "platform",
    }
}

impl Module {
    /// Those that hold data of their own and can be active on a domain, in the order in which answers list them.
    pub const MONITORING: &'static [Self] = &[
        Self::Uptime,
        Self::Rum,
        Self::Crux,
        Self::Synthetic,
        Self::Gsc,
        Self::Indexing,
        Self::Robots,
        Self::Sitemap,
        Self::Analytics,
    ];

    /// Whether every plan has it.
    #[must_use]
    pub const fn is_in_every_plan(self) -> bool {
        matches!(self, Self::Platform | Self::Credits)
    }
}
