//! A node of a later version has stored what this one does not know: nodes are upgraded one by one, and it serves all else.

use pharos_analytics::reports::AnalyticsReports;
use pharos_crawl::{
    robots::monitor::store::{RobotsSchedule, RobotsStore},
    sitemap::{
        entry::ChangeFrequency,
        monitor::{
            pages::PageFilter,
            store::{SitemapArchive, SitemapStore},
        },
    },
};
use pharos_domain::{
    audit::Actor,
    ids::{ClientId, CredentialId},
    page::{ListKey, PageRequest},
    page_facts::{IndexVerdict, PageIndexing},
    patch::Patch,
    role::Role,
    switches::Switch,
    wide_pull::{Family, RunFilter, WidePullStore},
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

use time::OffsetDateTime;

use crate::{
    completion::{check, finished, run, status},
    harness::{Fixture, NOW, after, entry},
    robots_checks::of_run,
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

/// A region that nobody understands says as little as one that has not checked; a span of it is time that nobody has observed.
#[tokio::test]
async fn a_state_a_span_and_an_incident_leave_the_rest_of_a_site_to_be_told() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    fixture.monitor(&access, NOW, |_| {}).await;
    let (up, down) = (Outcome::Up, Outcome::Down);
    run(&fixture, &access, "eu", NOW, &[up, down, down, up, down, down]).await;
    let before = status(&fixture, &access).await;
    assert!(before.regions[0].state.is_some() && before.spans.len() > 1);
    assert_eq!(before.incidents.len(), 2);
    let later = r#"ALTER TABLE uptime_spans DROP CONSTRAINT uptime_spans_state_check;
        UPDATE uptime_spans SET state = 'of_tomorrow' WHERE started_at = (SELECT max(started_at) FROM uptime_spans);
        ALTER TABLE uptime_incidents DROP CONSTRAINT uptime_incidents_severity_check;
        UPDATE uptime_incidents SET severity = 'of_tomorrow' WHERE resolved_at IS NULL;
        UPDATE uptime_region_states SET state = jsonb_set(state, '{current}', '"of_tomorrow"')"#;
    fixture.sql.batch_execute(later).await.unwrap();
    let known = status(&fixture, &access).await;
    assert_eq!((known.regions.len(), known.regions[0].region.as_str()), (1, "eu"));
    assert_eq!(known.regions[0].state, None);
    assert_eq!(known.regions[0].next_check_at, before.regions[0].next_check_at);
    assert_eq!(known.spans[..], before.spans[..before.spans.len() - 1]);
    let resolved = before
        .incidents
        .iter()
        .find(|incident| incident.resolved_at.is_some());
    assert_eq!(known.incidents.iter().collect::<Vec<_>>(), [resolved.unwrap()]);
    let noted = fixture.database.set_aside().await.unwrap();
    let mut kinds: Vec<&str> = noted.iter().map(|noted| noted.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["incident", "region_state"]);
}

#[tokio::test]
async fn a_version_or_a_check_of_a_robots_txt_keeps_no_other_off_the_list() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let schedule = fixture.stores.ports.get::<dyn RobotsSchedule>().unwrap();
    for status in [200, 404] {
        let stored = schedule.complete(&[of_run(home.domain, status)]).await;
        assert_eq!(stored.unwrap(), 0);
    }
    let later = "ALTER TABLE robots_versions DROP CONSTRAINT robots_versions_impact_check;
        UPDATE robots_versions SET impact = 'of_tomorrow' WHERE replaced_at IS NULL;
        ALTER TABLE robots_checks DROP CONSTRAINT robots_checks_outcome_check;
        UPDATE robots_checks SET outcome = 'of_tomorrow' WHERE status_code = 404";
    fixture.sql.batch_execute(later).await.unwrap();
    let robots = fixture.stores.ports.get::<dyn RobotsStore>().unwrap();
    // The first page is of the one that is not understood, and the list goes on behind it.
    let list = ListKey::new("test", home.domain.0);
    let first = robots
        .versions(&access, &PageRequest::first(list, 1))
        .await
        .unwrap();
    assert_eq!((first.items.len(), first.has_more), (0, true));
    let all = robots
        .versions(&access, &PageRequest::first(list, 10))
        .await
        .unwrap();
    let statuses: Vec<u16> = all.items.iter().map(|version| version.status_code).collect();
    assert_eq!(statuses, [200]);
    let checks = robots.checks(&access, None, 10).await.unwrap();
    let statuses: Vec<Option<u16>> = checks.iter().map(|check| check.status_code).collect();
    assert_eq!(statuses, [Some(200)]);
}

#[tokio::test]
async fn a_sitemap_keeps_no_other_off_the_list_and_a_frequency_is_as_good_as_none() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let archive = fixture.stores.ports.get::<dyn SitemapArchive>().unwrap();
    archive.begin(home.domain).await.unwrap();
    let later = format!(
        "ALTER TABLE sitemap_files DROP CONSTRAINT sitemap_files_kind_check;
        ALTER TABLE sitemap_urls DROP CONSTRAINT sitemap_urls_change_frequency_check;
        INSERT INTO sitemap_files (id, domain_id, url, url_key, depth, found_at, kind)
            SELECT gen_random_uuid(), '{}', kind, gen_random_uuid(), 1, now(), kind
            FROM unnest(ARRAY['urlset', 'of_tomorrow']) AS k (kind);
        INSERT INTO sitemap_urls (
            file_id, url_key, domain_id, url, change_frequency, images, videos, is_news, first_seen_at, listed_at
        )
            SELECT f.id, gen_random_uuid(), f.domain_id, c.frequency, c.frequency, 0, 0, false, now(), now()
            FROM sitemap_files AS f, unnest(ARRAY['daily', 'of_tomorrow']) AS c (frequency)
            WHERE f.kind = 'urlset'",
        home.domain
    );
    fixture.sql.batch_execute(&later).await.unwrap();
    let sitemaps = fixture.stores.ports.get::<dyn SitemapStore>().unwrap();
    let files = sitemaps.files(&access, None).await.unwrap();
    let files: Vec<&str> = files.iter().map(|file| file.url.as_str()).collect();
    assert_eq!(files, ["urlset"]);
    let filter = PageFilter {
        file: None,
        presence: None,
        search: None,
    };
    let page = PageRequest::first(ListKey::new("test", home.domain.0), 10);
    let pages = sitemaps.pages(&access, &filter, &page).await.unwrap();
    let mut told: Vec<_> = pages
        .items
        .iter()
        .map(|page| (page.url.as_str(), page.change_frequency))
        .collect();
    told.sort_unstable_by_key(|(url, _)| *url);
    assert_eq!(
        told,
        [("daily", Some(ChangeFrequency::Daily)), ("of_tomorrow", None)]
    );
}

#[tokio::test]
async fn a_run_of_a_report_keeps_no_other_off_the_list() {
    let fixture = Fixture::new().await;
    let home = fixture.home("ada").await;
    let access = fixture.access(&home).await;
    let later = format!(
        "INSERT INTO runs (id, domain_id, kind, status, requested_at, requester_kind, credential_id, credits_charged)
            SELECT gen_random_uuid(), '{}', '{}', 'queued', now() - n * interval '1 minute', 'api_key', gen_random_uuid(), 0
            FROM generate_series(1, 2) AS n;
        INSERT INTO wide_pulls (run_id, report, first_day, last_day, asked)
            SELECT id, CASE WHEN requested_at = max(requested_at) OVER () THEN 'of_tomorrow' ELSE 'pages_full' END,
                '2026-03-01', '2026-03-31', '{{}}'
            FROM runs",
        home.domain,
        AnalyticsReports::RUNS.as_str(),
    );
    fixture.sql.batch_execute(&later).await.unwrap();
    let runs = fixture
        .stores
        .ports
        .get::<dyn WidePullStore<AnalyticsReports>>()
        .unwrap();
    let filter = RunFilter {
        report: None,
        status: None,
    };
    let now = OffsetDateTime::now_utc();
    let page = |limit| PageRequest::first(ListKey::new("test", home.domain.0), limit);
    let first = runs.list(&access, filter, &page(1), now).await.unwrap();
    assert_eq!((first.items.len(), first.has_more), (0, true));
    let all = runs.list(&access, filter, &page(10), now).await.unwrap();
    let reports: Vec<String> = all.items.iter().map(|run| run.report.to_string()).collect();
    assert_eq!(reports, ["pages_full"]);
}
