//! Nodes that work together: Redis, and clocks that agree.

use pharos_metering::redis::Redis;
use pharos_persistence::facts::Facts;
use pharos_supervisor::Supervisor;
use time::OffsetDateTime;

use super::Finding;
use crate::config::Config;

/// By how many seconds the clocks of machines may differ.
const MOST_APART: i64 = 10;

/// Redis, which as many nodes as `nodes` share.
pub(super) async fn redis(config: &Config, nodes: Option<i64>) -> Finding {
    const WHAT: &str = "Redis";
    let Some(url) = &config.redis_url else {
        return match nodes {
            Some(nodes) if nodes > 1 => Finding::wrong(
                WHAT,
                &format!(
                    "{nodes} nodes run on this database, and redis_url is not set: each lets its own share of the limits \
                     through, and keeps answers that a write on another has changed; set PHAROS_REDIS_URL on all of them"
                ),
            ),
            _ => Finding::well(
                WHAT,
                "none, which one node needs not: limits and cached answers are in its memory",
            ),
        };
    };
    match Redis::connect(url.reveal(), &Supervisor::default()).await {
        Ok(redis) if redis.is_available() => Finding::well(WHAT, "it answers"),
        Ok(_) => Finding::wrong(
            WHAT,
            &"it does not answer: limits are open, and nothing is cached; start it, or check PHAROS_REDIS_URL",
        ),
        Err(error) => Finding::wrong(WHAT, &format!("{error}; check PHAROS_REDIS_URL")),
    }
}

/// This machine's clock, beside that of the database.
pub(super) fn clocks(facts: &Facts, here: OffsetDateTime) -> Finding {
    const WHAT: &str = "clock";
    let ahead = (here - facts.now).whole_seconds();
    if ahead.abs() <= MOST_APART {
        return Finding::well(WHAT, "it agrees with the database's");
    }
    let (seconds, side) = (ahead.abs(), if ahead > 0 { "ahead of" } else { "behind" });
    let detail = format!(
        "this machine's is {seconds} s {side} the database's, by which Pharos goes; keep the clocks of both machines by NTP"
    );
    Finding::wrong(WHAT, &detail)
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    #[test]
    fn clocks_may_differ_by_seconds() {
        let now = OffsetDateTime::UNIX_EPOCH;
        let facts = Facts {
            bytes: 0,
            nodes: 1,
            now,
        };
        for (seconds, well, words) in [
            (0, true, "agrees"),
            (10, true, "agrees"),
            (-10, true, "agrees"),
            (90, false, "90 s ahead of"),
            (-3_600, false, "3600 s behind"),
        ] {
            let found = clocks(&facts, now + Duration::seconds(seconds));
            assert_eq!(found.well, well);
            assert!(found.detail.contains(words), "{}", found.detail);
        }
    }

    #[tokio::test]
    async fn several_nodes_share_a_redis_that_is_there() {
        let mut config = Config::default();
        for (nodes, well) in [(None, true), (Some(0), true), (Some(1), true), (Some(3), false)] {
            let found = redis(&config, nodes).await;
            assert_eq!(found.well, well, "{}", found.detail);
        }
        // Nobody listens on the port that a socket has just left.
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        for (url, words) in [
            (format!("redis://:swordfish@127.0.0.1:{port}"), "does not answer"),
            ("http://:swordfish@127.0.0.1".to_owned(), "not a URL of a Redis"),
        ] {
            config.redis_url = Some(url.into());
            let found = redis(&config, Some(3)).await;
            assert!(!found.well && found.detail.contains(words), "{}", found.detail);
            assert!(!found.detail.contains("swordfish"), "{}", found.detail);
        }
    }
}
