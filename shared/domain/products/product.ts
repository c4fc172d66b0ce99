import type { Decimal } from '#shared/domain/money.ts';
import type { Owner } from '#shared/domain/owner.ts';
export interface Product {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly description: string;
  readonly sku: string | null;
  readonly category: string | null;
  /** Exactly as the caller sent it. */
  readonly price: Decimal;
  readonly currency: string;
  readonly unit: string;
  readonly taxRate: Decimal | null;
  readonly isActive: boolean;
  readonly usageCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type OwnValues = Pick<Product, 'name' | 'description' | 'sku' | 'category' | 'price' | 'unit' | 'taxRate'>;

export type ProductDraft = OwnValues & { readonly currency?: string };

export type ProductChanges = Partial<OwnValues & Pick<Product, 'currency' | 'isActive'>>;

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

export function reviseProduct(product: Product, changes: ProductChanges, now: Date): Product {
  return Object.keys(changes).length === 0 ? product : { ...product, ...changes, updatedAt: now.toISOString() };
}
