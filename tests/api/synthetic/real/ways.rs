//! The ways that lead out of a page beside plain requests. Each is tried, as the page tells, and leads to no address that is refused.

use std::{io::ErrorKind, net::UdpSocket, sync::atomic::Ordering};

use pharos_egress::{address_policy::AddressPolicy, resolver::NameResolver};
use pharos_synthetic::{
    lab::{MOST_BYTES, proxy::Proxy},
    lhr,
};

use super::{
    ends::{ENOUGH, order, told},
    secrets::{Host, answer},
    site,
};

/// A page that tries all ways, and tells its site of each that has ended.
const TRIES: &str = r#"<!doctype html><html lang="en"><head><title>Ways</title></head><body><h1>Ways</h1><script>
const tell = (way) => fetch('/told/' + way).catch(() => {});
fetch('http://DIRECT/').catch(() => tell('direct'));
new WebSocket('ws://SOCKET/').onerror = () => tell('socket');
navigator.serviceWorker.register('/worker.js');
new WebTransport('https://DATAGRAMS/').ready.catch(() => tell('transport'));
const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:DATAGRAMS'}]});
peer.createDataChannel('data');
peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && tell('call');
peer.createOffer().then((offer) => peer.setLocalDescription(offer));
</script></body></html>"#;

const WORKER: &str = "fetch('http://WORKER/').catch(() => fetch('/told/worker').catch(() => {}));";

#[tokio::test(flavor = "multi_thread")]
async fn sockets_service_workers_and_calls_are_tried_and_come_to_nobody() {
    let inside = [site(&[]).await, site(&[]).await, site(&[]).await];
    let [direct, socket, worker] = inside.each_ref().map(|(address, _)| *address);
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    datagrams.set_nonblocking(true).unwrap();
    let page = TRIES
        .replace("DIRECT", &direct.to_string())
        .replace("SOCKET", &socket.to_string())
        .replace("DATAGRAMS", &datagrams.local_addr().unwrap().to_string());
    let script = WORKER.replace("WORKER", &worker.to_string());
    let host = Host::open("127.0.0.1", move |head| {
        if head.starts_with("GET /worker.js ") {
            answer("text/javascript", &script)
        } else {
            answer("text/html", &page)
        }
    })
    .await;
    let policy = AddressPolicy::public().permitting_exactly(host.address);
    let proxy = Proxy::start(NameResolver::system().unwrap(), policy, MOST_BYTES)
        .await
        .unwrap();
    let work = std::env::temp_dir().join(format!("pharos-lab-ways-{}", std::process::id()));
    std::fs::create_dir_all(&work).unwrap();
    let result = told(&work, &order(proxy.address(), host.address, &work, ENOUGH)).await;
    let summary = lhr::read(result.as_bytes()).unwrap().summary;
    assert_eq!(summary.runtime_error, None);

    for way in ["direct", "socket", "worker", "transport", "call"] {
        assert!(
            !host.heads(&format!("/told/{way}")).is_empty(),
            "{way} was not tried"
        );
    }
    let refused = proxy.refused();
    for (way, address) in [("direct", direct), ("socket", socket), ("worker", worker)] {
        assert!(refused.contains(&address), "{way}: {refused:?}");
    }
    for (address, visits) in &inside {
        assert_eq!(visits.load(Ordering::SeqCst), 0, "somebody came to {address}");
    }
    // Those of WebTransport and of STUN would wait here.
    let received = datagrams.recv_from(&mut [0; 2_048]);
    assert_eq!(received.unwrap_err().kind(), ErrorKind::WouldBlock);
}
