//! The real binary as a process.

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// The program `pharos`: what `PHAROS_BIN` names, or what cargo built beside the tests.
pub(crate) fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("PHAROS_BIN") {
        return path.into();
    }
    let tests = std::env::current_exe().unwrap();
    let built = tests.parent().unwrap().parent().unwrap().join("pharos");
    assert!(
        built.exists(),
        "{} is missing; run `cargo xtask test`",
        built.display()
    );
    built
}

/// An address of this machine that nobody listens on now.
pub(crate) fn free_address() -> SocketAddr {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    socket.local_addr().unwrap()
}

/// Whether a node answers there. Its socket is there before that, while its database starts.
fn answers_at(address: SocketAddr) -> bool {
    let mut answer = [0; 5];
    TcpStream::connect(address)
        .and_then(|mut stream| {
            stream.set_read_timeout(Some(Duration::from_secs(30)))?;
            stream.write_all(b"GET /livez HTTP/1.0\r\n\r\n")?;
            stream.read_exact(&mut answer)
        })
        .is_ok_and(|()| &answer == b"HTTP/")
}

/// A node of its own process. Killed when dropped.
pub(crate) struct Node {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) lines: Vec<String>,
}

impl Node {
    /// Starts a node and waits until it answers, unless all that it does is to schedule.
    pub(crate) fn start(arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::start_at(free_address(), arguments, environment)
    }

    /// The same with a log in a file, where a test reads it.
    pub(crate) fn start_logging(arguments: &[&str], environment: &[(&str, &str)], log: File) -> Self {
        Self::spawn(free_address(), arguments, environment, log.into())
    }

    /// The same at an address.
    pub(crate) fn start_at(address: SocketAddr, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::spawn(address, arguments, environment, Stdio::inherit())
    }

    fn spawn(address: SocketAddr, arguments: &[&str], environment: &[(&str, &str)], log: Stdio) -> Self {
        let mut command = Command::new(binary());
        command
            .arg("serve")
            .args(["--listen", &address.to_string()])
            .args(arguments)
            // Nothing answers there: no test asks IANA.
            .env("PHAROS_RDAP_BOOTSTRAP_URL", "http://127.0.0.1:9/dns.json");
        command
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(log);
        let mut child = command.spawn().unwrap();
        let mut lines = Vec::new();
        if arguments.contains(&"--demo") {
            let mut reader = BufReader::new(child.stdout.take().unwrap());
            while !lines.iter().any(|line: &String| line.contains("Ctrl-C")) {
                let mut line = String::new();
                assert!(
                    reader.read_line(&mut line).unwrap() > 0,
                    "the node ended: {lines:?}"
                );
                lines.push(line);
            }
        }
        let mut node = Self {
            child,
            address,
            lines,
        };
        let deadline = Instant::now() + Duration::from_secs(30);
        let answers = !arguments.contains(&"scheduler");
        while answers && !answers_at(address) {
            if let Some(status) = node.child.try_wait().unwrap() {
                panic!("the node ended before it answered: {status}");
            }
            assert!(Instant::now() < deadline, "the node does not answer");
            std::thread::sleep(Duration::from_millis(5));
        }
        node
    }

    pub(crate) fn signal(&self, name: &str) {
        let done = Command::new("kill")
            .args([format!("-{name}"), self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(done.success());
    }

    /// How many bytes of memory it has, without the pages of files, such as those of its own program.
    pub(crate) fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let mut lines = status.lines();
        let size = lines.find_map(|line| line.strip_prefix("RssAnon:")?.strip_suffix("kB"));
        size.unwrap().trim().parse::<usize>().unwrap() * 1024
    }

    /// Waits until it answers nobody any more: by then all of it has heard that it is to end.
    pub(crate) fn closes(&self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while TcpStream::connect(self.address).is_ok() {
            assert!(Instant::now() < deadline, "the node still answers");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for the end, and gives the exit code.
    pub(crate) fn end(mut self, within: Duration) -> Option<i32> {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(
                Instant::now() < deadline,
                "the node did not end within {within:?}"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
