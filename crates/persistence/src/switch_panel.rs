//! Which switches are thrown, as this node last heard.

use std::sync::atomic::{AtomicU8, Ordering};

use pharos_domain::switches::Switches;

const API_DISABLED: u8 = 1;
const READ_ONLY_MODE: u8 = 2;

/// The switches in memory. A [`Listener`](crate::listener::Listener) keeps it; every request reads it.
#[derive(Debug, Default)]
pub struct SwitchPanel(AtomicU8);

impl SwitchPanel {
    /// Which switches are thrown.
    #[must_use]
    pub fn switches(&self) -> Switches {
        let bits = self.0.load(Ordering::SeqCst);
        Switches {
            api_disabled: bits & API_DISABLED != 0,
            read_only_mode: bits & READ_ONLY_MODE != 0,
        }
    }

    /// Takes over what the store says.
    pub fn set(&self, switches: Switches) {
        let Switches {
            api_disabled,
            read_only_mode,
        } = switches;
        let bits = u8::from(api_disabled) * API_DISABLED + u8::from(read_only_mode) * READ_ONLY_MODE;
        self.0.store(bits, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_what_was_set() {
        let panel = SwitchPanel::default();
        for (api_disabled, read_only_mode) in [(false, false), (true, false), (false, true), (true, true)] {
            let switches = Switches {
                api_disabled,
                read_only_mode,
            };
            panel.set(switches);
            assert_eq!(panel.switches(), switches);
        }
    }
}
