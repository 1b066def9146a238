// Compiles the calls of the documentation in the file given as the first argument, a list of them with the values of what stands in
// capital letters, as strict TypeScript, and runs them in their order. Prints the status of each answer as a JSON object a line; what
// an answer says that is no success goes to standard error.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const examples = JSON.parse(readFileSync(process.argv[2], "utf8"));
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(here, ".generated-"));
try {
  const functions = examples.map(({ id, code, variables }) => {
    const names = Object.keys(variables).map((name) => `${name}: string`);
    return `export async function ${id}(${names.join(", ")}): Promise<void> {\n${code}\n}`;
  });
  const file = join(folder, "examples.ts");
  const told = "declare const process: { env: Record<string, string | undefined> };";
  writeFileSync(file, [told, ...functions].join("\n"));
  execFileSync(
    process.execPath,
    [
      join(here, "node_modules/typescript/bin/tsc"),
      ...["--strict", "--noUnusedLocals", "--noUnusedParameters"],
      ...["--target", "es2022", "--lib", "es2022,dom", "--module", "nodenext", "--skipLibCheck"],
      file,
    ],
    { stdio: ["ignore", 2, 2] },
  );
  const compiled = await import(join(folder, "examples.js"));
  const log = console.log;
  for (const { id, variables } of examples) {
    const printed = [];
    console.log = (...said) => printed.push(said);
    await compiled[id](...Object.values(variables));
    console.log = log;
    const [[status, text]] = printed;
    console.log(JSON.stringify({ id, status }));
    if (status >= 300) console.error(id, text);
  }
} finally {
  rmSync(folder, { recursive: true });
}
