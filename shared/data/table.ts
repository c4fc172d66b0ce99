/**
 * The single table: the only module that spells a key.
 *
 * | access pattern | key |
 * | --- | --- |
 * | authenticate a key and lease tokens | `KEY#<sha256>`, `KEY` |
 * | the organization of a key's id | `KEYID#<id>`, `KEY` |
 * | an organization's keys, newest first | `ORG#<org>#APIKEY`, id |
 * | an organization by its name; all organizations | `ORGANIZATIONS`, folded name |
 * | a user by its name | `ORG#<org>#USERNAME`, folded name |
 * | a product; all products, newest first | `ORG#<org>#PRODUCT`, id (a UUID v7, so that ids sort by creation) |
 * | how many products there are | `ORG#<org>#COUNT`, `PRODUCT` |
 */

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

export const apiKeyKey = (hash: string): Key => ({ pk: `KEY#${hash}`, sk: 'KEY' });

export const apiKeyIdKey = (id: string): Key => ({ pk: `KEYID#${id}`, sk: 'KEY' });

export const apiKeyPartition = (organizationId: string): string => `ORG#${organizationId}#APIKEY`;

export const apiKeyListingKey = (organizationId: string, id: string): Key => ({
  pk: apiKeyPartition(organizationId),
  sk: id,
});

export const organizationPartition = 'ORGANIZATIONS';

export const organizationNameKey = (foldedName: string): Key => ({ pk: organizationPartition, sk: foldedName });

export const userNameKey = (organizationId: string, foldedName: string): Key => ({
  pk: `ORG#${organizationId}#USERNAME`,
  sk: foldedName,
});

export const productPartition = (organizationId: string): string => `ORG#${organizationId}#PRODUCT`;

export const productKey = (organizationId: string, id: string): Key => ({
  pk: productPartition(organizationId),
  sk: id,
});

export const productCountKey = (organizationId: string): Key => ({ pk: `ORG#${organizationId}#COUNT`, sk: 'PRODUCT' });
