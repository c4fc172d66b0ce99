import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { countKey } from '#shared/data/layout/keys.ts';
import { leanRowChanges, productItem } from '#shared/data/products/product-rows.ts';
import { TABLE_NAME } from '#shared/data/table/database.ts';
import { batchesOf } from '#shared/data/table/parallel.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import { insertProject } from '#shared/data/tracker/projects.ts';
import { newProduct } from '#shared/domain/products/product.ts';
import { type Entry, newEntry } from '#shared/domain/tracker/entry.ts';
import { newProject, type Project } from '#shared/domain/tracker/project.ts';

/**
 * A tenth of the entries is not billable. They are written through the data layer, with ledger and totals, in as few
 * transactions as possible.
 */
interface SeedPlan {
  readonly organizationId: string;
  readonly userId: string;
  readonly entries: number;
  readonly days: number;
  readonly projects: number;
  /** The users whose work it is, in turn. If there are none, the work is that of `userId`. */
  readonly userIds?: readonly string[];
  /** Each project belongs to one of these clients in turn. */
  readonly clientIds?: readonly string[];
  /** `YYYY-MM-DD`, the day after the last one */
  readonly until: string;
  /** Other days are written only as sums in the ledger, because nobody looks at their entries. */
  readonly isOpened?: (date: string) => boolean;
  /** All entries share it. If it is missing, each has its own. */
  readonly description?: string;
  /** How many books are filled side by side. A plan of a single month needs one lane: books share the calendar. */
  readonly lanes?: number;
}

/** While the database writes for one lane, the next transaction of the other is made. */
const LANES = 2;

const ITEMS_PER_TRANSACTION = 100;
const ITEMS_PER_ENTRY = 2;

/** For each month and each year a book has a page for billable entries and a page for others. */
const PAGES_PER_PERIOD = 2;

const DAYS_PER_MONTH = 30;

const MILLISECONDS_PER_DAY = 86_400_000;

export async function seed(plan: SeedPlan): Promise<Project[]> {
  const owner = { organizationId: plan.organizationId, userId: plan.userId, currency: 'USD' };
  const { clientIds = [] } = plan;
  const projects = Array.from({ length: plan.projects }, (_, i) => {
    return makeProject(owner, `Project ${i + 1}`, clientIds[i % clientIds.length] ?? null);
  });
  for (const project of projects) await insertProject(project, []);
  const pending = projects.values();
  const lanes = Array.from({ length: plan.lanes ?? LANES }, async () => {
    for (const project of pending) await seedBook(plan, owner, project, Math.floor(plan.entries / projects.length));
  });
  await Promise.all(lanes);
  return projects;
}

type Owner = Parameters<typeof newProject>[1];

type EntryOwner = Parameters<typeof newEntry>[2];

function makeProject(owner: Owner, name: string, clientId: string | null): Project {
  const settings = v.parse(createProject.body, { name, rate: 120, billable: true, clientId });
  return newProject(settings, owner, uuidV7(), new Date());
}

async function seedBook(plan: SeedPlan, owner: EntryOwner, project: Project, count: number): Promise<void> {
  const { isOpened = () => true } = plan;
  const changes = Array.from({ length: count }, (_, i) => ({
    before: null,
    after: makeEntry(plan, owner, project, i, count),
  }));
  const batches = (itemsPerEntry: number) =>
    batchesOf(changes, batchSizeOf((count * DAYS_PER_MONTH) / plan.days, itemsPerEntry));
  for (const batch of batches(ITEMS_PER_ENTRY)) {
    const opened = batch.filter(({ after }) => isOpened(after.entryDate));
    if (opened.length > 0) await writeEntries(opened);
  }
  for (const batch of batches(0)) {
    const closed = batch.filter(({ after }) => !isOpened(after.entryDate));
    if (closed.length > 0) await transact(ledgerUpdates(closed));
  }
}

/** The transaction also holds the project, and the pages and calendar months of the entries. */
function batchSizeOf(entriesPerMonth: number, itemsPerEntry: number): number {
  let size = 1;
  const months = (entries: number) => Math.ceil(entries / entriesPerMonth) + 1;
  const years = (entries: number) => Math.ceil(months(entries) / 12) + 1;
  const items = (entries: number) =>
    itemsPerEntry * entries + PAGES_PER_PERIOD * (months(entries) + years(entries)) + months(entries) + 1;
  while (items(size + 1) <= ITEMS_PER_TRANSACTION) size += 1;
  return size;
}

/** Day by day, a batch touches the pages of one month and year, or of two at their end. */
function makeEntry(plan: SeedPlan, owner: EntryOwner, project: Project, position: number, count: number): Entry {
  const { userIds = [] } = plan;
  const daysBack = plan.days - Math.floor((position * plan.days) / count);
  const entryDate = new Date(Date.parse(plan.until) - daysBack * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
  const draft = {
    description: plan.description ?? `Work item ${position} of ${project.name}`,
    durationMinutes: 15 + (position % 32) * 15,
    entryDate,
    billable: position % 10 !== 0,
    clientId: project.clientId,
  };
  const userId = userIds[position % userIds.length] ?? owner.userId;
  return newEntry(draft, project, { ...owner, userId }, uuidV7(), new Date());
}

interface CatalogPlan {
  readonly organizationId: string;
  readonly userId: string;
  readonly products: number;
  readonly description: string;
}

/** An active product has four rows. One item of the transaction is the count. */
const PRODUCTS_PER_TRANSACTION = 24;

/** The last product is the newest. */
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
      ...batch.map((product) => ({ Put: { TableName: TABLE_NAME, Item: productItem(product) } })),
      ...batch.flatMap((product) => leanRowChanges(null, product)),
      increase(countKey(organizationId, 'PRODUCT'), { all: batch.length, active: batch.length }),
    ]);
  }
}
