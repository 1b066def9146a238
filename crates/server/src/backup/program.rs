//! A program of PostgreSQL's that runs beside us.

use std::{ffi::OsStr, path::Path, process::Stdio};

use anyhow::Context;
use tokio::{
    io::AsyncReadExt,
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    task::JoinHandle,
};

/// How much of its words is kept.
const WORDS: usize = 4_096;
/// The variables of ours that it is given. The others may hold secrets.
const INHERITED: [&str; 3] = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];

/// A program that runs. It is killed when this is dropped.
pub(super) struct Program {
    name: String,
    child: Child,
    words: JoinHandle<String>,
}

impl Program {
    /// Starts it, with pipes.
    pub(super) fn start(
        path: &Path,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        environment: Vec<(&'static str, String)>,
    ) -> anyhow::Result<Self> {
        let mut command = Command::new(path);
        command
            .args(arguments)
            .env_clear()
            .envs(
                INHERITED
                    .iter()
                    .filter_map(|name| Some((name, std::env::var_os(name)?))),
            )
            .env("LC_ALL", "C")
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command
            .spawn()
            .with_context(|| format!("running {}", path.display()))?;
        let words = tokio::spawn(last_words(child.stderr.take()));
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        Ok(Self { name, child, words })
    }

    /// Where it reads from.
    pub(super) fn input(&mut self) -> anyhow::Result<ChildStdin> {
        self.child.stdin.take().context("its input was taken before")
    }

    /// Where it writes to.
    pub(super) fn output(&mut self) -> anyhow::Result<ChildStdout> {
        self.child.stdout.take().context("its output was taken before")
    }

    /// Waits for its end.
    ///
    /// # Errors
    /// It failed: its last words.
    pub(super) async fn end(mut self) -> anyhow::Result<()> {
        // One that reads what nobody writes would wait for ever.
        drop(self.child.stdin.take());
        let status = self.child.wait().await.with_context(|| self.name.clone())?;
        let words = self.words.await.unwrap_or_default();
        anyhow::ensure!(
            status.success(),
            "{} failed ({status}): {}",
            self.name,
            words.trim()
        );
        Ok(())
    }
}

/// The end of what it says on standard error.
async fn last_words(from: Option<ChildStderr>) -> String {
    let Some(mut from) = from else {
        return String::new();
    };
    let (mut kept, mut chunk) = (Vec::new(), [0; WORDS]);
    while let Ok(read) = from.read(&mut chunk).await
        && read > 0
    {
        kept.extend_from_slice(&chunk[..read]);
        kept.drain(..kept.len().saturating_sub(WORDS));
    }
    String::from_utf8_lossy(&kept).into_owned()
}
