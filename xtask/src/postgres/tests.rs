//! Installing PostgreSQL on an imagined machine.

use super::bring;
use crate::{
    bring::imagined::{calls, debian},
    host::Host,
};

#[test]
fn postgresql_is_installed_without_a_cluster() {
    let root = tempfile::tempdir().unwrap();
    let server = root.path().join("usr/lib/postgresql/17/bin");
    let server = server.display();
    let installation = format!(
        "mkdir -p {server}; printf '#!/bin/sh\\necho \"postgres (PostgreSQL) 17.2\"\\n' > {server}/postgres; \
         cp {server}/postgres {server}/initdb; chmod 755 {server}/postgres {server}/initdb"
    );
    debian(root.path(), "17+248", &installation);
    let found = bring(&Host::imagined(root.path(), true, false)).unwrap();
    assert_eq!(found.version, "17.2");
    let no_cluster = root
        .path()
        .join("etc/postgresql-common/createcluster.d/pharos-xtask.conf");
    let no_cluster = no_cluster.display();
    assert_eq!(
        calls(root.path()),
        [
            "apt-get -o DPkg::Lock::Timeout=120 update -q".to_owned(),
            format!("install -D -m 644 /dev/stdin {no_cluster}"),
            "# pharos-xtask".to_owned(),
            "create_main_cluster = false".to_owned(),
            "apt-get -o DPkg::Lock::Timeout=120 install -q -y --no-install-recommends postgresql".to_owned(),
            "frontend noninteractive".to_owned(),
            format!("rm -f {no_cluster}"),
        ]
    );
}
