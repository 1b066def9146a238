//! The frames of a stack, as they are in the sources.

use pharos_domain::{identity::DomainAccess, store::StoreError};
use time::OffsetDateTime;
use tokio::{sync::Semaphore, task::spawn_blocking};

use super::{SourceMap, SourceMapStore};
use crate::{
    errors::Frame,
    redact::{redacted, redacted_path},
};

/// How many scripts of a stack have their maps read: each takes a while.
const MOST_SCRIPTS: usize = 4;
/// How many stacks a node reads by maps at once. The maps of one have up to 32 MiB, and one that is read takes several times its
/// size.
static AT_ONCE: Semaphore = Semaphore::const_new(2);

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
    // It is never closed.
    let turn = AT_ONCE.acquire().await.ok();
    let found = store.of_scripts(domain, &scripts, at).await?;
    if found.is_empty() {
        return Ok(frames);
    }
    let reading = spawn_blocking(move || {
        // Whoever asked may be gone before the end.
        let _turn = turn;
        by_maps(frames, found)
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

/// A place in a source that a frame comes from.
#[derive(Clone)]
struct Place {
    source: String,
    line: u32,
    column: u32,
    name: Option<String>,
}

/// The frames by the maps of their scripts, one map after the other: one that is read is large.
fn by_maps(frames: Vec<Frame>, maps: Vec<(String, Vec<u8>)>) -> Vec<Frame> {
    let mut places: Vec<Option<Place>> = vec![None; frames.len()];
    for (script, map) in maps {
        // One that an older version kept and this one can't read is as good as none.
        let Ok(map) = SourceMap::read(&map) else { continue };
        for (frame, place) in frames.iter().zip(&mut places) {
            if frame.filename.as_ref() == Some(&script) {
                *place = found(frame, &map);
            }
        }
    }
    in_sources(frames, &places)
}

fn found(frame: &Frame, map: &SourceMap) -> Option<Place> {
    let origin = map.origin(frame.line?, frame.column?)?;
    Some(Place {
        source: origin.source.to_owned(),
        line: origin.line,
        column: origin.column,
        name: origin.name.map(str::to_owned),
    })
}

fn in_sources(frames: Vec<Frame>, places: &[Option<Place>]) -> Vec<Frame> {
    let shown = frames.into_iter().enumerate().map(|(at, frame)| {
        let Some(Some(place)) = places.get(at) else {
            return frame;
        };
        // A bundler renames functions. Where one is called, its caller's source has its name.
        let called = places
            .get(at + 1)
            .and_then(Option::as_ref)
            .and_then(|caller| caller.name.as_deref());
        Frame {
            function: called.map(redacted).or(frame.function),
            filename: Some(redacted_path(&place.source)),
            line: Some(place.line),
            column: Some(place.column),
            in_app: frame.in_app && !place.source.contains("node_modules/"),
        }
    });
    shown.collect()
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
        by_maps(frames, vec![(APP.to_owned(), map.as_bytes().to_vec())])
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
    fn each_script_is_read_by_its_own_map_and_one_that_can_not_be_read_is_none() {
        let of_other = MAP.replace("../src/app.ts", "../src/other.ts");
        let maps = vec![
            (APP.to_owned(), MAP.as_bytes().to_vec()),
            ("https://shop.example/broken.js".to_owned(), b"{}".to_vec()),
            (OTHER.to_owned(), of_other.into_bytes()),
        ];
        let broken = frame("c", "https://shop.example/broken.js", 1, 19);
        let stack = vec![frame("a", OTHER, 1, 13), frame("b", APP, 1, 19), broken.clone()];
        assert_eq!(
            by_maps(stack, maps),
            [
                frame("alert", "../src/other.ts", 2, 5),
                frame("b", "../src/app.ts", 3, 3),
                broken,
            ]
        );
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
