//! A machine whose clock is a day behind, to whoever runs on it.

use std::{path::PathBuf, process::Command};

/// A library that a process loads so that its clock is a day behind. The C compiler is there, since Rust links by it.
pub(crate) struct ClockBehind {
    folder: tempfile::TempDir,
}

impl ClockBehind {
    pub(crate) fn new() -> Self {
        let clock = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/api/harness/clock_behind.c");
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .args([clock.library(), source.into()])
            .status()
            .unwrap();
        assert!(built.success(), "cc builds {source}");
        let seconds = |command: &mut Command| -> i64 {
            let told = command.arg("+%s").output().unwrap();
            String::from_utf8(told.stdout).unwrap().trim().parse().unwrap()
        };
        let behind = seconds(Command::new("date").env("LD_PRELOAD", clock.library()));
        let off = seconds(&mut Command::new("date")) - behind;
        assert!((86_400..172_800).contains(&off), "the clock is {off} s behind");
        clock
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("clock_behind.so")
    }

    /// The variable in the environment of a node that runs by this clock.
    pub(crate) fn environment(&self) -> (&'static str, String) {
        ("LD_PRELOAD", self.library().display().to_string())
    }
}
