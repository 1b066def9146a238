//! How bad it is.

use crate::wire_enum;

wire_enum! {
    /// How bad the subject of a rule, an alert or a notification is.
    Severity as "AlertSeverity" {
        /// Good to know.
        Info = "info",
        /// Something should be done.
        Warning = "warning",
        /// Something must be done now.
        Critical = "critical",
    }
}
