//! How many recipients there may be, and how often anybody is asked: nobody can have Pharos send mails to people who want none.

use time::Duration;

/// How many recipients a template may have.
pub const MOST_RECIPIENTS: u32 = 20;
/// How long a recipient may say yes.
pub const MAY_CONFIRM_FOR: Duration = Duration::days(7);
/// The days over which questions are counted.
pub const COUNTED_OVER: Duration = Duration::DAY;
/// How often one address is asked in that time, by all workspaces together.
pub const ASKED_OF_ADDRESS: u32 = 3;
/// How many questions a workspace may ask in that time.
pub const ASKED_BY_WORKSPACE: u32 = 50;
/// How long a workspace may not ask an address again that wanted no more mails of it.
pub const REFUSED_FOR: Duration = Duration::days(90);
