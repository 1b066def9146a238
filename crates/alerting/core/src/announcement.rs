//! Announcements: what the operator has to say to the people of workspaces.

use async_trait::async_trait;
use pharos_domain::{audit::Actor, ids::WorkspaceId, store::StoreError};
use thiserror::Error;
use time::OffsetDateTime;

use crate::severity::Severity;

/// The characters of a title at most.
pub const LONGEST_TITLE: usize = 200;
/// The characters of a body at most.
pub const LONGEST_BODY: usize = 5_000;

/// News from the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// One line of plain text.
    pub title: String,
    /// Plain text, which may have several lines.
    pub body: String,
    /// How bad it is.
    pub severity: Severity,
}

impl Announcement {
    /// An announcement, without the space around its texts.
    ///
    /// # Errors
    /// [`AnnouncementError::Title`] or [`AnnouncementError::Body`].
    pub fn new(title: &str, body: &str, severity: Severity) -> Result<Self, AnnouncementError> {
        let (title, body) = (title.trim(), body.trim());
        if !fits(title, LONGEST_TITLE, |_| false) {
            return Err(AnnouncementError::Title);
        }
        if !fits(body, LONGEST_BODY, |character| character == '\n') {
            return Err(AnnouncementError::Body);
        }
        Ok(Self {
            title: title.to_owned(),
            body: body.to_owned(),
            severity,
        })
    }
}

fn fits(text: &str, longest: usize, may_have: impl Fn(char) -> bool) -> bool {
    let is_printed = |character: char| !character.is_control() || may_have(character);
    (1..=longest).contains(&text.chars().count()) && text.chars().all(is_printed)
}

/// Why nothing was announced.
#[derive(Debug, Error)]
pub enum AnnouncementError {
    /// The title can't be one.
    #[error(
        "the title of an announcement has 1 to {LONGEST_TITLE} characters, none of them a control character"
    )]
    Title,
    /// The body can't be one.
    #[error(
        "the body of an announcement has 1 to {LONGEST_BODY} characters, none of them a control character but line breaks"
    )]
    Body,
    /// There is no such workspace.
    #[error("there is no such workspace")]
    NoWorkspace,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Announces to people of workspaces what the operator has to say.
#[async_trait]
pub trait Announcer: Send + Sync {
    /// Tells one workspace, or `None`: all of them. Returns how many were told. It has a row in the audit log.
    async fn announce(
        &self,
        workspace: Option<WorkspaceId>,
        announcement: &Announcement,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<u64, AnnouncementError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_taken(title: &str, body: &str) -> bool {
        Announcement::new(title, body, Severity::Info).is_ok()
    }

    #[test]
    fn texts_have_at_most_so_many_characters() {
        assert!(is_taken(&"ä".repeat(LONGEST_TITLE), &"ä".repeat(LONGEST_BODY)));
        assert!(!is_taken(&"a".repeat(LONGEST_TITLE + 1), "b"));
        assert!(!is_taken("a", &"b".repeat(LONGEST_BODY + 1)));
        assert!(!is_taken(" \n", "b"));
        assert!(!is_taken("a", " "));
    }

    #[test]
    fn only_a_body_has_lines() {
        assert!(is_taken("a", "b\nc"));
        assert!(!is_taken("a\nb", "c"));
        assert!(!is_taken("a", "b\0c"));
        assert!(!is_taken("a", "b\rc"));
    }
}
