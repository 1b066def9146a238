//! Writes the calls in Rust that stand on the pages of operations as functions, so that they are compiled with the tests.

// The pages are made of the same text.
#[path = "../crates/http/src/pages/operation/call.rs"]
#[expect(dead_code, reason = "calls in other languages are run by the tests")]
mod call;

use std::{collections::BTreeSet, env, error::Error, fs, path::Path};

use serde_json::Value;

use self::call::Call;

const DOCUMENT: &str = "../docs/openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    println!("cargo::rerun-if-changed=../crates/http/src/pages/operation/call.rs");
    let document: Value = serde_json::from_slice(&fs::read(DOCUMENT)?)?;
    let (mut functions, mut all) = (String::new(), String::new());
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let Some(id) = operation["operationId"].as_str() else {
                continue;
            };
            let method = method.to_uppercase();
            let code = Call::of(path, &method, operation).rust();
            functions.push_str(&function(id, &code));
            all.push_str(&format!("    ({id:?}, {code:?}),\n"));
        }
    }
    let file = Path::new(&env::var("OUT_DIR")?).join("examples.rs");
    let listed = format!(
        "/// The calls, by the ids of their operations.\npub(super) const ALL: &[(&str, &str)] = &[\n{all}];\n"
    );
    fs::write(file, functions + &listed)?;
    Ok(())
}

/// A call as a function whose arguments are what stands in capital letters in its address.
fn function(id: &str, code: &str) -> String {
    let (address, _) = code.split_once("let answer").unwrap_or((code, ""));
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let names: BTreeSet<&str> = address
        .split(|letter: char| !is_of_name(letter))
        .filter(|word| word.starts_with(|letter: char| letter.is_ascii_uppercase()))
        .filter(|word| !word.contains(|letter: char| letter.is_ascii_lowercase()))
        .filter(|word| *word != "PHAROS_URL")
        .collect();
    let arguments: Vec<String> = names.iter().map(|name| format!("{name}: &str")).collect();
    format!(
        "async fn {id}({}) -> Result<(), Box<dyn std::error::Error>> {{\n{code}\nOk(())\n}}\n\n",
        arguments.join(", ")
    )
}
