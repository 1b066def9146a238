//! Runs an embedded PostgreSQL until it is killed: `embedded_parent DATA_FOLDER [leave-orphan]`.

use std::{io::Write as _, time::Duration};

use pharos_embedded::{Embedded, EmbeddedOptions};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .ok_or_else(|| anyhow::anyhow!("name the data folder"))?;
    let mut options = EmbeddedOptions::new(folder);
    options.die_with_parent = arguments.next().is_none();
    let embedded = Embedded::start(&options)?;
    // One line, once the server answers: its process id and its address.
    let mut output = std::io::stdout().lock();
    writeln!(output, "{} {}", embedded.pid(), embedded.database_url())?;
    output.flush()?;
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
