// A client in strict TypeScript: its types are generated from the document that Pharos serves, `typescript_client.ts` is
// compiled against them, and run. Prints a JSON object a line.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const [base, ...rest] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
// Packages are searched from a file's own folder upwards, so it lies in this one.
const folder = mkdtempSync(join(here, ".generated-"));
const node = (...command) => execFileSync(process.execPath, command, { stdio: "inherit" });
try {
  writeFileSync(join(folder, "pharos.d.ts"), astToString(await openapiTS(new URL(`${base}/openapi.json`))));
  copyFileSync(join(here, "typescript_client.ts"), join(folder, "client.ts"));
  node(
    join(here, "node_modules/typescript/bin/tsc"),
    ...["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noUnusedLocals"],
    ...["--target", "es2022", "--module", "nodenext"],
    join(folder, "client.ts"),
  );
  node(join(folder, "client.js"), base, ...rest);
} finally {
  rmSync(folder, { recursive: true });
}
