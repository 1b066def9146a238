// Builds an SDK from docs/openapi.json: `node build.mjs typescript`, or `node build.mjs python PYTHON`, where PYTHON has
// datamodel-code-generator. Its output lies in typescript/src/generated and typescript/dist, and in
// python/src/pharos_monitoring (_generated and types.py); none of it is committed.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { groups, shapes } from "./generator/document.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const document = JSON.parse(readFileSync(at("../docs/openapi.json"), "utf8"));

/** An empty folder. */
function emptied(path) {
  rmSync(at(path), { recursive: true, force: true });
  mkdirSync(at(path), { recursive: true });
  return at(path);
}

async function typescript() {
  const { operationsFile, schemasFile } = await import("./generator/typescript.mjs");
  const folder = emptied("typescript/src/generated");
  writeFileSync(`${folder}/schemas.ts`, await schemasFile(document));
  writeFileSync(`${folder}/operations.ts`, operationsFile(groups(document), document.tags ?? []));
  emptied("typescript/dist");
  execFileSync(process.execPath, [at("node_modules/typescript/bin/tsc"), "-p", at("typescript")], { stdio: "inherit" });
}

async function python(program) {
  const { operationsFiles, typesArguments } = await import("./generator/python.mjs");
  const folder = emptied("python/src/pharos_monitoring/_generated");
  for (const [name, text] of Object.entries(operationsFiles(groups(document), document.tags ?? []))) {
    writeFileSync(`${folder}/${name}`, text);
  }
  const types = at("python/src/pharos_monitoring/types.py");
  const input = JSON.stringify(shapes(document));
  execFileSync(program, typesArguments(types), { input, stdio: ["pipe", "inherit", "inherit"] });
}

const [language, program] = process.argv.slice(2);
if (language === "typescript") await typescript();
else if (language === "python" && program) await python(program);
else {
  console.error("usage: node build.mjs typescript | node build.mjs python PYTHON");
  process.exit(2);
}
