//! For the tests: Debian-like machines whose programs write down how they were called.

use std::{fs, path::Path};

use crate::script::script;

/// A machine whose apt offers `candidate`, and whose installation is the shell command `installation`.
pub(crate) fn debian(root: &Path, candidate: &str, installation: &str) {
    let log = root.join("calls");
    let log = log.display();
    let bin = root.join("bin");
    let noted = |name: &str, body: &str| {
        script(&bin.join(name), &format!("echo \"{name} $*\" >> {log}\n{body}"));
    };
    noted(
        "apt-get",
        &format!(
            "case \"$*\" in *update*) exit 0;; esac\n\
             echo \"frontend $DEBIAN_FRONTEND\" >> {log}\n\
             PATH=/usr/bin:/bin\n\
             {installation}"
        ),
    );
    noted("install", &format!("/bin/cat >> {log}"));
    noted("rm", "exit 0");
    noted("update-rc.d", "exit 0");
    script(&bin.join("sh"), "exec /bin/sh \"$@\"");
    script(&bin.join("grep"), "exec /bin/grep \"$@\"");
    script(
        &bin.join("apt-cache"),
        &format!("case \"$1\" in policy) printf '  Installed: (none)\\n  Candidate: {candidate}\\n';; esac"),
    );
}

/// Adds a sudo that asks for no password, or for one.
pub(crate) fn sudo(root: &Path, silent: bool) {
    let refusal = if silent { "" } else { "[ \"$1\" = -n ] && exit 1" };
    let noted = format!("echo \"sudo $*\" >> {}", root.join("calls").display());
    script(
        &root.join("bin/sudo"),
        &format!("{refusal}\n{noted}\n[ \"$1\" = -n ] && shift\n[ \"$1\" = true ] && exit 0\nexec \"$@\""),
    );
}

/// The commands that were called so far.
pub(crate) fn calls(root: &Path) -> Vec<String> {
    fs::read_to_string(root.join("calls"))
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}
