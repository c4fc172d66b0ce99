import { createApiKey, listApiKeys, revokeApiKey } from './contract/api-keys.ts';
import { createClient, deleteClient, getClient, listClients, updateClient } from './contract/clients.ts';
import type { Endpoint } from './contract/endpoint.ts';
import { createEntry, deleteEntry, getEntry, listEntries, summarizeEntries, updateEntry } from './contract/entries.ts';
import {
  createInvoice,
  deleteInvoice,
  getInvoice,
  getInvoicePdf,
  listInvoices,
  payInvoice,
  sendInvoice,
  updateInvoice,
  voidInvoice,
} from './contract/invoices.ts';
import { getDocs, getDocsAsset, getHealth, getOpenApi } from './contract/meta.ts';
import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  searchProducts,
  updateProduct,
} from './contract/products.ts';
import { createProject, deleteProject, getProject, listProjects, updateProject } from './contract/projects.ts';
import { connectRemote, disconnectRemote, getRemote, updateRemoteSettings } from './contract/remote-connection.ts';
import { confirmRemoteSync, listRemoteSyncHistory, undoRemoteSync } from './contract/remote-imports.ts';
import { previewRemoteSync } from './contract/remote-preview.ts';
import { discardTimer, getActiveTimer, listTimerSessions, startTimer, stopTimer } from './contract/timers.ts';

/** The route table: every operation of the service, in the order of the reference. An endpoint that is not here does not exist. */
export const routes: readonly Endpoint[] = [
  createProduct,
  listProducts,
  searchProducts,
  getProduct,
  updateProduct,
  deleteProduct,

  createClient,
  listClients,
  getClient,
  updateClient,
  deleteClient,

  createInvoice,
  listInvoices,
  getInvoice,
  updateInvoice,
  deleteInvoice,
  sendInvoice,
  payInvoice,
  voidInvoice,
  getInvoicePdf,

  createProject,
  listProjects,
  getProject,
  updateProject,
  deleteProject,

  createEntry,
  listEntries,
  summarizeEntries,
  getEntry,
  updateEntry,
  deleteEntry,

  getActiveTimer,
  startTimer,
  stopTimer,
  discardTimer,
  listTimerSessions,

  connectRemote,
  getRemote,
  updateRemoteSettings,
  disconnectRemote,

  previewRemoteSync,

  confirmRemoteSync,
  listRemoteSyncHistory,
  undoRemoteSync,

  createApiKey,
  listApiKeys,
  revokeApiKey,

  getHealth,
  getOpenApi,
  getDocs,
  getDocsAsset,
];
