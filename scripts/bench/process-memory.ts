import { readdirSync, readFileSync } from 'node:fs';

/** Tells of a process and all that it has started, as Linux counts: a page that processes share counts in parts. */
export function proportionalMegabytes(pid: number): number {
  const kilobytes = withDescendants(pid).map((each) => /^Pss:\s+(\d+) kB$/m.exec(textOf(each, 'smaps_rollup'))?.[1]);
  return kilobytes.reduce((sum, each) => sum + Number(each ?? 0), 0) / 1_024;
}

function withDescendants(pid: number): number[] {
  const children = threadsOf(pid).flatMap((thread) =>
    textOf(pid, `task/${thread}/children`).split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => withDescendants(Number(child)))];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** A process may end at any time. */
function textOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
