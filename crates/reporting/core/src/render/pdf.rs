//! Prints a report as PDF: Chromium prints its page, tagged and with an outline, in a process of its own and without the
//! network.
//!
//! Chromium can't refer to the page of a place. So a report of several pages is printed twice: the first print shows where its
//! sections begin, and the second has these page numbers in its contents, at places that the first left room for.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use pharos_domain::ids::WorkspaceId;
use tokio::{
    process::Command,
    sync::Semaphore,
    task::{JoinError, spawn_blocking},
    time::{Instant, timeout_at},
};

use super::{
    accessible::{Unfit, accessible, drawn_by_page},
    anchors::{self, Places},
    browser,
    contents::{SectionPages, links},
    html,
    shares::{Share, Shares},
};
use crate::document::Document;

/// How long printing a report may take, both prints together.
const PRINT_WITHIN: Duration = Duration::from_secs(40);
/// The most bytes of a PDF.
const MOST_BYTES: u64 = 32 << 20;
/// How a PDF begins.
const PDF: &[u8] = b"%PDF-";
/// The prefix of the folder of a print.
const FOLDER: &str = "pharos-report-";
/// The longest path of such a folder, in bytes, in which Chromium opens a socket: it gives up where the socket's path does not fit
/// into an address.
const LONGEST_FOLDER: usize = 56;
/// How old such a folder has to be before it counts as left behind.
const LEFT_AFTER: Duration = Duration::from_secs(3_600);

/// A script that names in reports may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name that people know it by.
    pub name: &'static str,
    /// Letters of it.
    pub letters: &'static str,
    /// Debian's package with a font that has them.
    pub package: &'static str,
}

/// The scripts that fonts for Latin letters alone don't have.
pub const SCRIPTS: [Script; 3] = [
    Script {
        name: "Japanese",
        letters: "本語ひカ",
        package: "fonts-noto-cjk",
    },
    Script {
        name: "emoji",
        letters: "🎉🛒",
        package: "fonts-noto-color-emoji",
    },
    Script {
        name: "Arabic",
        letters: "عربي",
        package: "fonts-noto-core",
    },
];

/// Prints pages.
#[derive(Clone, Debug)]
pub struct Printer {
    browser: Option<PathBuf>,
    turns: Arc<Semaphore>,
    shares: Arc<Shares>,
    within: Duration,
}

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// There is no Chromium.
    #[error("PDF needs Chromium, and this node has none: install it, or set `chromium`")]
    NoBrowser,
    /// It did not come about.
    #[error("Chromium can't be run: {0}")]
    Run(#[from] io::Error),
    /// It took too long.
    #[error("Chromium did not print the report in time")]
    Late,
    /// It ended with an error, or with no PDF.
    #[error("Chromium printed nothing: {0}")]
    Nothing(String),
    /// It printed something else.
    #[error("what Chromium printed is no PDF")]
    NoPdf,
    /// It is larger than a report may be.
    #[error("the PDF has more than 32 MiB")]
    TooLarge,
}

/// Why it is not known which letters are printed.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// Nothing was.
    #[error(transparent)]
    Unprinted(#[from] PrintError),
    /// The PDF is not as Chromium writes it.
    #[error("the PDF can't be looked through: {0}")]
    Unread(String),
}

/// Why the contents of a report tell no pages.
#[derive(Debug, thiserror::Error)]
enum Unnumbered {
    #[error(transparent)]
    Unread(#[from] Unfit),
    #[error(transparent)]
    Unprinted(#[from] PrintError),
    #[error("its sections are on other pages once the numbers are there")]
    Moved,
    #[error(transparent)]
    Panicked(#[from] JoinError),
}

/// A PDF.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// How many pages it has; `None`: it is too large to be read.
    pub pages: Option<u32>,
}

impl Printer {
    /// A printer with this browser, if there is one, that prints so many reports at once.
    #[must_use]
    pub fn new(browser: Option<PathBuf>, at_once: usize) -> Self {
        let at_once = at_once.max(1);
        Self {
            browser,
            turns: Arc::new(Semaphore::new(at_once)),
            // One that is read while the others are printed, so that the printer does not wait for a lone workspace.
            shares: Arc::new(Shares::new(at_once + 1)),
            within: PRINT_WITHIN,
        }
    }

    /// The same, in which a report has so much time.
    #[must_use]
    pub fn within(self, within: Duration) -> Self {
        Self { within, ..self }
    }

    /// Whether the browser is there.
    #[must_use]
    pub fn can_print(&self) -> bool {
        self.browser.as_ref().is_some_and(|browser| browser.is_file())
    }

    /// Leave to have a PDF of the workspace made, which it holds from before the report is read until it is printed. `None`: it
    /// has as many under way as it may.
    #[must_use]
    pub fn share(&self, workspace: WorkspaceId) -> Option<Share> {
        self.shares.take(workspace)
    }

    /// The browser that was chosen or found.
    #[must_use]
    pub fn browser(&self) -> Option<&PathBuf> {
        self.browser.as_ref()
    }

    /// Prints a report. The process ends if it takes too long, or if the caller stops waiting.
    ///
    /// # Errors
    /// There is no browser, or it does not print.
    pub async fn print(&self, document: &Document) -> Result<Printed, PrintError> {
        let browser = self.browser.as_ref().ok_or(PrintError::NoBrowser)?;
        let _turn = self.turns.acquire().await.map_err(io::Error::other)?;
        spawn_blocking(|| sweep(&std::env::temp_dir(), LEFT_AFTER))
            .await
            .map_err(io::Error::other)?;
        let until = Instant::now() + self.within;
        let unnumbered = html::printed(document, &SectionPages::new());
        let first = print_once(browser, &unnumbered, until).await?;
        let (pdf, pages) = numbered(browser, document, first, until).await;
        let bytes = conforming(pdf, links(document)).await;
        Ok(Printed { bytes, pages })
    }

    /// The scripts whose letters would be empty boxes in what this prints, since the machine has no font for them. It prints a
    /// page of each.
    ///
    /// # Errors
    /// There is no browser, or it does not print.
    pub async fn lacks(&self) -> Result<Vec<Script>, ProbeError> {
        let browser = self.browser.as_ref().ok_or(PrintError::NoBrowser)?;
        let _turn = self
            .turns
            .acquire()
            .await
            .map_err(io::Error::other)
            .map_err(PrintError::Run)?;
        let pages: String = SCRIPTS
            .iter()
            .map(|script| format!("<p>{}</p>", script.letters))
            .collect();
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Letters</title>\
             <style>p + p {{ break-before: page }}</style>{pages}</html>"
        );
        let pdf = print_once(browser, &page, Instant::now() + self.within).await?;
        let drawn = spawn_blocking(move || drawn_by_page(&pdf)).await;
        let drawn = drawn.map_err(|panicked| ProbeError::Unread(panicked.to_string()))?;
        let drawn = drawn.map_err(|unfit| ProbeError::Unread(unfit.to_string()))?;
        if drawn.len() != SCRIPTS.len() {
            return Err(ProbeError::Unread(format!("it has {} pages", drawn.len())));
        }
        let scripts = SCRIPTS.into_iter().zip(drawn);
        Ok(scripts
            .filter_map(|(script, is_drawn)| (!is_drawn).then_some(script))
            .collect())
    }
}

/// A print of a page.
async fn print_once(browser: &Path, html: &str, until: Instant) -> Result<Bytes, PrintError> {
    let folder = tempfile::Builder::new().prefix(FOLDER).tempdir()?;
    let (page, pdf) = (
        folder.path().join("report.html"),
        folder.path().join("report.pdf"),
    );
    tokio::fs::write(&page, html).await?;
    let profile = folder.path().join("profile");
    let mut command = Command::new(browser);
    command
        .args(["--headless", "--disable-gpu", "--disable-dev-shm-usage", "--disable-extensions"])
        .args(["--disable-background-networking", "--disable-sync", "--no-first-run", "--mute-audio"])
        // No name is resolved and nothing is requested: the page contains all that it shows, and its policy forbids scripts.
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9"])
        // A print requests nothing and opens one page, so it needs no process for the network, and no spare renderer. Both save
        // memory; other flags were measured (ADR 27), and save none that can be told from chance, or cost time or a sandbox.
        .arg("--enable-features=NetworkServiceInProcess2")
        .arg("--disable-features=SpareRendererForSitePerProcess")
        .args(["--no-pdf-header-footer", "--export-tagged-pdf", "--generate-pdf-document-outline"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--print-to-pdf={}", pdf.display()));
    if is_root() {
        // Chromium refuses its sandbox to root.
        command.arg("--no-sandbox");
    }
    command
        .arg(format!("file://{}", page.display()))
        .env_clear()
        .env("HOME", folder.path())
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    // Chromium has a folder of its own among temporary files, and leaves it there where it is killed.
    if folder.path().as_os_str().len() <= LONGEST_FOLDER {
        command.env("TMPDIR", folder.path());
    }
    let (status, said) = timeout_at(until, browser::run(&mut command))
        .await
        .map_err(|_| PrintError::Late)??;
    let nothing = || PrintError::Nothing(said.lines().rev().take(3).collect::<Vec<_>>().join(" | "));
    let length = tokio::fs::metadata(&pdf).await.map_err(|_| nothing())?.len();
    if !status.success() || length == 0 {
        return Err(nothing());
    }
    if length > MOST_BYTES {
        return Err(PrintError::TooLarge);
    }
    let printed = tokio::fs::read(&pdf).await?;
    if !printed.starts_with(PDF) {
        return Err(PrintError::NoPdf);
    }
    Ok(Bytes::from(printed))
}

/// The report with page numbers in its contents, and how many pages it has. The first print is used if it is the only one, or
/// if the pages can't be found out.
async fn numbered(browser: &Path, document: &Document, first: Bytes, until: Instant) -> (Bytes, Option<u32>) {
    let found = places(document, &first).await;
    let pages = found.as_ref().ok().map(|found| found.pages);
    let second = match found {
        Ok(found) => again(browser, document, found, until).await,
        Err(why) => Err(why),
    };
    match second {
        Ok(Some((second, pages))) => (second, Some(pages)),
        Ok(None) => (first, pages),
        Err(why) => {
            // A report without page numbers is better than none, or than one with wrong numbers.
            tracing::warn!(%why, "the contents of a report tell no pages");
            (first, pages)
        }
    }
}

/// Prints the report again, with the page numbers of its sections in its contents. `None`: it is a single page, or has no
/// section.
async fn again(
    browser: &Path,
    document: &Document,
    first: Places,
    until: Instant,
) -> Result<Option<(Bytes, u32)>, Unnumbered> {
    if links(document).is_empty() || first.pages < 2 {
        return Ok(None);
    }
    let told = first.sections?;
    let second = print_once(browser, &html::printed(document, &told), until).await?;
    let found = places(document, &second).await?;
    if found.sections? != told {
        return Err(Unnumbered::Moved);
    }
    Ok(Some((second, found.pages)))
}

/// The pages on which the parts of a print lie.
async fn places(document: &Document, pdf: &Bytes) -> Result<Places, Unnumbered> {
    let (pdf, links) = (pdf.clone(), links(document));
    Ok(spawn_blocking(move || anchors::places(&pdf, &links)).await??)
}

/// The PDF, made to conform to PDF/UA-1. If that fails it stays as it is, since a report that does not conform is better than
/// none.
async fn conforming(pdf: Bytes, links: HashMap<String, String>) -> Vec<u8> {
    let printed = pdf.clone();
    let why = match spawn_blocking(move || accessible(&printed, &links)).await {
        Ok(Ok(made)) => {
            if !made.conforms {
                tracing::warn!(
                    "a report has empty boxes for letters that no font here has, so it does not say that it conforms to PDF/UA; \
                     `pharos doctor` says which fonts to install"
                );
            }
            return made.bytes;
        }
        Ok(Err(unfit)) => unfit.to_string(),
        Err(panicked) => panicked.to_string(),
    };
    tracing::warn!(%why, "a report stays a PDF that does not conform to PDF/UA");
    pdf.into()
}

/// Deletes folders of prints that began so long ago: a process that is killed leaves its own, with the report in it.
fn sweep(place: &Path, age: Duration) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(FOLDER);
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        let is_old = changed.is_ok_and(|at| at.elapsed().is_ok_and(|past| past > age));
        if is_ours
            && is_old
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            tracing::debug!(%error, "the folder of a report that was not printed stays");
        }
    }
}

fn is_root() -> bool {
    // `/proc/self` belongs to the account that runs the process.
    fs::metadata("/proc/self").is_ok_and(|metadata| std::os::unix::fs::MetadataExt::uid(&metadata) == 0)
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_a_killed_process_left_is_taken_out() {
        let place = tempfile::tempdir().unwrap();
        let names = ["pharos-report-left", "pharos-report-fresh", "of-others"];
        let folders = names.map(|name| place.path().join(name));
        for folder in &folders {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("report.html"), "<p>").unwrap();
        }
        let long_ago = SystemTime::now() - Duration::from_secs(7_200);
        for folder in [&folders[0], &folders[2]] {
            fs::File::open(folder).unwrap().set_modified(long_ago).unwrap();
        }
        sweep(place.path(), LEFT_AFTER);
        assert_eq!(folders.map(|folder| folder.exists()), [false, true, true]);
    }

    #[tokio::test]
    async fn without_a_browser_the_error_says_what_to_do() {
        let printer = Printer::new(None, 1);
        let error = printer.print(&Document::of(Vec::new())).await.unwrap_err();
        assert!(error.to_string().contains("install it"), "{error}");
    }

    /// A browser that does this where it would print to the file `$pdf`.
    fn played(folder: &Path, does: &str) -> Printer {
        let browser = folder.join("browser");
        let file = "for one; do case $one in --print-to-pdf=*) pdf=${one#--print-to-pdf=};; esac; done";
        fs::write(&browser, format!("#!/bin/sh\n{file}\n{does}\n")).unwrap();
        fs::set_permissions(&browser, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        Printer::new(Some(browser), 1)
    }

    #[tokio::test]
    async fn a_browser_that_does_not_end_is_late() {
        let folder = tempfile::tempdir().unwrap();
        let printer = played(folder.path(), "exec sleep 600").within(Duration::from_millis(200));
        let error = printer.print(&Document::of(Vec::new())).await.unwrap_err();
        assert!(matches!(error, PrintError::Late), "{error}");
    }

    /// Whether a process does anything still: one that has ended may wait to be buried.
    fn is_there(process: &str) -> bool {
        let stat = fs::read_to_string(format!("/proc/{process}/stat"));
        stat.is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[tokio::test]
    async fn what_a_browser_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("started");
        let starts = format!("sleep 600 & echo $! > '{}'", file.display());
        // One is late, and one ends without what it started.
        for then in ["wait", "exit 1"] {
            let printer = played(folder.path(), &format!("{starts}\n{then}"));
            let printer = printer.within(Duration::from_secs(3));
            let error = printer.print(&Document::of(Vec::new())).await.unwrap_err();
            assert_eq!(matches!(error, PrintError::Late), then == "wait", "{error}");
            let started = fs::read_to_string(&file).unwrap();
            let until = Instant::now() + Duration::from_secs(10);
            while is_there(started.trim()) {
                assert!(Instant::now() < until, "{started} is still there");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }

    #[tokio::test]
    async fn what_a_browser_leaves_among_temporary_files_goes_with_its_print() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("place");
        let leaves = format!(
            "echo \"$TMPDIR\" > '{}'\ntouch \"$TMPDIR/left\"\nexit 1",
            file.display()
        );
        let printer = played(folder.path(), &leaves);
        printer.print(&Document::of(Vec::new())).await.unwrap_err();
        let place = fs::read_to_string(&file).unwrap();
        assert!(place.contains(FOLDER), "{place}");
        assert!(!Path::new(place.trim()).exists(), "{place}");
    }

    #[tokio::test]
    async fn of_what_a_browser_complains_of_the_last_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let complains = "head -c 1000000 /dev/zero | tr '\\0' x >&2\necho ' the last' >&2\nexit 1";
        let error = played(folder.path(), complains)
            .print(&Document::of(Vec::new()))
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.ends_with("x the last") && error.len() < 10_000,
            "{} bytes: {error:.100}",
            error.len()
        );
    }

    #[tokio::test]
    async fn a_file_that_is_no_pdf_is_no_report() {
        let folder = tempfile::tempdir().unwrap();
        let printer = played(folder.path(), "echo '<p>Not found</p>' > \"$pdf\"");
        let error = printer.print(&Document::of(Vec::new())).await.unwrap_err();
        assert!(matches!(error, PrintError::NoPdf), "{error}");
    }

    #[tokio::test]
    async fn a_pdf_that_is_too_large_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let printer = played(
            folder.path(),
            &format!("head -c {} /dev/zero > \"$pdf\"", MOST_BYTES + 1),
        );
        let error = printer.print(&Document::of(Vec::new())).await.unwrap_err();
        assert!(matches!(error, PrintError::TooLarge), "{error}");
    }

    #[tokio::test]
    async fn what_can_not_be_made_to_conform_stays_as_it_is() {
        for odd in [&b""[..], b"%PDF-1.4", b"%PDF-1.4\nstartxref\n9\n%%EOF\n"] {
            assert_eq!(conforming(Bytes::from_static(odd), HashMap::new()).await, odd);
        }
    }
}
