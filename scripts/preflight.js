// Plain JavaScript without an import: an older Node.js has to read it, and cannot read TypeScript.

const NEEDED = 24;

const { node } = process.versions;

if (Number.parseInt(node, 10) < NEEDED) {
  console.error(
    `Billwright needs Node.js ${NEEDED}, and this is ${node}. "npm ci" installs it on Linux and on Windows (x86-64); anywhere else take it from https://nodejs.org.`,
  );
  process.exitCode = 1;
}
