//! Random sequences: memory, Redis and the model come to the same.

use std::{collections::VecDeque, net::Ipv6Addr};

use pharos_domain::{
    identity::Source,
    ids::{CredentialId, WorkspaceId},
    permit::Permit,
};
use pharos_http::{metering::Admission, spec::OperationSpec};
use pharos_metering::limits::policy::Limits;
use proptest::{prelude::*, test_runner::TestRunner};
use time::Duration;
use tokio::{
    runtime::{Builder, Runtime},
    task::yield_now,
};

use super::{
    Backing, CHEAP, Client, HEAVY, NOON, OTHER_RUM, RUM, RUN,
    model::{Model, Outcome},
    permits::settle_in,
};

/// Something that happens.
#[derive(Clone, Debug)]
enum Step {
    /// The clock moves on, or back, by so many milliseconds.
    Wait(i64),
    /// A client asks, so many times in a row.
    Ask {
        credential: usize,
        workspace: usize,
        address: usize,
        spec: usize,
        times: usize,
        keeps: bool,
    },
    /// The oldest heavy queries end at once, so many.
    End(usize),
}

/// With days that a sequence can use up.
const LIMITS: Limits = Limits {
    general: 600,
    heavy_queries: 120,
    runs: 20,
    credential_daily: 700,
    workspace_daily: 900,
};

static SPECS: [&OperationSpec; 5] = [&CHEAP, &HEAVY, &RUN, &RUM, &OTHER_RUM];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let wait = prop_oneof![
        8 => 0_i64..12_000,
        3 => Just(5_000_i64),
        2 => 50_000_i64..70_000,
        1 => -6_000_i64..0,
        1 => -70_000_i64..-50_000,
        1 => Just(43_200_000_i64),
        1 => Just(-43_200_000_i64),
        1 => Just(-200_000_000_i64),
    ]
    .prop_map(Step::Wait);
    let ask = (
        0_usize..3,
        0_usize..3,
        0_usize..2,
        0_usize..5,
        1_usize..30,
        any::<bool>(),
    )
        .prop_map(|(credential, workspace, address, spec, times, keeps)| Step::Ask {
            credential,
            workspace,
            address,
            spec,
            // General has by far the most room.
            times: if spec == 0 { times * 15 } else { times },
            keeps,
        });
    prop::collection::vec(
        prop_oneof![4 => wait, 6 => ask, 1 => (1_usize..4).prop_map(Step::End)],
        1..60,
    )
}

/// Plays a sequence on the limiter, and returns what came of each request.
async fn play(backing: &Backing, steps: &[Step]) -> Vec<(Outcome, Outcome)> {
    let credentials = [(); 3].map(|()| CredentialId::generate());
    let workspaces = [Some(WorkspaceId::generate()), Some(WorkspaceId::generate()), None];
    // Addresses of this sequence alone, since RUM routes are counted by address.
    let random = CredentialId::generate().0.as_u64_pair().1;
    let addresses =
        [random, !random].map(|network| Source(Some(Ipv6Addr::from(u128::from(network) << 64).into())));
    let mut now = NOON;
    let mut model = Model::new(LIMITS);
    let mut under_way: VecDeque<(Permit, Option<usize>)> = VecDeque::new();
    let mut outcomes = Vec::new();
    for step in steps {
        match *step {
            Step::Wait(milliseconds) => now += Duration::milliseconds(milliseconds),
            Step::End(count) => {
                let over = under_way.drain(..count.min(under_way.len()));
                let (permits, numbers): (Vec<_>, Vec<_>) = over.unzip();
                end(permits).await;
                numbers
                    .into_iter()
                    .flatten()
                    .for_each(|number| model.give_back(number));
            }
            Step::Ask {
                credential,
                workspace,
                address,
                spec,
                times,
                keeps,
            } => {
                let client = Client {
                    credential: credentials[credential],
                    workspace: workspaces[workspace],
                    source: addresses[address],
                };
                let request = client.asks(SPECS[spec], now);
                for _ in 0..times {
                    let (expected, number) = model.admit(client, &request);
                    let outcome = match backing.limiter.admit(&request).await {
                        Admission::Admitted { standing, permit } => {
                            if keeps {
                                under_way.push_back((permit, number));
                            } else {
                                end(vec![permit]).await;
                                number.into_iter().for_each(|number| model.give_back(number));
                            }
                            Outcome::Admitted(standing)
                        }
                        Admission::Refused {
                            bucket,
                            retry_after_seconds,
                            standing,
                        } => Outcome::Refused(bucket, retry_after_seconds, standing),
                        Admission::Open => panic!("open"),
                    };
                    outcomes.push((outcome, expected));
                }
            }
        }
    }
    outcomes
}

/// Gives permits back. In Redis that is done by a task of its own, which on a runtime with one thread has sent its
/// command once this has stood back.
async fn end(permits: Vec<Permit>) {
    drop(permits);
    for _ in 0..4 {
        yield_now().await;
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn agrees(backing: &Backing, runtime: &Runtime, cases: u32) {
    let config = ProptestConfig {
        cases,
        // A failure prints its sequence, the shortest there is.
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new(config)
        .run(&steps(), |steps| {
            for (at, (outcome, expected)) in runtime.block_on(play(backing, &steps)).into_iter().enumerate() {
                prop_assert_eq!(outcome, expected, "request {}", at);
            }
            Ok(())
        })
        .unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn memory_agrees_with_the_model() {
    let runtime = runtime();
    agrees(&Backing::in_memory_with(LIMITS), &runtime, 400);
}

#[test]
fn redis_agrees_with_the_model() {
    let runtime = runtime();
    let backing = runtime.block_on(Backing::in_redis_with(LIMITS));
    runtime.block_on(settle_in(&backing));
    agrees(&backing, &runtime, 60);
}
