//! The machine as the tasks see it: where programs lie, who we are, how to become root.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::IsTerminal,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A machine. Tests make one of a folder of their own.
pub(crate) struct Host {
    /// The folder that absolute paths are looked up under: `/`.
    root: PathBuf,
    path: OsString,
    is_root: bool,
    /// Whether somebody is there who can type a password.
    is_attended: bool,
}

/// How a command is run as root.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) enum Privilege {
    /// We are root.
    Root,
    /// Through sudo, which asks nobody anything.
    SilentSudo,
    /// Through sudo, which asks for a password.
    AskingSudo,
}

impl Host {
    /// This machine.
    pub(crate) fn this() -> Self {
        Self {
            root: PathBuf::from("/"),
            path: env::var_os("PATH").unwrap_or_default(),
            is_root: rustix::process::geteuid().is_root(),
            is_attended: std::io::stdin().is_terminal() && std::io::stderr().is_terminal(),
        }
    }

    #[cfg(test)]
    pub(crate) fn imagined(root: &Path, is_root: bool, is_attended: bool) -> Self {
        let path = root.join("bin").into_os_string();
        Self {
            root: root.to_owned(),
            path,
            is_root,
            is_attended,
        }
    }

    pub(crate) fn is_root(&self) -> bool {
        self.is_root
    }

    /// An absolute path on this machine.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    /// The absolute folders of the `PATH`.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        env::split_paths(&self.path)
            .filter(|folder| folder.is_absolute())
            .collect()
    }

    /// A program on the `PATH`.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        self.folders()
            .into_iter()
            .map(|folder| folder.join(name))
            .find(|file| is_program(file))
    }

    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("PATH", &self.path);
        command
    }

    /// How commands can be run as root here; None where they can't.
    pub(crate) fn privilege(&self) -> Option<Privilege> {
        if self.is_root {
            return Some(Privilege::Root);
        }
        let sudo = self.program("sudo")?;
        let mut silent = self.command(sudo);
        silent
            .args(["-n", "true"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if silent.status().is_ok_and(|status| status.success()) {
            return Some(Privilege::SilentSudo);
        }
        self.is_attended.then_some(Privilege::AskingSudo)
    }
}

impl Privilege {
    /// The words that stand before a command to run it so.
    pub(crate) fn prefix(self) -> &'static [&'static str] {
        match self {
            Self::Root => &[],
            Self::SilentSudo => &["sudo", "-n"],
            Self::AskingSudo => &["sudo"],
        }
    }

    /// The same, said to a user.
    pub(crate) fn described(self) -> &'static str {
        match self {
            Self::Root => "as root",
            Self::SilentSudo => "through sudo",
            Self::AskingSudo => "through sudo, which may ask for your password",
        }
    }
}

/// Whether a file is there that can be run.
pub(crate) fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}
