//! Programs that a task waits for: signals reach them, and the task can clean up after them.

use std::{
    os::unix::process::CommandExt,
    process::{Command, ExitCode, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

/// Runs one program after another. From its making on, Ctrl-C and SIGTERM no longer end the task: they go
/// to the program that runs, and the task goes on to its clean-up.
pub(crate) struct Children {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// The process group of the program that runs.
    running: Option<Pid>,
    /// The first signal that came.
    interrupted_by: Option<i32>,
}

impl Children {
    pub(crate) fn watched() -> Result<Self> {
        let state = Arc::new(Mutex::new(State::default()));
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM]).context("signals can't be watched")?;
        let seen = Arc::clone(&state);
        thread::spawn(move || {
            for number in signals.forever() {
                let mut state = seen.lock().unwrap_or_else(PoisonError::into_inner);
                state.interrupted_by.get_or_insert(number);
                if let Some(group) = state.running {
                    pass_on(group, number);
                }
            }
        });
        Ok(Self { state })
    }

    /// The task's exit status after a program that ended so: as a shell tells that a signal ended a program, else
    /// the program's own.
    pub(crate) fn exit_code(&self, status: ExitStatus) -> ExitCode {
        match (self.lock().interrupted_by, status.code()) {
            (Some(signal), _) => ExitCode::from(u8::try_from(128 + signal).unwrap_or(1)),
            (None, code) => ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        }
    }

    /// Runs a program to its end in a process group of its own, so that a signal reaches all that it
    /// starts: cargo alone would end and leave its tests running. Its input is empty.
    pub(crate) fn run(&self, command: &mut Command) -> Result<ExitStatus> {
        let mut state = self.lock();
        let mut child = command.stdin(Stdio::null()).process_group(0).spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        state.running = group;
        if let (Some(group), Some(number)) = (group, state.interrupted_by) {
            pass_on(group, number);
        }
        drop(state);
        let status = child.wait();
        self.lock().running = None;
        Ok(status?)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn pass_on(group: Pid, number: i32) {
    let signal = match number {
        SIGINT => Signal::INT,
        SIGHUP => Signal::HUP,
        _ => Signal::TERM,
    };
    // It may have ended by itself meanwhile.
    let _ = kill_process_group(group, signal);
}

#[cfg(test)]
mod tests {
    use std::{
        process::{Command, ExitCode},
        thread,
        time::{Duration, Instant},
    };

    use rustix::process::{Signal, getpid, kill_process};

    use super::Children;

    #[test]
    fn a_signal_ends_the_program_and_all_that_it_started_but_not_the_task() {
        let children = Children::watched().unwrap();
        let signalling = thread::spawn(|| {
            thread::sleep(Duration::from_millis(300));
            kill_process(getpid(), Signal::TERM).unwrap();
        });
        let began = Instant::now();
        let status = children
            .run(Command::new("sh").args(["-c", "sleep 30 & wait"]))
            .unwrap();
        signalling.join().unwrap();
        assert!(!status.success());
        assert!(began.elapsed() < Duration::from_secs(20));
        assert_eq!(children.exit_code(status), ExitCode::from(128 + 15));
        // A child that begins after an interruption is interrupted as well.
        assert!(!children.run(Command::new("sleep").arg("30")).unwrap().success());
    }
}
