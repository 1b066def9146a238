//! A node of a later version has stored what this one does not know: nodes are upgraded one by one, and it serves all else.

use pharos_domain::{
    audit::Actor,
    ids::{ClientId, CredentialId},
    page::{ListKey, PageRequest},
    page_facts::{IndexVerdict, PageIndexing},
    patch::Patch,
    role::Role,
    switches::Switch,
};
use pharos_search::gsc::{
    accounts::AccountStore, figures::SearchType, link::LinkStore, property::PropertyStore,
    standing::StandingStore,
};
use pharos_uptime::{
    check::{Check, Outcome},
    error_class::ErrorClass,
    incident::IncidentClass,
    store::CheckFilter,
};

use crate::{
    completion::{check, finished, status},
    harness::{Fixture, NOW, after, entry},
};

/// The migration of a later version adds a module to the plans.
#[tokio::test]
async fn a_module_of_a_plan_keeps_nobody_out() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (_, secret) = fixture.key(&home).await;
    let before = fixture.find(&secret).await.unwrap().identity;
    let plans = fixture.stores.plans.list().await.unwrap();
    let later = "ALTER TABLE plans DROP CONSTRAINT plans_modules_check;
        UPDATE plans SET modules = modules || '{of_tomorrow}'::text[];
        ALTER TABLE plan_quotas DROP CONSTRAINT plan_quotas_resource_check;
        INSERT INTO plan_quotas (plan_key, resource, quota_limit) VALUES ('default', 'of_tomorrow', 5)";
    fixture.sql.batch_execute(later).await.unwrap();
    let after = fixture.find(&secret).await.unwrap().identity;
    let modules = [&before, &after].map(|identity| identity.workspaces[0].plan_modules);
    assert!(modules[0] == modules[1]);
    let told = fixture.stores.plans.list().await.unwrap();
    assert_eq!(told.len(), plans.len());
    for (told, known) in told.iter().zip(&plans) {
        assert_eq!((&told.modules, &told.quotas), (&known.modules, &known.quotas));
    }
}

/// The listener reads them at its start: if it could not, the node would not start.
#[tokio::test]
async fn a_switch_leaves_the_others_to_be_obeyed() {
    let fixture = Fixture::new().await;
    let later = "ALTER TABLE switches DROP CONSTRAINT switches_name_check;
        INSERT INTO switches (name, thrown_at) VALUES ('of-tomorrow', now())";
    fixture.sql.batch_execute(later).await.unwrap();
    let switches = &fixture.stores.switches;
    let actor = Actor::command_line("ada");
    let thrown = switches.set(Switch::ReadOnlyMode, true, &actor, NOW).await;
    let thrown = thrown.unwrap();
    assert!(thrown.read_only_mode && !thrown.api_disabled);
    assert_eq!(switches.read().await.unwrap(), thrown);
}

#[tokio::test]
async fn a_scope_of_a_key_allows_nothing_and_takes_nothing_away() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let (made, secret) = fixture.key(&home).await;
    let (other, _) = fixture.key(&home).await;
    let later = "UPDATE api_keys SET scopes = scopes || '{read:tomorrow}'::text[] WHERE id = $1";
    fixture.sql.execute(later, &[&made.id.0]).await.unwrap();
    let found = fixture.find(&secret).await.unwrap().identity;
    assert!(found.scopes == made.scopes);
    let listed = fixture.stores.keys.list(home.workspace).await.unwrap();
    let mut ids: Vec<CredentialId> = listed.iter().map(|key| key.id).collect();
    ids.sort_unstable();
    let mut known = [made.id, other.id];
    known.sort_unstable();
    assert_eq!(ids, known);
}

#[tokio::test]
async fn a_role_keeps_one_workspace_out_of_reach_and_no_other_member_off_the_list() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let members = &fixture.stores.members;
    let actor = Actor::command_line("ada");
    members
        .put(ada.workspace, bob.owner, Role::Viewer, Patch::Keep, &actor, NOW)
        .await
        .unwrap();
    let (client, grant) = (ClientId::generate(), CredentialId::generate());
    let app = format!(
        "INSERT INTO oauth_clients (id, redirect_uris, auth_method, created_at)
            VALUES ('{client}', '{{https://app.example/callback}}', 'none', now());
        INSERT INTO oauth_grants (id, client_id, user_id, resource, scopes, workspace_ids, created_at)
            VALUES ('{grant}', '{client}', '{}', 'https://pharos.example', '{{read:domains,read:tomorrow}}', '{{{},{}}}', now());
        ALTER TABLE members DROP CONSTRAINT members_role_check;
        UPDATE members SET role = 'of_tomorrow' WHERE workspace_id = '{}' AND user_id = '{}'",
        bob.owner, ada.workspace, bob.workspace, ada.workspace, bob.owner,
    );
    fixture.sql.batch_execute(&app).await.unwrap();
    let listed = members.list(ada.workspace).await.unwrap();
    assert_eq!(
        listed.iter().map(|member| member.user_id).collect::<Vec<_>>(),
        [ada.owner]
    );
    let grants = &fixture.stores.oauth_grants;
    let shown = grants.workspaces(bob.owner).await.unwrap();
    assert_eq!(
        shown.iter().map(|shown| shown.id).collect::<Vec<_>>(),
        [bob.workspace]
    );
    let found = grants.find(grant).await.unwrap().unwrap().identity;
    let reached: Vec<_> = found.workspaces.iter().map(|workspace| workspace.id).collect();
    assert_eq!(
        (reached, found.default_workspace_id),
        (vec![bob.workspace], Some(bob.workspace))
    );
    assert_eq!(grants.connected(bob.owner).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_row_of_the_credit_log_is_left_out() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let reach = fixture.reach(&home).await;
    let rows = [entry(&home, 0, NOW), entry(&home, 0, after(1))];
    fixture.stores.ledger.record(&rows).await.unwrap();
    let later = "ALTER TABLE credit_log DROP CONSTRAINT IF EXISTS credit_log_cache_check";
    fixture.sql.batch_execute(later).await.unwrap();
    let later = "UPDATE credit_log SET cache = 'of_tomorrow' WHERE request_id = $1";
    fixture
        .sql
        .execute(later, &[&rows[1].request_id.0])
        .await
        .unwrap();
    let page = PageRequest::first(ListKey::new("test", home.workspace.0), 10);
    let credits = &fixture.stores.credits;
    let log = credits.log(&reach[0], &page, after(2)).await.unwrap();
    let told: Vec<_> = log.items.iter().map(|call| call.request_id).collect();
    assert_eq!(told, [rows[0].request_id]);
}

/// Why a check failed is from a list that grows with the prober. A class that is not known is the last of it.
#[tokio::test]
async fn a_class_of_errors_is_unknown_and_the_site_is_judged_all_the_same() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture
        .monitor(&access, NOW, |settings| settings.confirmation_checks = 2)
        .await;
    let failing = |seconds| {
        let check = Check {
            error_class: Some(ErrorClass::ReadTimeout),
            error_message: Some("no answer".to_owned()),
            ..check(&access, "eu", after(seconds), Outcome::Down)
        };
        [finished(check, after(seconds))]
    };
    let schedule = &fixture.stores.schedule;
    assert_eq!(schedule.complete(&failing(0), NOW).await.unwrap(), []);
    let later = r#"UPDATE uptime_checks SET error_class = 'of_tomorrow';
        UPDATE uptime_region_states SET state = jsonb_set(
            jsonb_set(state, '{failing,class}', '"of_tomorrow"'), '{last_error_class}', '"of_tomorrow"'
        )"#;
    fixture.sql.batch_execute(later).await.unwrap();
    let known = status(&fixture, &access).await;
    let state = known.regions[0].state.as_ref().unwrap();
    assert_eq!(state.last_error_class, Some(ErrorClass::Unknown));
    assert_eq!(
        state.failing.as_ref().map(|failing| failing.class),
        Some(IncidentClass::Unknown)
    );
    assert_eq!(schedule.complete(&failing(60), after(60)).await.unwrap(), []);
    let class: String = fixture.value("SELECT class FROM uptime_incidents", &[]).await;
    assert_eq!(class, "unknown");
    let page = PageRequest::first(ListKey::new("test", home.domain.0), 10);
    let (checks, filter) = (&fixture.stores.checks, CheckFilter::default());
    let listed = checks.list(&access, &filter, &page).await.unwrap();
    let classes: Vec<_> = listed.items.iter().map(|check| check.error_class).collect();
    assert_eq!(
        classes,
        [Some(ErrorClass::ReadTimeout), Some(ErrorClass::Unknown)]
    );
    assert!(fixture.database.set_aside().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_verdict_on_a_page_is_unknown_beside_those_on_others() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    for (page, verdict) in [("a", "pass"), ("b", "of_tomorrow")] {
        let found = format!(
            "INSERT INTO indexing_urls (id, domain_id, url, source, created_at, inspected_at, inspection, verdict)
             VALUES (gen_random_uuid(), '{}', 'https://ada.example/{page}', 'manual', now(), now(), '{{}}', '{verdict}')",
            home.domain
        );
        fixture.sql.batch_execute(&found).await.unwrap();
    }
    let pages = fixture.stores.ports.get::<dyn PageIndexing>().unwrap();
    let urls = ["https://ada.example/a", "https://ada.example/b"];
    let told = pages.verdicts(&access, &urls).await.unwrap();
    assert_eq!(
        urls.map(|url| told[url]),
        [IndexVerdict::Pass, IndexVerdict::Unknown]
    );
}

/// It is imported by a node that knows it, and the others by this one.
#[tokio::test]
async fn a_search_type_or_a_kind_of_account_stops_no_other() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let later = format!(
        "INSERT INTO search_properties (domain_id, workspace_id, site_url, permission, status, search_types, linked_at)
            VALUES ('{}', '{}', 'sc-domain:ada.example', 'owner', 'connected', '{{web,of_tomorrow}}', now());
        ALTER TABLE search_accounts DROP CONSTRAINT search_accounts_kind_check;
        INSERT INTO search_accounts (id, workspace_id, kind, label, sealed, created_at) VALUES
            (gen_random_uuid(), '{}', 'oauth', 'known', '', now()),
            (gen_random_uuid(), '{}', 'of_tomorrow', 'unknown', '', now())",
        home.domain, home.workspace, home.workspace, home.workspace,
    );
    fixture.sql.batch_execute(&later).await.unwrap();
    let ports = &fixture.stores.ports;
    let properties = ports.get::<dyn PropertyStore>().unwrap();
    let property = properties.property(&access).await.unwrap().unwrap();
    assert_eq!(property.search_types, [SearchType::Web]);
    let links = ports.get::<dyn LinkStore>().unwrap();
    let link = links.link(home.domain).await.unwrap().unwrap();
    assert_eq!(link.search_types, [SearchType::Web]);
    let standing = ports.get::<dyn StandingStore>().unwrap();
    let known = standing.standing(&[home.domain]).await.unwrap();
    assert_eq!(known[&home.domain].search_types, [SearchType::Web]);
    let accounts = ports.get::<dyn AccountStore>().unwrap();
    let listed = accounts.list(home.workspace).await.unwrap();
    let labels: Vec<&str> = listed.iter().map(|account| account.label.as_str()).collect();
    assert_eq!(labels, ["known"]);
}

#[tokio::test]
async fn a_workspace_of_another_subscription_keeps_no_other_off_the_lists() {
    let fixture = Fixture::new().await;
    let (ada, bob) = (fixture.home("ada").await, fixture.home("bob").await);
    let reach = [fixture.reach(&ada).await, fixture.reach(&bob).await].concat();
    let later = format!(
        "ALTER TABLE workspaces DROP CONSTRAINT workspaces_subscription_status_check;
        UPDATE workspaces SET subscription_status = 'of_tomorrow' WHERE id = '{}'",
        bob.workspace
    );
    fixture.sql.batch_execute(&later).await.unwrap();
    let listed = fixture.stores.workspace_admin.list().await.unwrap();
    let told = fixture.stores.workspaces.list(&reach).await.unwrap();
    let listed: Vec<_> = listed.iter().map(|workspace| workspace.id).collect();
    let told: Vec<_> = told.iter().map(|workspace| workspace.id).collect();
    assert_eq!((listed, told), (vec![ada.workspace], vec![ada.workspace]));
}
