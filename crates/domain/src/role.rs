//! The roles of members: how much each may do in a workspace.

use crate::wire_enum;

wire_enum! {
    /// A member's role. The order is the order of power: `viewer` < `member` < `admin` < `owner`.
    Role {
        /// Reads.
        Viewer = "viewer",
        /// Reads and runs.
        Member = "member",
        /// Configures, creates keys.
        Admin = "admin",
        /// Owns the workspace.
        Owner = "owner",
    }
}
