//! Writes the archive.

use std::{
    fs::File,
    io::{self, Write},
    time::{SystemTime, UNIX_EPOCH},
};

use pharos_domain::hex::hex;
use ring::digest::{Context, SHA256};
use tar::{Builder, EntryType, EntryWriter, Header};

use super::{MANIFEST, Manifest, SUMS};

/// An archive that is being written.
pub(in crate::backup) struct ArchiveWriter {
    builder: Builder<File>,
    header: Header,
    sums: String,
}

impl ArchiveWriter {
    /// Begins one, with its manifest.
    pub(in crate::backup) fn begin(file: File, manifest: &Manifest) -> io::Result<Self> {
        let mut archive = Self {
            builder: Builder::new(file),
            header: Header::new_gnu(),
            sums: String::new(),
        };
        let json = serde_json::to_vec_pretty(manifest)?;
        archive.whole(MANIFEST, &json)?;
        Ok(archive)
    }

    /// Begins a member. Its length is taken from what is written.
    pub(in crate::backup) fn member(
        &mut self,
        name: &str,
        modified: SystemTime,
    ) -> io::Result<MemberWriter<'_>> {
        let Self {
            builder,
            header,
            sums,
        } = self;
        *header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o600);
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        header.set_mtime(since.as_secs());
        Ok(MemberWriter {
            name: name.to_owned(),
            entry: builder.append_writer(header, name)?,
            digest: Context::new(&SHA256),
            sums,
        })
    }

    fn whole(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut member = self.member(name, SystemTime::now())?;
        member.write_all(content)?;
        member.finish()
    }

    /// Writes the digests of all members, after which the archive is whole.
    pub(in crate::backup) fn finish(mut self) -> io::Result<File> {
        let sums = std::mem::take(&mut self.sums);
        self.whole(SUMS, sums.as_bytes())?;
        self.builder.into_inner()
    }
}

/// A member that is being written. One that is not finished has no digest.
pub(in crate::backup) struct MemberWriter<'a> {
    name: String,
    entry: EntryWriter<'a>,
    digest: Context,
    sums: &'a mut String,
}

impl Write for MemberWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.entry.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.entry.flush()
    }
}

impl MemberWriter<'_> {
    pub(in crate::backup) fn finish(self) -> io::Result<()> {
        let Self {
            name,
            entry,
            digest,
            sums,
        } = self;
        entry.finish()?;
        // As sha256sum writes it.
        sums.push_str(&format!("{}  {name}\n", hex(digest.finish().as_ref())));
        Ok(())
    }
}
