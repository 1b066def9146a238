//! Lists the files of SQL functions of each group, so that they are embedded without a list by hand. The migrations are
//! embedded by a macro, which cargo does not see reading them. The digest of both names the template that test databases
//! are cloned from.

mod groups;

use std::{env, fmt::Write, fs, io, path::Path, process::ExitCode};

use groups::Group;

const MIGRATIONS: &str = "../../migrations";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed={MIGRATIONS}");
    match embed() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

fn embed() -> io::Result<()> {
    for group in groups::read(Path::new(MIGRATIONS))? {
        list(&group)?;
    }
    let mut digest = 0xcbf2_9ce4_8422_2325;
    add(Path::new(MIGRATIONS), &mut digest)?;
    println!("cargo::rustc-env=PHAROS_MIGRATIONS_DIGEST={digest:016x}");
    Ok(())
}

/// Writes a group's functions as an expression, which `migrate` includes.
fn list(group: &Group) -> io::Result<()> {
    let mut text = "&[\n".to_owned();
    for function in &group.functions {
        let file = fs::canonicalize(&function.file)?;
        let line = format!(
            "Function {{ name: {:?}, text: include_str!({file:?}) }},",
            function.name
        );
        writeln!(text, "{line}").map_err(io::Error::other)?;
    }
    text.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no OUT_DIR"))?;
    fs::write(Path::new(&out).join(format!("{}.rs", group.name)), text)
}

/// Adds what lies in a folder, by name, to a digest (FNV-1a, 64 bits).
fn add(folder: &Path, digest: &mut u64) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        mix(path.as_os_str().as_encoded_bytes(), digest);
        if path.is_dir() {
            add(&path, digest)?;
        } else {
            mix(&fs::read(&path)?, digest);
        }
    }
    Ok(())
}

fn mix(bytes: &[u8], digest: &mut u64) {
    for byte in bytes {
        *digest = (*digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
