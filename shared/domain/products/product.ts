import { type Metadata, type MetadataChanges, mergedMetadata, NO_METADATA } from '#shared/domain/metadata.ts';
import type { Decimal } from '#shared/domain/money.ts';
import type { Owner } from '#shared/domain/owner.ts';
import { revised } from '#shared/domain/revised.ts';
import { type TaxCategory, taxCategoryOf } from '#shared/domain/tax.ts';

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
  readonly taxCategory: TaxCategory | null;
  /** A category that follows from the rate changes with it. */
  readonly hasOwnTaxCategory: boolean;
  readonly taxExemptionReason: string | null;
  readonly isActive: boolean;
  readonly usageCount: number;
  readonly externalId: string | null;
  readonly metadata: Metadata;
  readonly createdAt: string;
  readonly updatedAt: string;
}

type OwnValues = Pick<Product, 'name' | 'description' | 'sku' | 'category' | 'price' | 'unit' | 'taxRate'>;

type TaxValues = Pick<Product, 'taxCategory' | 'taxExemptionReason'>;

export type ProductDraft = OwnValues &
  Partial<TaxValues> & {
    readonly currency?: string;
    readonly externalId?: string | null;
    readonly metadata?: MetadataChanges;
  };

export type ProductChanges = Partial<OwnValues & TaxValues & Pick<Product, 'currency' | 'isActive' | 'externalId'>> & {
  readonly metadata?: MetadataChanges;
};

/** @throws Problem `tax_category_mismatch` */
export function newProduct(draft: ProductDraft, owner: Owner, id: string, now: Date): Product {
  return {
    ...draft,
    ...categoryOf(draft),
    taxExemptionReason: draft.taxExemptionReason ?? null,
    id,
    organizationId: owner.organizationId,
    userId: owner.userId,
    currency: draft.currency ?? owner.currency,
    isActive: true,
    usageCount: 0,
    externalId: draft.externalId ?? null,
    metadata: mergedMetadata(NO_METADATA, draft.metadata),
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/** @throws Problem `tax_category_mismatch` */
export function reviseProduct(product: Product, changes: ProductChanges, now: Date): Product {
  const { taxCategory = product.hasOwnTaxCategory ? product.taxCategory : null, taxRate = product.taxRate } = changes;
  const category = categoryOf({ taxRate, taxCategory });
  const metadata = mergedMetadata(product.metadata, changes.metadata);
  return revised(product, { ...product, ...changes, ...category, metadata }, now);
}

function categoryOf(draft: Pick<Product, 'taxRate'> & Partial<TaxValues>) {
  return { taxCategory: taxCategoryOf(draft, 'taxCategory'), hasOwnTaxCategory: Boolean(draft.taxCategory) };
}
