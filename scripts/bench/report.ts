import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const REPORT = join(import.meta.dirname, 'REPORT.md');

interface Subject {
  readonly title: string;
  /** In plain words. */
  readonly meaning: string;
}

/** A sample is only printed. */
export async function report(
  { title, meaning }: Subject,
  isSample: boolean,
  measure: () => Promise<string>,
): Promise<void> {
  console.log(`Measuring: ${title}.`);
  const at = new Date();
  const [before = 0] = loadavg();
  const text = `${meaning}\n\n${await measure()}`;
  const [after = 0] = loadavg();
  const circumstances = { at, seconds: (Date.now() - at.getTime()) / 1_000, machine: machine(), before, after };
  const section = sectionOf(title, text, circumstances);
  console.log(section);
  if (isSample) console.log('\nOnly a sample: its times say nothing.');
  else writeFileSync(REPORT, withSection(readFileSync(REPORT, 'utf8'), section));
}

function machine(): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${processor}, ${gigabytes} GiB, Node.js ${process.version}, ${availableParallelism()} processors`;
}

interface Circumstances {
  readonly at: Date;
  readonly seconds: number;
  readonly machine: string;
  /** Runnable processes of the last minute. With more than its processors, a machine was too busy to measure times. */
  readonly before: number;
  readonly after: number;
}

function sectionOf(title: string, text: string, circumstances: Circumstances): string {
  const { at, seconds, machine, before, after } = circumstances;
  const when = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, in ${seconds.toFixed(0)} s`;
  const load = `load average ${before.toFixed(1)} before and ${after.toFixed(1)} after`;
  return `## ${title}\n\n${text}\n\n*${when}. ${machine}; ${load}.*`;
}

/** Replaces the section of the same title, or adds one at the end. */
export function withSection(document: string, section: string): string {
  const [title = ''] = section.split('\n', 1);
  const sections = document.trimEnd().split(/\n+(?=## )/);
  const position = sections.findIndex((each) => each.startsWith(`${title}\n`));
  const changed = position < 0 ? [...sections, section] : sections.with(position, section);
  return `${changed.join('\n\n')}\n`;
}
