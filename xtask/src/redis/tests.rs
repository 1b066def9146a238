//! Installing Redis on an imagined machine.

use super::bring;
use crate::{
    bring::imagined::{calls, debian},
    host::Host,
};

#[test]
fn redis_is_installed_without_a_service() {
    let root = tempfile::tempdir().unwrap();
    let server = root.path().join("bin/redis-server");
    let server = server.display();
    let installation = format!(
        "printf '#!/bin/sh\\necho \"Redis server v=7.0.15 sha=0\"\\n' > {server}; chmod 755 {server}"
    );
    debian(root.path(), "5:7.0.15-1~deb12u10", &installation);
    let found = bring(&Host::imagined(root.path(), true, false)).unwrap();
    assert_eq!(found.version, "7.0.15");
    let calls = calls(root.path());
    let at = |start: &str| calls.iter().position(|call| call.starts_with(start));
    let installed = at("apt-get -o DPkg::Lock::Timeout=120 install").unwrap();
    assert!(calls[installed].ends_with(" redis-server"));
    let policy = root.path().join("usr/sbin/policy-rc.d");
    let policy = policy.display();
    assert!(at(&format!("install -D -m 755 /dev/stdin {policy}")) < Some(installed));
    assert!(at("exit 101") < Some(installed));
    assert!(at(&format!("rm -f {policy}")) > Some(installed));
    assert!(at("update-rc.d redis-server disable") > Some(installed));
}
