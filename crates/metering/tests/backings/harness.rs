//! How a suite runs on every backing.

pub(crate) use pharos_metering::testing::RedisServer;

/// A module for each backing, with a test for each function of the suite, which takes the backing.
macro_rules! on_every_backing {
    ($backing:ident: $($test:ident),+ $(,)?) => {
        mod in_memory {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(&super::$backing::in_memory()).await;
            })+
        }

        mod in_redis {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $test() {
                super::$test(&super::$backing::in_redis().await).await;
            })+
        }
    };
}
pub(crate) use on_every_backing;
