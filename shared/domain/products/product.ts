/** The product catalog's rules. */

export interface Product {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly description: string;
  readonly sku: string | null;
  readonly category: string | null;
  /** Decimal string, exactly as the caller sent it. */
  readonly price: string;
  readonly currency: string;
  readonly unit: string;
  /** Decimal string, percent. */
  readonly taxRate: string | null;
  readonly isActive: boolean;
  readonly usageCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type OwnValues = Pick<Product, 'name' | 'description' | 'sku' | 'category' | 'price' | 'unit' | 'taxRate'>;

export type ProductDraft = OwnValues & { readonly currency?: string };

export type ProductChanges = Partial<OwnValues & Pick<Product, 'currency' | 'isActive'>>;

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
  readonly currency: string;
}

/** A new product is active and used nowhere. Its currency defaults to the organization's. */
export function newProduct(draft: ProductDraft, owner: Owner, id: string, now: Date): Product {
  return {
    ...draft,
    id,
    organizationId: owner.organizationId,
    userId: owner.userId,
    currency: draft.currency ?? owner.currency,
    isActive: true,
    usageCount: 0,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/** Changes only what was sent. If nothing was sent, the product stays as it is, `updatedAt` too. */
export function reviseProduct(product: Product, changes: ProductChanges, now: Date): Product {
  return Object.keys(changes).length === 0 ? product : { ...product, ...changes, updatedAt: now.toISOString() };
}
