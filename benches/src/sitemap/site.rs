//! The site: a process of its own that sends the files of a day.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use anyhow::{Context, Result, bail};

use super::files::Day;

/// The arguments of the process that sends files.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Where the days' folders are
    folder: PathBuf,
}

/// Sends files until the parent is gone. It says its address in a line, is told in a line which day it is, and says so again.
pub(crate) fn run(args: &Args) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    say(&listener.local_addr()?.to_string())?;
    let day = Arc::new(Mutex::new(String::new()));
    let (folder, shown) = (args.folder.clone(), Arc::clone(&day));
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.join(&*shown.lock().unwrap_or_else(PoisonError::into_inner));
            // Whoever hangs up has the answer, or wants none.
            thread::spawn(move || drop(answer(&stream, &folder)));
        }
    });
    for line in io::stdin().lines() {
        let line = line?;
        *day.lock().unwrap_or_else(PoisonError::into_inner) = line.clone();
        say(&line)?;
    }
    Ok(())
}

fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout();
    writeln!(output, "{line}")?;
    output.flush()
}

/// Answers one request. A connection is closed behind it.
fn answer(mut stream: &TcpStream, folder: &Path) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let is_plain = !path.contains("..");
    let file = File::open(folder.join(path.trim_start_matches('/')))
        .ok()
        .filter(|file| is_plain && file.metadata().is_ok_and(|found| found.is_file()));
    let Some(mut file) = file else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    };
    let kind = if path.ends_with(".xml") {
        "application/xml"
    } else {
        "text/plain"
    };
    let length = file.metadata()?.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    io::copy(&mut file, &mut stream).map(|_| ())
}

/// The running site. Dropped, it is gone.
pub(super) struct Site {
    process: Child,
    said: BufReader<ChildStdout>,
    pub(super) address: SocketAddr,
}

impl Site {
    /// Starts it, and returns once it listens.
    pub(super) fn start(folder: &Path) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("sitemap-site")
            .arg(folder)
            // Its end is the child's: so it lives no longer than we do.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .context("the site can't be started")?;
        let said = process.stdout.take().context("the site says nothing")?;
        let mut said = BufReader::new(said);
        let mut line = String::new();
        said.read_line(&mut line)?;
        let Ok(address) = line.trim().parse() else {
            let _ = process.kill();
            bail!("the site did not start ({})", process.wait()?);
        };
        Ok(Self {
            process,
            said,
            address,
        })
    }

    /// The address of its root.
    pub(super) fn base(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Has it send the files of a day from now on.
    pub(super) fn show(&mut self, day: Day) -> Result<()> {
        let input = self.process.stdin.as_mut().context("a site that hears nothing")?;
        writeln!(input, "{}", day.name()).context("the site is gone")?;
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        if line.trim() != day.name() {
            bail!("the site does not know the day");
        }
        Ok(())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
