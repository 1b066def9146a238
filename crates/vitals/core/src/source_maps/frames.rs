//! The frames of a stack, as they are in the sources.

use std::collections::BTreeMap;

use pharos_domain::{identity::DomainAccess, store::StoreError};
use time::OffsetDateTime;
use tokio::task::spawn_blocking;

use super::{Origin, SourceMap, SourceMapStore};
use crate::{
    errors::Frame,
    redact::{redacted, redacted_path},
};

/// Of how many scripts of a stack maps are read: each takes a while.
const MOST_SCRIPTS: usize = 4;

/// The frames as they are in the sources, as far as there are maps of their scripts: by those that were the newest at a moment.
///
/// # Errors
/// The store failed.
pub async fn resolved(
    frames: Vec<Frame>,
    domain: &DomainAccess,
    at: OffsetDateTime,
    store: &dyn SourceMapStore,
) -> Result<Vec<Frame>, StoreError> {
    let scripts = scripts(&frames);
    if scripts.is_empty() {
        return Ok(frames);
    }
    let found = store.of_scripts(domain, &scripts, at).await?;
    if found.is_empty() {
        return Ok(frames);
    }
    let reading = spawn_blocking(move || {
        let maps: BTreeMap<String, SourceMap> = found
            .into_iter()
            // One that an older version kept and this one can't read is as good as none.
            .filter_map(|(script, map)| Some((script, SourceMap::read(&map).ok()?)))
            .collect();
        in_sources(frames, &maps)
    });
    reading.await.map_err(|error| StoreError::Failed(Box::new(error)))
}

/// The scripts of the frames, the innermost first.
fn scripts(frames: &[Frame]) -> Vec<String> {
    let mut scripts: Vec<String> = Vec::new();
    for frame in frames {
        if let (Some(script), Some(_), Some(_)) = (&frame.filename, frame.line, frame.column)
            && !scripts.contains(script)
        {
            scripts.push(script.clone());
        }
    }
    scripts.truncate(MOST_SCRIPTS);
    scripts
}

fn in_sources(frames: Vec<Frame>, maps: &BTreeMap<String, SourceMap>) -> Vec<Frame> {
    let origins: Vec<Option<Origin<'_>>> = frames.iter().map(|frame| origin(frame, maps)).collect();
    let shown = frames.into_iter().enumerate().map(|(at, frame)| {
        let Some(origin) = origins.get(at).copied().flatten() else {
            return frame;
        };
        // A bundler renames functions. Where one is called, its caller's source has its name.
        let called = origins
            .get(at + 1)
            .copied()
            .flatten()
            .and_then(|caller| caller.name);
        Frame {
            function: called.map(redacted).or(frame.function),
            filename: Some(redacted_path(origin.source)),
            line: Some(origin.line),
            column: Some(origin.column),
            in_app: frame.in_app && !origin.source.contains("node_modules/"),
        }
    });
    shown.collect()
}

fn origin<'a>(frame: &Frame, maps: &'a BTreeMap<String, SourceMap>) -> Option<Origin<'a>> {
    let map = maps.get(frame.filename.as_deref()?)?;
    map.origin(frame.line?, frame.column?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source_maps::map::tests::MAP;

    fn frame(function: &str, filename: &str, line: u32, column: u32) -> Frame {
        Frame {
            function: Some(function.to_owned()),
            filename: Some(filename.to_owned()),
            line: Some(line),
            column: Some(column),
            in_app: true,
        }
    }

    const APP: &str = "https://shop.example/app.js";
    const OTHER: &str = "https://shop.example/other.js";

    fn shown(map: &str, frames: Vec<Frame>) -> Vec<Frame> {
        let map = SourceMap::read(map.as_bytes()).unwrap();
        in_sources(frames, &BTreeMap::from([(APP.to_owned(), map)]))
    }

    #[test]
    fn frames_are_shown_by_their_sources_and_functions_by_the_names_that_they_are_called_by() {
        let stack = vec![
            frame("a", APP, 1, 13),
            frame("b", APP, 1, 19),
            frame("c", OTHER, 1, 19),
        ];
        assert_eq!(
            shown(MAP, stack),
            [
                frame("alert", "../src/app.ts", 2, 5),
                frame("b", "../src/app.ts", 3, 3),
                frame("c", OTHER, 1, 19),
            ]
        );
    }

    #[test]
    fn a_place_that_the_map_does_not_know_stays_as_it_was() {
        let stack = vec![frame("a", APP, 9, 13)];
        assert_eq!(shown(MAP, stack.clone()), stack);
    }

    #[test]
    fn code_of_packages_is_not_the_sites_and_names_nobody() {
        let of_a_package = MAP.replace("../src/app.ts", "webpack:///node_modules/ada@shop.example/x.js");
        let found = shown(&of_a_package, vec![frame("a", APP, 1, 13)]);
        assert!(!found[0].in_app, "{found:?}");
        assert_eq!(
            found[0].filename.as_deref(),
            Some("webpack:///node_modules/[redacted]/x.js")
        );
    }

    #[test]
    fn as_many_scripts_are_read_as_it_takes_no_time() {
        let stack: Vec<Frame> = (0..9)
            .map(|script| frame("a", &format!("https://shop.example/{}.js", script / 2), 1, 1))
            .collect();
        let names = ["0", "1", "2", "3"].map(|name| format!("https://shop.example/{name}.js"));
        assert_eq!(scripts(&stack), names);
        let nowhere = Frame {
            column: None,
            ..frame("a", APP, 1, 1)
        };
        assert_eq!(scripts(&[nowhere]), Vec::<String>::new());
    }
}
