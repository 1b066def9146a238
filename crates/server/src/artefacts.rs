//! Artefacts on a node: where they lie, who signs links to them, the route that serves them; and the key of secrets.

use std::{
    fs::{self, OpenOptions},
    io::{ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::Arc,
};

use actix_web::{
    HttpResponse,
    http::header,
    web::{self, Data, ServiceConfig},
};
use anyhow::Context;
use pharos_artefacts::{
    bucket::S3Bucket,
    key::ArtefactKey,
    links::{LinkFault, Links, PATH},
    store::Artefacts,
};
use pharos_domain::{clock::Clock, hex::hex, ports::Ports, sealing::SealingKey, secret::Secret};
use pharos_synthetic::profile::LabPlace;
use ring::digest::{SHA256, digest};
use serde::Deserialize;

use crate::{config::Config, groups::bucket};

/// The name of the shared secret that signs links.
pub const LINK_SECRET: &str = "links to artefacts";
/// The file of the key of secrets in the data folder.
pub(crate) const KEY_FILE: &str = "secret.key";

/// The parts of a node that keep what is not in the database.
#[derive(Clone, Copy, Debug)]
pub struct Keeping<'a> {
    /// The data folder.
    pub folder: &'a Path,
    /// Where artefacts lie.
    pub artefacts: &'a Artefacts,
    /// The key of secrets; `None`: it lies in the data folder.
    pub secret_key: Option<&'a Secret>,
    /// Signs links: the same on all nodes.
    pub link_secret: &'a [u8; 32],
    /// The address that links begin with.
    pub base_url: &'a str,
    /// Where pages are measured from.
    pub place: &'a LabPlace,
}

impl Keeping<'_> {
    /// The ports with those of these parts.
    ///
    /// # Errors
    /// The data folder can't be used, or the key is none.
    pub fn add_to(&self, ports: Ports) -> anyhow::Result<Ports> {
        Ok(ports
            .with(Arc::new(self.artefacts.clone()))
            .with(Arc::new(Links::new(self.link_secret, self.base_url)))
            .with(Arc::new(self.sealing_key()?))
            .with(Arc::new(self.place.clone())))
    }

    fn sealing_key(&self) -> anyhow::Result<SealingKey> {
        let key = match self.secret_key {
            Some(key) => key.reveal().to_owned(),
            None => key_of_file(&self.folder.join(KEY_FILE))?,
        };
        SealingKey::of_text(&key).context("secret_key")
    }
}

/// The store of artefacts: the bucket that is set, else the folder.
///
/// # Errors
/// The folder can't be used, or a setting of the bucket can't be what it says.
pub fn open(config: &Config) -> anyhow::Result<Artefacts> {
    match bucket(config)? {
        Some(bucket) => in_bucket(&bucket),
        None => {
            let folder = config.artefacts_folder();
            Artefacts::in_folder(&folder).with_context(|| folder.display().to_string())
        }
    }
}

/// The store of artefacts in a bucket, which is not asked for anything yet.
///
/// # Errors
/// A setting of the bucket can't be what it says.
pub(crate) fn in_bucket(bucket: &S3Bucket) -> anyhow::Result<Artefacts> {
    Artefacts::in_bucket(bucket).with_context(|| format!("artefacts_bucket {}", bucket.name))
}

/// A digest of the key that seals secrets, which tells it from others and says nothing of it; `None`: there is none yet.
///
/// # Errors
/// The file of the key can't be read.
pub(crate) fn fingerprint(config: &Config) -> anyhow::Result<Option<String>> {
    if let Some(key) = &config.secret_key {
        return Ok(Some(fingerprint_of(key.reveal())));
    }
    let file = config.data_folder.join(KEY_FILE);
    match fs::read_to_string(&file) {
        Ok(key) => Ok(Some(fingerprint_of(&key))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| file.display().to_string()),
    }
}

/// The same of a key.
pub(crate) fn fingerprint_of(key: &str) -> String {
    let digest = digest(&SHA256, format!("pharos sealing key {}", key.trim()).as_bytes());
    hex(&digest.as_ref()[..8])
}

/// The key in a file, which the first start makes, for nobody else to read.
fn key_of_file(file: &Path) -> anyhow::Result<String> {
    let name = || file.display().to_string();
    match fs::read_to_string(file) {
        Ok(key) => return Ok(key),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(name),
    }
    let key = SealingKey::generate()?;
    // Written whole under another name: a node that starts meanwhile reads no half of it.
    let draft = file.with_extension(format!("draft-{}", std::process::id()));
    let mut written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&draft)
        .with_context(name)?;
    written.write_all(key.as_bytes()).with_context(name)?;
    written.sync_all().with_context(name)?;
    // Where another was faster its key counts.
    let made = fs::hard_link(&draft, file);
    fs::remove_file(&draft).with_context(name)?;
    match made {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => fs::read_to_string(file).with_context(name),
        Err(error) => Err(error).with_context(name),
    }
}

/// The parts of the route.
#[derive(Clone, Debug)]
struct Served {
    artefacts: Arc<Artefacts>,
    links: Arc<Links>,
    clock: ServedClock,
}

#[derive(Clone)]
struct ServedClock(Arc<dyn Clock>);

impl std::fmt::Debug for ServedClock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Clock")
    }
}

/// The parameters of a link beside the key.
#[derive(Debug, Deserialize)]
struct LinkQuery {
    until: i64,
    signature: String,
}

/// Mounts the route of artefacts, which needs no credential: the link is one.
pub(crate) fn configure(
    config: &mut ServiceConfig,
    artefacts: Arc<Artefacts>,
    links: Arc<Links>,
    clock: Arc<dyn Clock>,
) {
    let served = Served {
        artefacts,
        links,
        clock: ServedClock(clock),
    };
    config.service(
        web::resource(format!("{PATH}/{{key:.+}}"))
            .app_data(Data::new(served))
            .route(web::get().to(serve))
            .route(web::head().to(serve)),
    );
}

async fn serve(
    key: web::Path<String>,
    query: Option<web::Query<LinkQuery>>,
    served: Data<Served>,
) -> HttpResponse {
    let refuse = |mut response: actix_web::HttpResponseBuilder, why: &'static str| {
        response
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .content_type("text/plain; charset=utf-8")
            .body(why)
    };
    let Some((key, query)) = key.parse::<ArtefactKey>().ok().zip(query) else {
        return refuse(HttpResponse::NotFound(), "There is nothing here.");
    };
    let now = served.clock.0.now();
    match served.links.judge(&key, query.until, &query.signature, now) {
        Ok(()) => {}
        Err(LinkFault::Forged) => {
            return refuse(
                HttpResponse::Forbidden(),
                "This is no link of ours, or it was altered.",
            );
        }
        Err(LinkFault::Expired) => {
            return refuse(
                HttpResponse::Gone(),
                "The link has expired. Ask the API for a new one.",
            );
        }
    }
    match served.artefacts.get(&key).await {
        Ok(Some(content)) => {
            let (name, media_type) = (
                key.as_str().rsplit('/').next().unwrap_or_default(),
                content_type(&key),
            );
            // Pictures are shown where a page names them; whatever else there is, is saved.
            let disposition = if media_type.starts_with("image/") {
                "inline"
            } else {
                "attachment"
            };
            HttpResponse::Ok()
                .insert_header((header::CACHE_CONTROL, format!("private, max-age={}", query.until - now.unix_timestamp())))
                .insert_header((header::CONTENT_DISPOSITION, format!("{disposition}; filename=\"{name}\"")))
                .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
                .insert_header((header::REFERRER_POLICY, "no-referrer"))
                // Whatever lies there runs nothing in the name of this host.
                .insert_header((
                    header::CONTENT_SECURITY_POLICY,
                    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'",
                ))
                .content_type(media_type)
                .body(content)
        }
        Ok(None) => refuse(HttpResponse::Gone(), "It is no longer kept."),
        Err(error) => {
            tracing::error!(%key, %error, "an artefact can't be read");
            refuse(HttpResponse::BadGateway(), "The store of artefacts failed.")
        }
    }
}

/// The media type, by the end of the key.
fn content_type(key: &ArtefactKey) -> &'static str {
    match key.as_str().rsplit('.').next() {
        Some("jpg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("png") => "image/png",
        Some("json") => "application/json",
        Some("html") => "text/html; charset=utf-8",
        Some("csv") => "text/csv; charset=utf-8",
        Some("pdf") => "application/pdf",
        Some("gz") => "application/gzip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_made_once_and_for_nobody_else_to_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("pharos-key-{}", uuid::Uuid::now_v7()));
        fs::create_dir(&folder).unwrap();
        let file = folder.join(KEY_FILE);
        let key = key_of_file(&file).unwrap();
        assert!(SealingKey::of_text(&key).is_ok());
        assert_eq!(key_of_file(&file).unwrap(), key);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no draft stays");
        fs::remove_dir_all(&folder).unwrap();
    }
}
