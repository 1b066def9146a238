//! Workspaces and domains as the reads see them.

use pharos_account::domains::Modules;
use pharos_domain::{
    identity::{DomainAccess, SubscriptionStatus},
    module::Module,
    role::Role,
};

use crate::harness::{Fixture, NOW, actor, after};

#[tokio::test]
async fn a_workspace_counts_its_live_domains_and_its_members() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.home("eve").await;
    let second = fixture.domain(home.workspace, "shop.ada.example").await;
    fixture.domain(home.workspace, "blog.ada.example").await;
    fixture.member(home.workspace, "bob", Role::Viewer).await;
    let domains = &fixture.stores.domain_admin;
    domains.delete(second, &actor(), NOW).await.unwrap();
    let reach = fixture.reach(&home).await;
    let listed = fixture.stores.workspaces.list(&reach).await.unwrap();
    let [workspace] = listed.as_slice() else {
        panic!("{listed:?}")
    };
    assert_eq!((workspace.id, workspace.name.as_str()), (home.workspace, "ada's"));
    assert_eq!((workspace.domain_count, workspace.member_count), (2, 2));
    assert_eq!((workspace.plan.as_str(), workspace.created_at), ("default", NOW));
    assert_eq!(workspace.subscription, SubscriptionStatus::Active);
    assert_eq!(fixture.stores.workspaces.list(&[]).await.unwrap().len(), 0);
}

#[tokio::test]
async fn domains_come_oldest_first_with_their_modules_where_asked_for() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    fixture.home("eve").await;
    let second = fixture.domain(home.workspace, "shop.ada.example").await;
    let paused = fixture.domain(home.workspace, "old.ada.example").await;
    let identity = fixture.identity(&home).await;
    let access = |id| DomainAccess::open(&identity, id).unwrap();
    fixture.monitor(&access(second), NOW, |_| {}).await;
    fixture
        .monitor(&access(paused), NOW, |settings| settings.enabled = false)
        .await;

    let reach = fixture.reach(&home).await;
    let domains = &fixture.stores.domains;
    let listed = domains.list(&reach, Modules::Included).await.unwrap();
    let seen: Vec<_> = listed
        .iter()
        .map(|domain| (domain.id, domain.active_modules.clone().unwrap()))
        .collect();
    assert_eq!(
        seen,
        [
            (home.domain, vec![]),
            (second, vec![Module::Uptime]),
            (paused, vec![])
        ]
    );
    assert_eq!(listed[0].workspace_id, home.workspace);
    assert!(!listed[0].verified);
    let bare = domains.list(&reach, Modules::LeftOut).await.unwrap();
    assert!(bare.iter().all(|domain| domain.active_modules.is_none()));

    let viewed = domains.view(&access(second)).await.unwrap().unwrap();
    assert_eq!(viewed.hostname.as_str(), "shop.ada.example");
    assert_eq!(viewed.active_modules, Some(vec![Module::Uptime]));
    fixture
        .stores
        .domain_admin
        .delete(second, &actor(), after(1))
        .await
        .unwrap();
    assert!(domains.view(&access(second)).await.unwrap().is_none());
    assert_eq!(domains.list(&reach, Modules::LeftOut).await.unwrap().len(), 2);
}
