import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { createProject } from '#shared/contract/tracker/projects.ts';
import { countChange } from '#shared/data/dynamo/counts.ts';
import { TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { transact } from '#shared/data/dynamo/transaction.ts';
import { leanRowChanges, productItem } from '#shared/data/products/product-rows.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import { insertProject } from '#shared/data/tracker/projects.ts';
import { newProduct } from '#shared/domain/products/product.ts';
import { type Entry, newEntry } from '#shared/domain/tracker/entry.ts';
import { newProject, type Project } from '#shared/domain/tracker/project.ts';

/**
 * A year of work as benchmarks and capacity tests want it: so many entries spread evenly over days and projects, a tenth of them not billable.
 * Written through the data layer, and so with its ledger and totals, in as few transactions as there can be.
 */
export interface SeedPlan {
  readonly organizationId: string;
  readonly userId: string;
  readonly entries: number;
  readonly days: number;
  readonly projects: number;
  /** Whose work it is in turn; that of `userId` unless there are some. */
  readonly userIds?: readonly string[];
  /** Each project is of one of them in turn, unless any of them is worked for in every project. */
  readonly clientIds?: readonly string[];
  readonly isForAnyClient?: boolean;
  /** `YYYY-MM-DD`, the day after the last one */
  readonly until: string;
  /** Where nobody will look at the entries of the other days, their sums in the ledger are enough: these are all that then is written of them. */
  readonly isOpened?: (date: string) => boolean;
}

/** Books that are filled side by side: those of different projects share the calendar alone, and while the database writes, the next transaction is made. */
const LANES = 2;

const ITEMS_PER_TRANSACTION = 100;
const ITEMS_PER_ENTRY = 2;

/** A book has one for what is billable and one for what is not, of each month and each year. */
const PAGES_PER_PERIOD = 2;

/** A batch of a plan with several entries a month lies in two at most. */
const YEARS = 2;

const DAYS_PER_MONTH = 30;

const MILLISECONDS_PER_DAY = 86_400_000;

/** @returns the projects that were made */
export async function seed(plan: SeedPlan): Promise<Project[]> {
  const owner = { organizationId: plan.organizationId, userId: plan.userId, currency: 'USD' };
  const { clientIds = [], isForAnyClient = false } = plan;
  const projects = Array.from({ length: plan.projects }, (_, i) => {
    const clientId = isForAnyClient ? null : (clientIds[i % clientIds.length] ?? null);
    return makeProject(owner, `Project ${i + 1}`, clientId);
  });
  for (const project of projects) await insertProject(project);
  const books: Book[] = isForAnyClient
    ? clientIds.flatMap((clientId) => projects.map((project) => ({ project, clientId })))
    : projects.map((project) => ({ project, clientId: project.clientId }));
  const pending = books.values();
  const lanes = Array.from({ length: LANES }, async () => {
    for (const book of pending) await seedBook(plan, owner, book, Math.floor(plan.entries / books.length));
  });
  await Promise.all(lanes);
  return projects;
}

/** The work in a project for a client. */
interface Book {
  readonly project: Project;
  readonly clientId: string | null;
}

type Owner = Parameters<typeof newProject>[1];

type EntryOwner = Parameters<typeof newEntry>[2];

function makeProject(owner: Owner, name: string, clientId: string | null): Project {
  const settings = v.parse(createProject.body, { name, rate: 120, billable: true, clientId });
  return newProject(settings, owner, uuidV7(), new Date());
}

async function seedBook(plan: SeedPlan, owner: EntryOwner, book: Book, count: number): Promise<void> {
  const batchSize = batchSizeOf((count * DAYS_PER_MONTH) / plan.days);
  for (let start = 0; start < count; start += batchSize) {
    const size = Math.min(batchSize, count - start);
    const entries = Array.from({ length: size }, (_, i) => makeEntry(plan, owner, book, start + i, count));
    const { organizationId, isOpened = () => true } = plan;
    const changes = entries.map((after) => ({ before: null, after }));
    const [opened, closed] = [true, false].map((wanted) =>
      changes.filter(({ after }) => isOpened(after.entryDate) === wanted),
    );
    if (opened?.length) await writeEntries(organizationId, opened);
    if (closed?.length) await transact(ledgerUpdates(closed));
  }
}

/** How many entries of a book fit into a transaction, with the pages and calendar of the months and years that they lie in, and the project. */
function batchSizeOf(entriesPerMonth: number): number {
  let size = 1;
  const months = (entries: number) => Math.ceil(entries / entriesPerMonth) + 1;
  const items = (entries: number) =>
    ITEMS_PER_ENTRY * entries + PAGES_PER_PERIOD * (months(entries) + YEARS) + months(entries) + 1;
  while (items(size + 1) <= ITEMS_PER_TRANSACTION) size += 1;
  return size;
}

/** Day by day, so that a batch touches the pages of one month and year, or of two where one ends. */
function makeEntry(plan: SeedPlan, owner: EntryOwner, book: Book, position: number, count: number): Entry {
  const { project, clientId } = book;
  const { userIds = [] } = plan;
  const daysBack = plan.days - Math.floor((position * plan.days) / count);
  const entryDate = new Date(Date.parse(plan.until) - daysBack * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
  const draft = {
    description: `Work item ${position} of ${project.name}`,
    durationMinutes: 15 + (position % 32) * 15,
    entryDate,
    billable: position % 10 !== 0,
    clientId,
  };
  const userId = userIds[position % userIds.length] ?? owner.userId;
  return newEntry(draft, project, { ...owner, userId }, uuidV7(), new Date());
}

interface BillablePlan {
  readonly organizationId: string;
  readonly userId: string;
  readonly clientId: string;
  readonly entries: number;
  /** `YYYY-MM`, that all entries lie in */
  readonly month: string;
}

const DAYS_OF_ANY_MONTH = 28;

/** Entries of a client that can be billed, one a day, in one transaction. */
export async function seedBillable({ organizationId, userId, clientId, entries, month }: BillablePlan): Promise<void> {
  const owner = { organizationId, userId, currency: 'USD' };
  const now = new Date();
  const made = Array.from({ length: entries }, (_, i) => {
    const entryDate = `${month}-${String(1 + (i % DAYS_OF_ANY_MONTH)).padStart(2, '0')}`;
    const draft = {
      description: `Work item ${i}`,
      durationMinutes: 15 + i * 5,
      entryDate,
      billable: true,
      rate: '120',
    };
    return newEntry({ ...draft, clientId }, null, owner, uuidV7(), now);
  });
  await writeEntries(
    organizationId,
    made.map((after) => ({ before: null, after })),
  );
}

interface CatalogPlan {
  readonly organizationId: string;
  readonly userId: string;
  readonly products: number;
  /** The description of every product. */
  readonly description: string;
}

/** A product has four rows while it is active; one item of the transaction is the count. */
const PRODUCTS_PER_TRANSACTION = 24;

/** A catalog of active products named `Product 0` and so on, the last one the newest. */
export async function seedProducts({ organizationId, userId, products, description }: CatalogPlan): Promise<void> {
  const owner = { organizationId, userId, currency: 'USD' };
  const now = Date.now();
  for (let start = 0; start < products; start += PRODUCTS_PER_TRANSACTION) {
    const batch = Array.from({ length: Math.min(PRODUCTS_PER_TRANSACTION, products - start) }, (_, i) => {
      const createdAt = new Date(now + start + i);
      const draft = {
        name: `Product ${start + i}`,
        description,
        sku: null,
        category: null,
        price: '1',
        unit: '',
        taxRate: null,
      };
      return newProduct(draft, owner, uuidV7({ msecs: createdAt.getTime() }), createdAt);
    });
    await transact([
      ...batch.map((product) => ({ Put: { TableName: TABLE_NAME, Item: productItem(product, 1) } })),
      ...batch.flatMap((product) => leanRowChanges(null, product)),
      countChange(organizationId, 'PRODUCT', { all: batch.length, active: batch.length }),
    ]);
  }
}
