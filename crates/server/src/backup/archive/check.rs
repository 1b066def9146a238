//! Holds every member against its checksum, before anything is done with the file.

use std::{collections::BTreeMap, fs::File, io::Read};

use anyhow::Context as _;
use pharos_artefacts::key::ArtefactKey;
use pharos_domain::hex::hex;
use ring::digest::{Context, SHA256};

use super::{ARTEFACTS, DUMP, KEYS, MANIFEST, Manifest, Member, Members, SUMS};
use crate::{backup::progress::Progress, restoring::files::KEY_FILES};

/// The largest manifest or list of checksums: of some million artefacts.
const LARGEST: u64 = 512 << 20;
const CHUNK: usize = 64 << 10;

/// A backup that is whole and as it was made.
#[derive(Debug)]
pub(in crate::backup) struct Checked {
    /// Its manifest.
    pub(in crate::backup) manifest: Manifest,
    /// Which keys it has.
    pub(in crate::backup) keys: Vec<&'static str>,
    /// How many artefacts it has.
    pub(in crate::backup) artefacts: usize,
}

/// Reads the whole file. `known` are the versions of the migrations that this program has.
///
/// # Errors
/// It is no backup, one of a newer Pharos, half, or altered.
pub(in crate::backup) fn check(file: &File, known: &[String]) -> anyhow::Result<Checked> {
    let mut progress = Progress::of("checking the file", Some(file.metadata()?.len()));
    let mut archive = Members::archive(file)?;
    let mut members = Members::of(&mut archive)?;
    let mut first = members
        .next()?
        .context("the file is empty: it is no backup of Pharos")?;
    anyhow::ensure!(first.name == MANIFEST, "the file is no backup of Pharos");
    let (json, sum) = kept(&mut first, &mut progress)?;
    let manifest = Manifest::read(&json, known)?;
    let mut sums = BTreeMap::from([(MANIFEST.to_owned(), sum)]);
    let (mut keys, mut artefacts) = (Vec::new(), 0);
    let listed = loop {
        let next = members.next()?;
        let mut member = next.context(
            "the file is half a backup: it ends before its list of checksums; copy or make it again",
        )?;
        if member.name == SUMS {
            break kept(&mut member, &mut progress)?.0;
        }
        match kind(&member.name)? {
            Kind::Dump => {}
            Kind::Key(name) => keys.push(name),
            Kind::Artefact(_) => artefacts += 1,
        }
        let mut digest = Context::new(&SHA256);
        pass(&mut member, &mut progress, |chunk| digest.update(chunk))?;
        let sum = hex(digest.finish().as_ref());
        anyhow::ensure!(
            sums.insert(member.name.clone(), sum).is_none(),
            "the file was altered: it has {} twice",
            member.name
        );
    };
    anyhow::ensure!(
        members.next()?.is_none(),
        "the file was altered: more follows after its end"
    );
    compare(&sums, &listed)?;
    anyhow::ensure!(
        sums.contains_key(DUMP),
        "the file was altered: it has no database"
    );
    Ok(Checked {
        manifest,
        keys,
        artefacts,
    })
}

/// A member, by its name.
pub(in crate::backup) enum Kind {
    /// The dump of the database.
    Dump,
    /// A key.
    Key(&'static str),
    /// An artefact.
    Artefact(ArtefactKey),
}

/// The kind of a member. Only our own names have one, so a foreign name is never a path that is written to.
pub(in crate::backup) fn kind(name: &str) -> anyhow::Result<Kind> {
    if name == DUMP {
        return Ok(Kind::Dump);
    }
    let key = name.strip_prefix(KEYS);
    if let Some(key) = KEY_FILES.into_iter().find(|known| key == Some(*known)) {
        return Ok(Kind::Key(key));
    }
    let artefact = name.strip_prefix(ARTEFACTS).and_then(|key| key.parse().ok());
    let artefact = artefact.with_context(|| format!("the file was altered: no backup has {name:?}"))?;
    Ok(Kind::Artefact(artefact))
}

fn compare(sums: &BTreeMap<String, String>, listed: &[u8]) -> anyhow::Result<()> {
    let listed = std::str::from_utf8(listed).context("the file was altered: its checksums can't be read")?;
    let listed: BTreeMap<&str, &str> = listed
        .lines()
        .filter_map(|line| line.split_once("  ").map(|(sum, name)| (name, sum)))
        .collect();
    for (name, sum) in sums {
        let wanted = listed.get(name.as_str());
        anyhow::ensure!(
            wanted == Some(&sum.as_str()),
            "the file was altered or damaged: {name} is not what its checksum says"
        );
    }
    let missing = listed.keys().find(|name| !sums.contains_key(**name));
    anyhow::ensure!(
        missing.is_none(),
        "the file was altered: {} is missing",
        missing.unwrap_or(&"")
    );
    Ok(())
}

/// A short member, and its digest.
fn kept(member: &mut Member<'_>, progress: &mut Progress) -> anyhow::Result<(Vec<u8>, String)> {
    let mut content = Vec::new();
    pass(&mut member.take(LARGEST), progress, |chunk| {
        content.extend_from_slice(chunk)
    })?;
    let digest = ring::digest::digest(&SHA256, &content);
    Ok((content, hex(digest.as_ref())))
}

fn pass(from: &mut impl Read, progress: &mut Progress, mut each: impl FnMut(&[u8])) -> anyhow::Result<()> {
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = from
            .read(&mut chunk)
            .context("the file is half a backup: copy or make it again")?;
        if read == 0 {
            return Ok(());
        }
        each(&chunk[..read]);
        progress.add(read);
    }
}
