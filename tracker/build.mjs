// Bundles src/ into dist/. `node build.mjs --check` writes nothing, and fails where dist/ is not what the sources make.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** The bundles, and how many bytes each may have after gzip -9. */
const LIMITS = { analytics: 3000, full: 12000 };

const check = process.argv.includes("--check");
const { outputFiles } = await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: Object.keys(LIMITS).map((name) => `src/${name}.ts`),
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  legalComments: "none",
  write: false,
});
const faults = [];
for (const { path, text } of outputFiles) {
  const name = path.split("/").pop().replace(/\.js$/, "");
  const size = gzipSync(text, { level: 9 }).length;
  console.log(`${name}.js: ${size} of at most ${LIMITS[name]} bytes compressed`);
  if (size > LIMITS[name]) faults.push(`${name}.js is too large`);
  if (!check) await writeFile(path, text);
  else if ((await readFile(path, "utf8").catch(() => "")) !== text)
    faults.push(`dist/${name}.js is not what src/ makes: run \`cargo xtask tracker\``);
}
if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
