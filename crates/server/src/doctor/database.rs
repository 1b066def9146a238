//! The database, and the faults that lie in it.

use pharos_alerting::delivery::channel::{ChannelStore, ChannelTrouble};
use pharos_crawl::{
    robots::monitor::store::{RobotsSchedule, WatchHealth},
    sitemap::monitor::store::{SitemapSchedule, WatchHealth as SitemapWatchHealth},
};
use pharos_domain::{
    sealing_keys::{SealingKeyDetails, SealingKeyState, SealingKeyStore},
    timestamp::Timestamp,
};
use pharos_embedded::{EmbeddedOptions, find_binaries, running_database_url};
use pharos_persistence::{
    pool::{Database, DatabaseOptions},
    set_aside::Summary,
    upkeep_failures::FailingStep,
};
use pharos_search::{
    gsc::link::{LinkFailure, LinkHealth, LinkStore},
    indexing::store::schedule::{IndexingSchedule, RotationHealth},
};
use pharos_vitals::crux::store::{CollectionHealth, CruxCollection};
use time::{Duration, OffsetDateTime};

use super::{Finding, together::clocks};
use crate::{
    config::Config,
    groups::{self, SCHEMAS, database_options},
};

const WHAT: &str = "database";
/// How many channels that fail are named.
const NAMED: u32 = 10;
/// How long after its end a day may wait for its roll-up: upkeep runs hourly, and a long one takes its time.
const ROLLED_UP_WITHIN: Duration = Duration::hours(26);
/// How long after a rotation rows may still be sealed by an older key: upkeep runs hourly, and a long one takes its time.
const SEALED_ANEW_WITHIN: Duration = Duration::hours(3);

/// The findings about the database, and how many nodes run on it, if it says.
pub(super) async fn database(config: &Config) -> (Vec<Finding>, Option<i64>) {
    let url = match &config.database_url {
        Some(url) => url.reveal().to_owned(),
        None => {
            let options = EmbeddedOptions {
                bin_folder: config.postgres_bin.clone(),
                ..EmbeddedOptions::new(&config.data_folder)
            };
            match (
                running_database_url(&options),
                find_binaries(config.postgres_bin.as_deref()),
            ) {
                (Ok(Some(url)), _) => url,
                (Err(error), _) | (_, Err(error)) => return (vec![Finding::wrong(WHAT, &error)], None),
                (Ok(None), Ok(found)) => {
                    let (version, folder) = (found.version(), config.data_folder.display());
                    let detail =
                        format!("PostgreSQL {version} is installed; Pharos will run its own in {folder}");
                    return (vec![Finding::well(WHAT, detail)], None);
                }
            }
        }
    };
    look_into(&url, config).await.unwrap_or_else(|error| {
        let detail = format!("{error:#}; check PHAROS_DATABASE_URL");
        (vec![Finding::wrong(WHAT, &detail)], None)
    })
}

async fn look_into(url: &str, config: &Config) -> anyhow::Result<(Vec<Finding>, Option<i64>)> {
    let options = DatabaseOptions {
        pool_size: 1,
        ..database_options()
    };
    let database = Database::connect(url, &options).await?;
    let version = database.server_version().await?;
    let pending = database.pending_migrations(SCHEMAS).await?;
    if version < 150_000 {
        let detail = format!("PostgreSQL {} is too old; 15 or newer", version / 10_000);
        return Ok((vec![Finding::wrong(WHAT, &detail)], None));
    }
    if let Err(error) = database.refuse_older_program(SCHEMAS).await {
        return Ok((vec![Finding::wrong(WHAT, &error)], None));
    }
    let state = match pending.len() {
        0 => "with every migration".to_owned(),
        missing => format!("{missing} migrations and functions to come with the next start"),
    };
    let detail = format!("PostgreSQL {} answers, {state}", version / 10_000);
    let facts = database.facts().await?;
    let mut findings = vec![
        Finding::well(WHAT, detail),
        clocks(&facts, OffsetDateTime::now_utc()),
    ];
    if pending.is_empty() {
        findings.extend(functions(&database).await?);
        findings.extend(set_aside(&database).await?);
        findings.extend(upkeep(&database).await?);
        findings.push(roll_ups(&database, facts.now).await?);
        findings.push(sealed(&database, facts.now).await?);
        findings.extend(channels(&database).await?);
        findings.push(robots(&database).await?);
        findings.push(sitemaps(&database).await?);
        findings.push(search(&database).await?);
        findings.push(inspections(&database).await?);
        findings.push(field_data(&database, config).await?);
    }
    Ok((findings, Some(facts.nodes)))
}

/// The functions that another release has applied. Nodes of two releases call them while an installation is being upgraded.
async fn functions(database: &Database) -> anyhow::Result<Option<Finding>> {
    let others = database.functions_of_another_text(SCHEMAS).await?;
    if others.is_empty() {
        return Ok(None);
    }
    let detail = format!(
        "{} are of another release: an older node has started since, or this program is the older one; `pharos \
         migrate` of the newest release brings them up to date",
        others.join(", ")
    );
    Ok(Some(Finding::well("functions", detail)))
}

/// The rows that Pharos could not store or read. A kind that has not occurred for a day is reported, but not as a fault.
async fn set_aside(database: &Database) -> anyhow::Result<Vec<Finding>> {
    const WHAT: &str = "set aside";
    let kinds = database.set_aside().await?;
    if kinds.is_empty() {
        return Ok(vec![Finding::well(WHAT, "nothing")]);
    }
    let finding = |kind: Summary| {
        let Summary {
            kind,
            things,
            times,
            last_at,
            subject,
            reason,
            is_recent,
        } = kind;
        let last_at = Timestamp::from(last_at);
        let detail =
            format!("{kind}: {times} times, of {things}; the last, {subject}, at {last_at}: {reason}");
        if is_recent {
            Finding::wrong(WHAT, &format!("{detail}; the table set_aside has them all"))
        } else {
            Finding::well(WHAT, detail)
        }
    };
    Ok(kinds.into_iter().map(finding).collect())
}

/// The steps of the hourly upkeep that failed the last time.
async fn upkeep(database: &Database) -> anyhow::Result<Vec<Finding>> {
    const WHAT: &str = "upkeep";
    let failing = database.failing_upkeep().await?;
    if failing.is_empty() {
        return Ok(vec![Finding::well(WHAT, "no step fails")]);
    }
    let finding = |step: FailingStep| {
        let FailingStep {
            step,
            reason,
            first_at,
            last_at,
            times,
        } = step;
        let (first_at, last_at) = (Timestamp::from(first_at), Timestamp::from(last_at));
        let detail = format!(
            "the step {step} has failed {times} times since {first_at}, the last at {last_at}: {reason}; the log of the nodes \
             has each time, and each hour tries again"
        );
        Finding::wrong(WHAT, &detail)
    };
    Ok(failing.into_iter().map(finding).collect())
}

/// Whether the roll-ups that long reads use are up to date. Otherwise such reads read every single measurement.
async fn roll_ups(database: &Database, now: OffsetDateTime) -> anyhow::Result<Finding> {
    const WHAT: &str = "roll-ups";
    let behind = database
        .behind_in_roll_ups(now.saturating_sub(ROLLED_UP_WITHIN))
        .await?;
    if behind.is_empty() {
        return Ok(Finding::well(WHAT, "all days but the last are rolled up"));
    }
    let of: Vec<String> = behind
        .iter()
        .map(|(group, domains)| format!("{domains} of {group}"))
        .collect();
    let detail = format!(
        "days of domains are not rolled up that ended more than a day ago ({}): their long reads are slow. A node does so once \
         an hour, and its log says why it can't; after an upgrade that changes roll-ups it takes a while",
        of.join(", ")
    );
    Ok(Finding::wrong(WHAT, &detail))
}

/// Whether secrets are sealed by the present keys. Right after a rotation some may still be sealed by older ones.
async fn sealed(database: &Database, now: OffsetDateTime) -> anyhow::Result<Finding> {
    const WHAT: &str = "sealed secrets";
    let keys = groups::ports(database)
        .get::<dyn SealingKeyStore>()?
        .list()
        .await?;
    let older: Vec<&SealingKeyDetails> = keys
        .iter()
        .filter(|key| key.state == SealingKeyState::Older && key.rows > 0)
        .collect();
    if older.is_empty() {
        return Ok(Finding::well(WHAT, "no row is sealed by an older key"));
    }
    let of: Vec<String> = older
        .iter()
        .map(|key| format!("{} of {}", key.rows, key.table))
        .collect();
    let detail = format!("rows are sealed by an older key ({})", of.join(", "));
    let is_late = |key: &SealingKeyDetails| {
        let sealing = keys
            .iter()
            .find(|other| other.table == key.table && other.state == SealingKeyState::Sealing);
        let took_over = sealing.and_then(|sealing| sealing.seals_from);
        took_over.is_some_and(|took_over| took_over < now.saturating_sub(SEALED_ANEW_WITHIN))
    };
    if older.iter().copied().any(is_late) {
        let detail = format!(
            "{detail} though the next took over hours ago, so that key has to stay: upkeep seals them anew once an hour, and the log of \
             the nodes says which it can't open; set up those channels anew, and link those accounts anew"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(Finding::well(
        WHAT,
        format!("{detail}; upkeep seals them anew within the hour"),
    ))
}

/// The channels that should deliver but don't, and the deliveries that were given up within a day. Channels whose mails a
/// reader ended are as that reader wants.
async fn channels(database: &Database) -> anyhow::Result<Vec<Finding>> {
    const WHAT: &str = "alert channels";
    let channels = groups::ports(database).get::<dyn ChannelStore>()?;
    let since = OffsetDateTime::now_utc().saturating_sub(Duration::DAY);
    let troubles = channels.in_trouble(since, NAMED).await?;
    if troubles.is_empty() {
        let detail = match channels.unsubscribed().await? {
            0 => "none fails".to_owned(),
            1 => "none fails; one is off because its reader wants no mails".to_owned(),
            off => format!("none fails; {off} are off because their readers want no mails"),
        };
        return Ok(vec![Finding::well(WHAT, detail)]);
    }
    let told = |trouble: &ChannelTrouble| Finding::wrong(WHAT, &trouble_of(trouble));
    Ok(troubles.iter().map(told).collect())
}

/// The watch of robots.txt. A site that fails is the site's fault; a site that is not checked is ours.
async fn robots(database: &Database) -> anyhow::Result<Finding> {
    const WHAT: &str = "robots.txt";
    let schedule = groups::ports(database).get::<dyn RobotsSchedule>()?;
    let WatchHealth {
        watched,
        failing,
        overdue,
    } = schedule.watch_health().await?;
    let detail = format!("{watched} sites are watched, {failing} of them could not be fetched last");
    if overdue > 0 {
        let detail = format!(
            "{detail}; {overdue} have been due for longer than their interval, or an hour: no node has the role \
             scheduler"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(Finding::well(WHAT, detail))
}

/// The watch of sitemaps. A file that fails is the site's fault; a site that is not checked is ours.
async fn sitemaps(database: &Database) -> anyhow::Result<Finding> {
    const WHAT: &str = "sitemaps";
    let schedule = groups::ports(database).get::<dyn SitemapSchedule>()?;
    let SitemapWatchHealth {
        watched,
        files,
        failing,
        overdue,
    } = schedule.watch_health().await?;
    let detail =
        format!("{watched} sites are watched with {files} files, {failing} of them could not be read last");
    if overdue > 0 {
        let detail = format!(
            "{detail}; {overdue} sites have been due for longer than their interval, or an hour: no node has the role \
             scheduler, or those that have it are not enough"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(Finding::well(WHAT, detail))
}

/// The imports of Search Console. An account that Google does not let in any more is told to its workspace; what else keeps an import
/// from being whole, and one that nobody does, is told here.
async fn search(database: &Database) -> anyhow::Result<Finding> {
    const WHAT: &str = "Search Console";
    let LinkHealth {
        linked,
        lost,
        failing,
        failure,
        overdue,
    } = groups::ports(database).get::<dyn LinkStore>()?.health().await?;
    let mut detail = format!(
        "{linked} properties are linked, {lost} of them have to be linked again, {failing} of the others could not be imported \
         whole last"
    );
    if let Some(LinkFailure { hostname, why }) = failure {
        detail = format!("{detail}; {hostname}: {why}");
    }
    if overdue > 0 {
        let detail = format!(
            "{detail}; {overdue} have been due for more than an hour: no node has the role scheduler"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(if failing > 0 {
        Finding::wrong(WHAT, &detail)
    } else {
        Finding::well(WHAT, detail)
    })
}

/// The rotation through URLs that Search Console inspects.
async fn inspections(database: &Database) -> anyhow::Result<Finding> {
    const WHAT: &str = "URL inspections";
    let schedule = groups::ports(database).get::<dyn IndexingSchedule>()?;
    let RotationHealth {
        sites,
        failing,
        failure,
        overdue,
    } = schedule.health().await?;
    let mut detail =
        format!("{sites} linked domains have their URLs inspected, the last round of {failing} failed");
    if let Some(failure) = failure {
        detail = format!("{detail}: {failure}");
    }
    if overdue > 0 {
        let detail = format!(
            "{detail}; {overdue} have been due for more than an hour: no node has the role scheduler"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    Ok(Finding::well(WHAT, detail))
}

/// The collection of field data. Without a key there is none; one that the API refuses, or that nobody does, is ours.
async fn field_data(database: &Database, config: &Config) -> anyhow::Result<Finding> {
    const WHAT: &str = "field data";
    let collection = groups::ports(database).get::<dyn CruxCollection>()?;
    let CollectionHealth {
        followed,
        failing,
        failure,
        fetched_at,
        overdue,
    } = collection.health().await?;
    if config.crux_api_key.is_none() {
        return Ok(Finding::well(
            WHAT,
            "none is collected, since crux_api_key is not set: a key of the Chrome UX Report API costs nothing, and \
             docs/guides/field-data.md says how to get one",
        ));
    }
    let last = fetched_at.map_or_else(
        || "never yet".to_owned(),
        |at| format!("last at {}", Timestamp::from(at)),
    );
    let mut detail = format!(
        "{followed} origins and pages are followed, {last} with success; {failing} of them failed last"
    );
    if let Some(failure) = failure {
        detail = format!("{detail}: {failure}");
    }
    if overdue > 0 {
        let detail = format!(
            "{detail}; {overdue} have been due for more than an hour: no node has the role scheduler and a key"
        );
        return Ok(Finding::wrong(WHAT, &detail));
    }
    // One page that fails is the page's fault; where all do, it is the key's.
    if failing > 0 && failing == followed {
        return Ok(Finding::wrong(
            WHAT,
            &format!("{detail}; check PHAROS_CRUX_API_KEY"),
        ));
    }
    Ok(Finding::well(WHAT, detail))
}

fn trouble_of(trouble: &ChannelTrouble) -> String {
    let ChannelTrouble {
        id,
        name,
        workspace_name,
        failing_since,
        given_up,
        last_error,
        off_reason,
    } = trouble;
    let mut detail = format!("“{name}” of {workspace_name}");
    if let Some(reason) = off_reason {
        return format!(
            "{detail} is switched off: {reason}; mend that and switch it on by pharos admin channel on {id}, or end it by pharos admin \
             channel delete {id}"
        );
    }
    if let Some(since) = failing_since {
        detail.push_str(&format!(" fails since {}", Timestamp::from(*since)));
    }
    if *given_up > 0 {
        let and = if failing_since.is_some() { "," } else { "" };
        detail.push_str(&format!("{and} gave up {given_up} deliveries within a day"));
    }
    if let Some(error) = last_error {
        detail.push_str(&format!(": {error}"));
    }
    detail.push_str(&format!("; pharos admin channel deliveries {id} lists them"));
    if *given_up > 0 {
        detail.push_str(", pharos admin job retry sends one again");
    }
    detail
}
