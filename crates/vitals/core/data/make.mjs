// From the package third-party-web to the list that the server carries: node make.mjs FOLDER-OF-THE-PACKAGE
import { readFileSync, writeFileSync } from "node:fs";

const read = (file) => JSON.parse(readFileSync(`${process.argv[2]}/dist/${file}`, "utf8"));
const lines = read("entities-httparchive-nostats.json").map(
  ({ name, category, categories, domains }) => `${name}\t${category ?? categories[0]}\t${domains.join(" ")}`,
);
writeFileSync(new URL("providers.txt", import.meta.url), `${lines.join("\n")}\n`);
