//! announcement: what the operator has to say.

use pharos_alerting::{
    announcement::{Announcement, AnnouncementError, Announcer},
    severity::Severity,
};
use pharos_domain::{ids::WorkspaceId, notification_type::NotificationType};

use crate::harness::{Fixture, NOW, actor};

async fn announce(fixture: &Fixture, workspace: Option<WorkspaceId>) -> Result<u64, AnnouncementError> {
    let announcement = Announcement::new("A pause", "On Sunday.\nFor an hour.", Severity::Warning).unwrap();
    let announcer = fixture.stores.ports.get::<dyn Announcer>().unwrap();
    announcer.announce(workspace, &announcement, &actor(), NOW).await
}

#[tokio::test]
async fn one_workspace_is_told_or_all_are() {
    let fixture = Fixture::new().await;
    let homes = [
        fixture.home("ada").await,
        fixture.home("bob").await,
        fixture.home("eve").await,
    ];
    fixture.channel(&homes[0], "all", Severity::Info).await;
    let told = async || {
        let mut told = Vec::new();
        for home in &homes {
            told.push(fixture.told(home, NotificationType::Announcement).await.len());
        }
        told
    };
    assert_eq!(announce(&fixture, Some(homes[1].workspace)).await.unwrap(), 1);
    assert_eq!(told().await, [0, 1, 0]);
    assert_eq!(announce(&fixture, None).await.unwrap(), 3);
    assert_eq!(told().await, [1, 2, 1]);
    assert_eq!(fixture.queued("all").await, 1);
    let first = fixture
        .told(&homes[0], NotificationType::Announcement)
        .await
        .remove(0);
    assert_eq!(
        (&*first.severity, &*first.title, &*first.body),
        ("warning", "A pause", "On Sunday.\nFor an hour.")
    );

    let nobody = announce(&fixture, Some(WorkspaceId::generate())).await;
    assert!(
        matches!(nobody, Err(AnnouncementError::NoWorkspace)),
        "{nobody:?}"
    );
    let audit = fixture
        .sql
        .query(
            "SELECT subject_id, (details->>'workspaces')::bigint FROM audit_log
             WHERE action = 'announcement.send' ORDER BY id",
            &[],
        )
        .await
        .unwrap();
    let audit: Vec<(String, i64)> = audit.iter().map(|row| (row.get(0), row.get(1))).collect();
    let one = homes[1].workspace.to_string();
    assert_eq!(audit, [(one, 1), ("all workspaces".to_owned(), 3)]);
}
