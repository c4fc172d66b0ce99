import { createHash } from 'node:crypto';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import type { HarvestTimeEntry } from './harvest-protocol.ts';

/** A day has the same work whenever it is asked for: what was imported today is recognized tomorrow. */

const DAYS = 90;
const MILLISECONDS_PER_DAY = 86_400_000;

interface DemoProject {
  readonly name: string;
  readonly code: string;
  readonly client: string;
  readonly currency: string;
  readonly rate: number | null;
  readonly billable: boolean;
}

const PROJECTS: readonly DemoProject[] = [
  { name: 'Website', code: 'GLX-1', client: 'Globex', currency: 'USD', rate: 95, billable: true },
  { name: 'Data platform', code: 'GLX-2', client: 'Globex', currency: 'USD', rate: 137.5, billable: true },
  { name: 'Warehouse app', code: 'NWT-1', client: 'Northwind Traders', currency: 'EUR', rate: 110, billable: true },
  { name: 'Support', code: 'NWT-2', client: 'Northwind Traders', currency: 'EUR', rate: null, billable: true },
  { name: 'Menükarten & Café ☕', code: '', client: 'Smörgåsbord AB', currency: 'SEK', rate: 1_200, billable: true },
  { name: '多言語サイト', code: 'SKR', client: '株式会社さくら', currency: 'JPY', rate: 15_000, billable: true },
  { name: 'Internal', code: '', client: 'Demo Studio', currency: 'USD', rate: null, billable: false },
];

const PEOPLE = ['Ana Lima', 'Björn Åkesson', 'Chidi Okafor', 'Mei Tanaka'];

const TASKS = ['Design', 'Development', 'Meetings', 'Research', 'Testing'];

const NOTES = [
  null,
  'Sketches for the start page',
  'Review with the client – two rounds',
  'Überarbeitung der Übersetzung',
  'Bug hunt 🐛 in the import',
  'ミーティング：次のリリース',
  'Planning, estimates, e-mail',
  'Wrote tests\nand then the code',
];

const ENTRIES_PER_DAY = [0, 1, 1, 2, 2];

export function demoEntries(now: Date): HarvestTimeEntry[] {
  const days = Array.from({ length: DAYS }, (_, age) => new Date(now.getTime() - age * MILLISECONDS_PER_DAY));
  const past = days.filter(isWorkday).flatMap((day) => PEOPLE.flatMap((_, person) => entriesOf(day, person)));
  return [...past, running(now)];
}

function isWorkday(day: Date): boolean {
  return day.getUTCDay() % 6 !== 0;
}

function entriesOf(day: Date, person: number): HarvestTimeEntry[] {
  const count = pick(ENTRIES_PER_DAY, seedOf(dateOf(day), person));
  return Array.from({ length: count }, (_, slot) => entryOf(day, person, slot));
}

function running(now: Date): HarvestTimeEntry {
  return { ...entryOf(now, 0, MOST_SLOTS - 1), is_running: true, timer_started_at: now.toISOString() };
}

const MOST_SLOTS = 10;

function entryOf(day: Date, person: number, slot: number): HarvestTimeEntry {
  const date = dateOf(day);
  const seed = seedOf(date, person, slot);
  const project = pick(PROJECTS, seed);
  const hours = hoursOf(seed);
  return {
    id: (Math.floor(day.getTime() / MILLISECONDS_PER_DAY) * PEOPLE.length + person) * MOST_SLOTS + slot,
    spent_date: date,
    hours,
    rounded_hours: Math.ceil(hours * 4) / 4,
    notes: pick(NOTES, seed.subarray(1)),
    user: { id: person + 1, name: pick(PEOPLE, Buffer.of(person)) },
    client: { id: 1 + PROJECTS.findIndex(({ client }) => client === project.client), ...clientOf(project) },
    project: { id: 1 + PROJECTS.indexOf(project), name: project.name, code: project.code },
    task: { id: 1 + ((seed.at(2) ?? 0) % TASKS.length), name: pick(TASKS, seed.subarray(2)) },
    billable: project.billable,
    billable_rate: project.rate,
    is_running: false,
    is_billed: false,
    is_locked: false,
    timer_started_at: null,
    started_time: null,
    ended_time: null,
    external_reference: null,
    created_at: `${date}T17:00:00Z`,
    updated_at: `${date}T17:00:00Z`,
  };
}

function clientOf({ client, currency }: DemoProject) {
  return { name: client, currency };
}

/** Quarters of an hour up to five hours, and now and then the time of a timer. */
function hoursOf(seed: Buffer): number {
  const quarters = 1 + ((seed.at(3) ?? 0) % 20);
  const isMeasured = (seed.at(4) ?? 0) < 64;
  return isMeasured ? (quarters * 25 + 8) / 100 : quarters / 4;
}

function seedOf(...parts: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(parts.join('#')).digest();
}

function pick<Item>(items: readonly Item[], seed: Buffer): Item {
  return items[(seed.at(0) ?? 0) % items.length] as Item;
}
