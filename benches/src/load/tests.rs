//! The generator, against servers that count what they get.

use std::{
    collections::HashMap,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use super::*;

/// How often each request came.
type Received = Arc<Mutex<HashMap<String, u64>>>;

/// Answers one-line requests, in two pieces; the request `refuse` by 429.
fn server() -> (SocketAddr, Received) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let (address, received) = (listener.local_addr().unwrap(), Received::default());
    let counts = Arc::clone(&received);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let counts = Arc::clone(&counts);
            thread::spawn(move || answer(stream.unwrap(), &counts));
        }
    });
    (address, received)
}

fn answer(mut stream: TcpStream, counts: &Mutex<HashMap<String, u64>>) {
    let mut bytes = [0; 64];
    while let Ok(read @ 1..) = stream.read(&mut bytes) {
        let request = String::from_utf8_lossy(&bytes[..read]).into_owned();
        let status = if request == "refuse" { 429 } else { 200 };
        *counts.lock().unwrap().entry(request).or_default() += 1;
        for piece in [
            &format!("HTTP/1.1 {status} X\r\ncontent-le")[..],
            "ngth: 3\r\n\r\nyes",
        ] {
            if stream.write_all(piece.as_bytes()).is_err() {
                return;
            }
        }
    }
}

fn requests(names: &[&str]) -> Vec<Vec<u8>> {
    names.iter().map(|name| name.as_bytes().to_vec()).collect()
}

fn load(address: SocketAddr, requests: &[Vec<u8>], connections: usize) -> Load<'_> {
    Load {
        address,
        requests,
        connections,
        warm_up: Duration::from_millis(50),
        counted: Duration::from_millis(200),
    }
}

#[test]
fn every_request_is_sent_and_every_answer_is_awaited() {
    let (address, received) = server();
    let sample = load(address, &requests(&["a", "b", "c", "d", "e"]), 3)
        .run()
        .unwrap();
    let received = received.lock().unwrap();
    assert_eq!(received.len(), 5);
    assert_eq!(received.values().sum::<u64>(), sample.answered);
    assert!(sample.rate > 0.0 && sample.rate * 0.2 < sample.answered as f64);
    assert!(0.0 < sample.p50_ms && sample.p50_ms <= sample.p99_ms);
}

#[test]
fn a_refusal_is_an_error() {
    let (address, _) = server();
    let error = load(address, &requests(&["a", "refuse"]), 1).run().unwrap_err();
    assert!(error.to_string().contains("HTTP/1.1 429 X"), "{error}");
}

#[test]
fn refusals_are_counted_where_they_are_looked_for() {
    let (address, received) = server();
    let (sample, refused) = load(address, &requests(&["a", "refuse"]), 2)
        .run_past_refusals()
        .unwrap();
    let received = received.lock().unwrap();
    assert_eq!(
        (received["a"], received["refuse"]),
        (sample.answered - refused, refused)
    );
}

#[test]
fn a_server_that_is_not_there_is_an_error() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    assert!(load(address, &requests(&["a"]), 1).run().is_err());
}

#[test]
fn connections_share_no_request_while_there_are_enough() {
    let address = ([127, 0, 0, 1], 1).into();
    let many = vec![Vec::new(); 1_000];
    let all: Vec<usize> = load(address, &many, 64).shares().into_iter().flatten().collect();
    assert_eq!(all, (0..1_000).collect::<Vec<_>>());
    let few = load(address, &many[..50], 64).shares();
    assert_eq!(few.len(), 64);
    assert!(few.iter().all(|share| share.len() == 1 && share.end <= 50));
}
