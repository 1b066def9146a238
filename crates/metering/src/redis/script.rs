//! Scripts by their digest, so that their text travels once.

use ::redis::{Cmd, ErrorKind, FromRedisValue, ServerErrorKind};
use pharos_domain::hex::hex;
use ring::digest;

use super::{Failure, Redis};

/// A Lua script that runs on the server, as one step.
#[derive(Debug)]
pub(crate) struct Script {
    text: &'static str,
    /// SHA-1 in hexadecimal: the name that Redis gives it.
    digest: String,
}

impl Script {
    pub(crate) fn new(text: &'static str) -> Self {
        let digest = digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, text.as_bytes());
        Self {
            text,
            digest: hex(digest.as_ref()),
        }
    }

    /// The command that runs it, for a server that knows it.
    pub(crate) fn command(&self, keys: &[&str], argument: &[u8]) -> Cmd {
        self.run("EVALSHA", &self.digest, keys, argument)
    }

    fn run(&self, how: &str, what: &str, keys: &[&str], argument: &[u8]) -> Cmd {
        let size = keys.iter().map(|key| key.len()).sum::<usize>() + argument.len() + what.len() + 16;
        let mut command = Cmd::with_capacity(keys.len() + 4, size);
        command.arg(how).arg(what).arg(keys.len());
        for key in keys {
            command.arg(key);
        }
        command.arg(argument);
        command
    }
}

impl Redis {
    /// Runs a script. A server that does not know it yet is told its text.
    pub(crate) async fn run<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[&str],
        argument: &[u8],
    ) -> Result<T, Failure> {
        match self.ask(&script.command(keys, argument)).await {
            Err(Failure::Refused(error)) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                self.ask(&script.run("EVAL", script.text, keys, argument)).await
            }
            reply => reply,
        }
    }
}
