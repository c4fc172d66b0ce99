// Plain JavaScript without an import: an older Node.js has to read it, and cannot read TypeScript.

const NEEDED = 24;

const EMULATOR_VERSION = '1.2.1';

/** Others than the one in `package.json` are not in every copy of the registry, and `npm ci` needs all that it lists. */
const EMULATED_SYSTEMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'];

const { node } = process.versions;
const system = `${process.platform}-${process.arch}`;

if (Number.parseInt(node, 10) < NEEDED) {
  refuse(
    `Billwright needs Node.js ${NEEDED}, and this is ${node}. "npm ci" installs it on Linux and on Windows (x86-64); anywhere else take it from https://nodejs.org.`,
  );
} else if (process.argv.includes('--emulator') && !process.env.DYNAMODB_ENDPOINT && !hasEmulator()) {
  const install = `"npm install --no-save @dynoxide/${system}@${EMULATOR_VERSION}", or `;
  refuse(
    `No DynamoDB emulator is installed for ${system}: ${EMULATED_SYSTEMS.includes(system) ? install : ''}run another, for example DynamoDB Local, and set DYNAMODB_ENDPOINT to its address.`,
  );
}

function hasEmulator() {
  try {
    return import.meta.resolve(`@dynoxide/${system}/dynoxide`) !== '';
  } catch {
    return false;
  }
}

function refuse(reason) {
  console.error(reason);
  process.exitCode = 1;
}
