import * as v from 'valibot';
import { deletedItem } from '#shared/data/clients/directory.ts';
import {
  countKey,
  kindOf,
  organizationOf,
  productNamePartition,
  productTextPartition,
} from '#shared/data/dynamo/keys.ts';
import type { Item } from '#shared/data/dynamo/query.ts';
import { oldProduct, productItems } from '#shared/data/products/product-rows.ts';
import { itemsOfLayout1 } from '#shared/data/tracker/entry-items.ts';

/**
 * Items of older layouts, and what they become in the present one. Sums are left out, because they are counted anew.
 */

export interface Renewal {
  /**
   * Items with a new place in the table. They are written before `own`: a migration that stops in between finds the old
   * item again.
   */
  readonly others: readonly Item[];
  /** What replaces the old item in its place; null deletes the old item. */
  readonly own: Item | null;
}

/** Returns undefined for an item of the present layout: a migration that is started again meets what it wrote. */
type Step = (item: Item) => Renewal | undefined;

const STEPS: Readonly<Record<string, Step>> = {
  COUNT: countStep,
  ENTRY: entryStep,
  PRODUCT: productStep,
  PRODUCT_NAME: productNameStep,
  PRODUCT_TEXT: productTextStep,
  UNLINKING: unlinkingStep,
};

export function renewalOf(item: Item): Renewal | undefined {
  return STEPS[kindOf(String(item.pk))]?.(item);
}

/** Layout 1 stored an entry once, and found the entries of a day by an index. */
function entryStep(item: Item): Renewal | undefined {
  if ('entry' in item) return undefined;
  const [byId, onDay] = itemsOfLayout1(item);
  return { others: [onDay], own: byId };
}

const unlinking = v.object({ organizationId: v.string(), id: v.string(), name: v.string() });

/**
 * Layout 1 removed links to deleted objects one by one, and kept the name until then. Now both the links and the name
 * stay.
 */
function unlinkingStep(item: Item): Renewal {
  const { organizationId, ...named } = v.parse(unlinking, item);
  return { others: [deletedItem(organizationId, named)], own: null };
}

/** The count of products now lies with the products. */
function countStep({ pk, sk, ...counts }: Item): Renewal | undefined {
  if (sk !== 'PRODUCT') return undefined;
  return { others: [{ ...countKey(organizationOf(String(pk)), 'PRODUCT'), ...counts }], own: null };
}

/** Layout 1 had an attribute for each member of a product. */
function productStep(item: Item): Renewal | undefined {
  if (!('name' in item)) return undefined;
  const { product, version } = oldProduct(item);
  const [own = null, ...others] = productItems(product, version);
  return { others, own };
}

/** Layout 1 had a list of names of inactive products, and no list of all names. */
function productNameStep({ pk }: Item): Renewal | undefined {
  const organizationId = organizationOf(String(pk));
  const isOld =
    pk !== productNamePartition(organizationId, 'ALL') && pk !== productNamePartition(organizationId, 'ACTIVE');
  return isOld ? REMOVED : undefined;
}

/** Layout 1 stored texts in eight partitions. */
function productTextStep({ pk }: Item): Renewal | undefined {
  return pk === productTextPartition(organizationOf(String(pk))) ? undefined : REMOVED;
}

const REMOVED: Renewal = { others: [], own: null };
