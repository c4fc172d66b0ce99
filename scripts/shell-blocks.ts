export interface Block {
  readonly heading: string;
  readonly commands: string;
}

export function blocksOf(document: string): Block[] {
  return document.split(/^## /m).flatMap((section) => {
    const [heading = ''] = section.split('\n', 1);
    return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => ({ heading, commands }));
  });
}

/** As if pasted into one Bash, which ends with the first command that fails. */
export function scriptOf(blocks: readonly Block[]): string {
  return ['set -euo pipefail', ...blocks.map(({ heading, commands }) => `echo "## ${heading}"\n${commands}`)].join(
    '\n',
  );
}
