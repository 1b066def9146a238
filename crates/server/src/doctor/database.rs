//! The database, and the faults that lie in it.

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
use time::{Duration, OffsetDateTime};

use super::{Finding, together::clocks};
use crate::{
    config::Config,
    groups::{self, GROUPS, SCHEMAS, database_options},
    sentence::sentence,
};

const WHAT: &str = "database";
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
        let detail = format!("{}; check PHAROS_DATABASE_URL", sentence(&error));
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
        let ports = groups::ports(&database);
        for findings_of in GROUPS.iter().filter_map(|group| group.findings) {
            findings.extend(findings_of(&ports, config).await?);
        }
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
