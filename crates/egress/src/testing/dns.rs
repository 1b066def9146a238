//! A name server that answers as a test tells it to, and counts what it is asked.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hickory_resolver::proto::op::{Message, OpCode, ResponseCode};
pub use hickory_resolver::proto::rr::RecordType;
use hickory_resolver::proto::rr::rdata::{A, AAAA, CNAME, TXT};
use hickory_resolver::proto::rr::{Name, RData, Record};
use tokio::net::UdpSocket;

/// An answer to one query.
#[derive(Clone, Debug)]
pub enum Reply {
    /// These, as far as they are of the family that was requested.
    Addresses(Vec<IpAddr>),
    /// An alias, and the addresses of what it points to.
    Alias(&'static str, Vec<IpAddr>),
    /// These TXT records.
    Texts(Vec<String>),
    /// Another reply after this time.
    Late(Duration, Box<Reply>),
    /// NXDOMAIN.
    NoSuchName,
    /// SERVFAIL.
    Failure,
    /// No reply.
    Silence,
}

impl Reply {
    /// A reply with these addresses.
    pub fn to(addresses: &[&str]) -> Self {
        Self::Addresses(parse(addresses))
    }

    /// An alias of `target`, which has these addresses.
    pub fn alias(target: &'static str, addresses: &[&str]) -> Self {
        Self::Alias(target, parse(addresses))
    }
}

/// One query.
pub struct Query<'a> {
    /// The name, in lower case and without its last dot.
    pub name: &'a str,
    /// The type of record.
    pub kind: RecordType,
    /// How often that very query came before.
    pub before: usize,
}

/// A name server on this machine.
pub struct Dns {
    /// Where it listens, over UDP.
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<(String, RecordType)>>>,
}

impl Dns {
    /// Answers each query with what `reply` says.
    pub async fn start(reply: impl Fn(&Query<'_>) -> Reply + Send + Sync + 'static) -> Self {
        let socket = Arc::new(UdpSocket::bind("127.0.0.1:0").await.unwrap());
        let address = socket.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut buffer = [0; 1500];
            while let Ok((length, from)) = socket.recv_from(&mut buffer).await {
                let query = Message::from_vec(&buffer[..length]).unwrap();
                let (name, kind) = (query.queries[0].name().clone(), query.queries[0].query_type());
                let key = (name.to_ascii().trim_end_matches('.').to_lowercase(), kind);
                let before = log.lock().unwrap().iter().filter(|asked| **asked == key).count();
                let reply = reply(&Query {
                    name: &key.0,
                    kind,
                    before,
                });
                log.lock().unwrap().push(key);
                tokio::spawn(send(Arc::clone(&socket), from, query, name, kind, reply));
            }
        });
        Self { address, asked }
    }

    /// Answers every name with these addresses.
    pub async fn with(addresses: &'static [&'static str]) -> Self {
        Self::start(|_| Reply::to(addresses)).await
    }

    /// How often this was asked.
    pub fn count(&self, name: &str, kind: RecordType) -> usize {
        self.asked
            .lock()
            .unwrap()
            .iter()
            .filter(|asked| asked.0 == name && asked.1 == kind)
            .count()
    }

    /// How many queries came in all.
    pub fn total(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

async fn send(
    socket: Arc<UdpSocket>,
    to: SocketAddr,
    query: Message,
    name: Name,
    kind: RecordType,
    mut reply: Reply,
) {
    while let Reply::Late(pause, inner) = reply {
        tokio::time::sleep(pause).await;
        reply = *inner;
    }
    let mut message = Message::response(query.metadata.id, OpCode::Query);
    message.metadata.recursion_desired = true;
    message.metadata.recursion_available = true;
    message.add_query(query.queries[0].clone());
    match reply {
        Reply::Addresses(addresses) => message.insert_answers(records(&name, kind, &addresses)),
        Reply::Alias(target, addresses) => {
            let target = Name::from_ascii(target).unwrap();
            let mut answers = vec![Record::from_rdata(name, 300, RData::CNAME(CNAME(target.clone())))];
            answers.extend(records(&target, kind, &addresses));
            message.insert_answers(answers);
        }
        Reply::Texts(texts) if kind == RecordType::TXT => {
            let records = texts.into_iter().map(|text| {
                // A string of a record has 255 bytes at most.
                let (first, rest) = text.split_at(text.len() / 2);
                let data = TXT::new(vec![first.to_owned(), rest.to_owned()]);
                Record::from_rdata(name.clone(), 300, RData::TXT(data))
            });
            message.insert_answers(records.collect());
        }
        Reply::Texts(_) => {}
        Reply::NoSuchName => message.metadata.response_code = ResponseCode::NXDomain,
        Reply::Failure => message.metadata.response_code = ResponseCode::ServFail,
        Reply::Silence | Reply::Late(..) => return,
    }
    let _ = socket.send_to(&message.to_vec().unwrap(), to).await;
}

fn records(name: &Name, kind: RecordType, addresses: &[IpAddr]) -> Vec<Record> {
    let data = addresses.iter().filter_map(|address| match (address, kind) {
        (IpAddr::V4(ip), RecordType::A) => Some(RData::A(A(*ip))),
        (IpAddr::V6(ip), RecordType::AAAA) => Some(RData::AAAA(AAAA(*ip))),
        _ => None,
    });
    data.map(|data| Record::from_rdata(name.clone(), 300, data))
        .collect()
}

fn parse(addresses: &[&str]) -> Vec<IpAddr> {
    addresses.iter().map(|address| address.parse().unwrap()).collect()
}
