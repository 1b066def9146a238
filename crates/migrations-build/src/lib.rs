#![doc = include_str!("../README.md")]

pub mod files;

use std::{env, fmt::Write, fs, io, path::Path, process::ExitCode};

use files::Function;

/// Embeds the migrations that lie in `folder`, a path from the crate's manifest. The build fails with a sentence that
/// names the file at fault.
///
/// The list of functions is written to `$OUT_DIR/functions.rs`. The variable `PHAROS_MIGRATIONS_DIGEST` is set to a
/// digest of all files, of 16 hexadecimal digits.
#[must_use]
pub fn embed(folder: &str) -> ExitCode {
    println!("cargo::rerun-if-changed={folder}");
    match written(Path::new(folder)) {
        Ok(digest) => {
            println!("cargo::rustc-env=PHAROS_MIGRATIONS_DIGEST={digest:016x}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

fn written(folder: &Path) -> io::Result<u64> {
    write_list(&files::read(folder)?)?;
    let mut digest = 0xcbf2_9ce4_8422_2325;
    add(folder, &mut digest)?;
    Ok(digest)
}

/// Writes the functions as an expression, which `schema!` includes.
fn write_list(functions: &[Function]) -> io::Result<()> {
    let mut text = "&[\n".to_owned();
    for function in functions {
        let file = fs::canonicalize(&function.file)?;
        writeln!(
            text,
            "Function {{ name: {:?}, text: include_str!({file:?}) }},",
            function.name
        )
        .map_err(io::Error::other)?;
    }
    text.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no OUT_DIR"))?;
    fs::write(Path::new(&out).join("functions.rs"), text)
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
