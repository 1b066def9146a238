//! The subjects of notifications.

use crate::wire_enum;

wire_enum! {
    /// The subject of a notification.
    NotificationType {
        /// A rule fired.
        Alert = "alert",
        /// A report was made.
        ReportReady = "report_ready",
        /// A report could not be made.
        ReportFailed = "report_failed",
        /// A run is over.
        RunFinished = "run_finished",
        /// A module lost its connection to where its data come from.
        ModuleDisconnected = "module_disconnected",
        /// An allowance is nearly spent, or spent.
        QuotaWarning = "quota_warning",
        /// The subscription changed.
        Subscription = "subscription",
        /// The operator has something to say.
        Announcement = "announcement",
    }
}
