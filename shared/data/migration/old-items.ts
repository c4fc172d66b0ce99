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

/** Items of older layouts, and what they become in the present one. Sums are not among them: they are counted anew. */

export interface Renewal {
  /** What comes to lie elsewhere. Written before what follows: a migration that is stopped in between finds the old item again. */
  readonly others: readonly Item[];
  /** What comes to lie in the place of the old item; null for nothing. */
  readonly own: Item | null;
}

/** Answers undefined where the item is one of the present layout: a migration that is started again meets those that it wrote. */
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

/** Layout 1 had an entry once, and found those of a day by an index. */
function entryStep(item: Item): Renewal | undefined {
  if ('entry' in item) return undefined;
  const [byId, onDay] = itemsOfLayout1(item);
  return { others: [onDay], own: byId };
}

const unlinking = v.object({ organizationId: v.string(), id: v.string(), name: v.string() });

/** Layout 1 removed the links to what was deleted one by one, and kept the name that long. Now the links stay, and so does the name. */
function unlinkingStep(item: Item): Renewal {
  const { organizationId, ...named } = v.parse(unlinking, item);
  return { others: [deletedItem(organizationId, named)], own: null };
}

/** The count of products has come to lie with the products. */
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

/** Layout 1 had names of inactive products by themselves, and none of all of them. */
function productNameStep({ pk }: Item): Renewal | undefined {
  const organizationId = organizationOf(String(pk));
  const isOld =
    pk !== productNamePartition(organizationId, 'ALL') && pk !== productNamePartition(organizationId, 'ACTIVE');
  return isOld ? REMOVED : undefined;
}

/** Layout 1 had texts in eight partitions. */
function productTextStep({ pk }: Item): Renewal | undefined {
  return pk === productTextPartition(organizationOf(String(pk))) ? undefined : REMOVED;
}

const REMOVED: Renewal = { others: [], own: null };
