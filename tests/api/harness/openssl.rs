//! Certificates by OpenSSL, and sites that present them.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use tempfile::TempDir;

/// A folder of certificates and keys made by OpenSSL, which is the reference for what the answers say of them.
pub(crate) struct Vault {
    folder: TempDir,
}

impl Vault {
    /// With an authority of this name in it.
    pub(crate) fn new(authority: &str) -> Self {
        let vault = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        vault.openssl(&format!(
            "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 400 -subj /CN={authority} \
             -keyout root.key -out root.pem"
        ));
        vault
    }

    /// Issues a certificate of this name for 127.0.0.1.
    pub(crate) fn issue(&self, name: &str, key: &str, days: u32) {
        std::fs::write(
            self.folder.path().join("names"),
            "subjectAltName=IP:127.0.0.1,DNS:shop.example",
        )
        .unwrap();
        self.openssl(&format!(
            "req -new -nodes {key} -subj /CN=shop.example/O=Shop -keyout {name}.key -out {name}.csr"
        ));
        self.openssl(&format!(
            "x509 -req -in {name}.csr -CA root.pem -CAkey root.key -days {days} -extfile names -out {name}.pem"
        ));
    }

    /// Has the certificate of this name end at this UTCTime, which none should be: its signature is broken by it.
    pub(crate) fn end_at(&self, name: &str, end: &str) {
        self.openssl(&format!("x509 -in {name}.pem -outform DER -out {name}.der"));
        let mut der = self.read(&format!("{name}.der"));
        // The validity: a SEQUENCE of two UTCTimes of 13 letters.
        let at = der.windows(4).position(|four| four == [0x30, 0x1e, 0x17, 0x0d]);
        let at = at.expect("a validity");
        let (length, grown) = (
            u8::try_from(end.len()).unwrap(),
            u8::try_from(end.len() - 13).unwrap(),
        );
        der.splice(at + 17..at + 32, [&[0x17, length], end.as_bytes()].concat());
        der[at + 1] += grown;
        // The certificate, and what of it is signed.
        for start in [0, 4] {
            assert_eq!(der[start..start + 2], [0x30, 0x82]);
            let length = u16::from_be_bytes([der[start + 2], der[start + 3]]) + u16::from(grown);
            der[start + 2..start + 4].copy_from_slice(&length.to_be_bytes());
        }
        std::fs::write(self.folder.path().join(format!("{name}.der")), der).unwrap();
        self.openssl(&format!("x509 -inform DER -in {name}.der -out {name}.pem"));
    }

    /// Where a file of the folder lies.
    pub(crate) fn path(&self, file: &str) -> String {
        self.folder.path().join(file).to_str().unwrap().to_owned()
    }

    pub(crate) fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.folder.path().join(file)).unwrap()
    }

    /// The output of `openssl`, run in the folder.
    pub(crate) fn openssl(&self, arguments: &str) -> String {
        let output = Command::new("openssl")
            .args(arguments.split_whitespace())
            .current_dir(&self.folder)
            .output()
            .expect("openssl on this machine");
        assert!(
            output.status.success(),
            "openssl {arguments}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }
}

/// `openssl s_server` with a certificate of the vault; it answers with a page of its own.
pub(crate) struct TlsSite {
    child: Child,
    pub(crate) port: u16,
}

impl TlsSite {
    pub(crate) fn start(vault: &Vault, name: &str, options: &[&str]) -> Self {
        let answer = "HTTP/1.0 200 OK\r\nStrict-Transport-Security: max-age=600; preload\r\n\r\nok";
        std::fs::write(vault.folder.path().join("page"), answer).unwrap();
        let mut child = Command::new("openssl")
            .args(["s_server", "-accept", "127.0.0.1:0", "-HTTP", "-alpn", "http/1.1"])
            .args(["-key", &format!("{name}.key"), "-cert", &format!("{name}.pem")])
            .args(options)
            .current_dir(vault.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = lines.find_map(|line| {
            let line = line.unwrap();
            line.strip_prefix("ACCEPT 127.0.0.1:")
                .map(|port| port.parse().unwrap())
        });
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            port: port.expect("openssl s_server says where it listens"),
        }
    }

    /// Nothing answers from here on.
    pub(crate) fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for TlsSite {
    fn drop(&mut self) {
        self.end();
    }
}

/// The rest of the line of OpenSSL's answer that begins with `start`.
pub(crate) fn told(printed: &str, start: &str) -> String {
    let mut lines = printed.lines().map(str::trim);
    let line = lines.find_map(|line| line.strip_prefix(start));
    line.unwrap_or_else(|| panic!("{start} in {printed}")).to_owned()
}
