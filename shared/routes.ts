import { createApiKey, listApiKeys, revokeApiKey } from './contract/api-keys.ts';
import type { Endpoint } from './contract/endpoint.ts';
import { getDocs, getDocsAsset, getHealth, getOpenApi } from './contract/meta.ts';
import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  searchProducts,
  updateProduct,
} from './contract/products.ts';

/** The route table: every operation of the service, in the order of the reference. An endpoint that is not here does not exist. */
export const routes: readonly Endpoint[] = [
  createProduct,
  listProducts,
  searchProducts,
  getProduct,
  updateProduct,
  deleteProduct,

  createApiKey,
  listApiKeys,
  revokeApiKey,

  getHealth,
  getOpenApi,
  getDocs,
  getDocsAsset,
];
