//! The migrations are embedded by a macro, which cargo does not see reading them. Their digest names the template
//! that test databases are cloned from.

use std::{fs, io, path::Path};

const MIGRATIONS: &str = "../../migrations";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed={MIGRATIONS}");
    let mut digest = 0xcbf2_9ce4_8422_2325;
    add(Path::new(MIGRATIONS), &mut digest)?;
    println!("cargo:rustc-env=PHAROS_MIGRATIONS_DIGEST={digest:016x}");
    Ok(())
}

/// Adds what lies in a folder, by name, to a digest (FNV-1a, 64 bits).
fn add(folder: &Path, digest: &mut u64) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            add(&path, digest)?;
            continue;
        }
        let content = fs::read(&path)?;
        let name = entry.file_name();
        for byte in name.as_encoded_bytes().iter().chain(&content) {
            *digest = (*digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    Ok(())
}
