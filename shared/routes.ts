import { createClient, deleteClient, getClient, listClients, updateClient } from '#shared/contract/clients/clients.ts';
import {
  createCreditNote,
  getCreditNote,
  getCreditNotePdf,
  listCreditNotes,
} from '#shared/contract/invoices/credit-notes.ts';
import {
  checkCreditNoteEInvoice,
  checkEInvoice,
  getCreditNoteEInvoice,
  getEInvoice,
} from '#shared/contract/invoices/e-invoices.ts';
import {
  createInvoice,
  deleteInvoice,
  getInvoice,
  getInvoicePdf,
  listInvoices,
  updateInvoice,
} from '#shared/contract/invoices/invoices.ts';
import { createPayment, createRefund, deletePayment, listPayments } from '#shared/contract/invoices/payments.ts';
import { payInvoice, sendInvoice, voidInvoice } from '#shared/contract/invoices/steps.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '#shared/contract/keys/api-keys.ts';
import { getDocs, getDocsAsset, getHealth, getOpenApi, getProblem, getService } from '#shared/contract/meta/meta.ts';
import { getMe, linkMe, listOwnOrganizations, updateMe } from '#shared/contract/organization/me.ts';
import { getOrganization, updateOrganization } from '#shared/contract/organization/organization.ts';
import {
  createOrganization,
  deleteOrganization,
  getOrganizationById,
  listOrganizations,
} from '#shared/contract/organization/organizations.ts';
import {
  createInvitation,
  createUser,
  endSignIns,
  getUser,
  listUsers,
  removeUser,
  updateUser,
} from '#shared/contract/organization/users.ts';
import {
  createProduct,
  deleteProduct,
  getProduct,
  listProducts,
  searchProducts,
  updateProduct,
} from '#shared/contract/products/products.ts';
import {
  connectRemote,
  disconnectRemote,
  getRemote,
  updateRemoteSettings,
} from '#shared/contract/remote/connection.ts';
import { confirmRemoteSync, listRemoteSyncHistory, undoRemoteSync } from '#shared/contract/remote/imports.ts';
import { previewRemoteSync } from '#shared/contract/remote/preview.ts';
import { createEntry, deleteEntry, getEntry, listEntries, updateEntry } from '#shared/contract/tracker/entries.ts';
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  updateProject,
} from '#shared/contract/tracker/projects.ts';
import { summarizeEntries } from '#shared/contract/tracker/summary.ts';
import {
  discardTimer,
  getActiveTimer,
  listTimerSessions,
  startTimer,
  stopTimer,
  updateTimer,
} from '#shared/contract/tracker/timers.ts';
import type { Endpoint } from './contract/endpoint.ts';

/** The route table: every operation of the service, in the order of the reference. Only these endpoints exist. */
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
  createPayment,
  createRefund,
  listPayments,
  deletePayment,
  voidInvoice,
  getInvoicePdf,
  getEInvoice,
  checkEInvoice,
  createCreditNote,
  listCreditNotes,
  getCreditNote,
  getCreditNotePdf,
  getCreditNoteEInvoice,
  checkCreditNoteEInvoice,

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
  updateTimer,
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

  getMe,
  updateMe,
  listOwnOrganizations,
  linkMe,
  createUser,
  listUsers,
  getUser,
  updateUser,
  removeUser,
  endSignIns,
  createInvitation,
  getOrganization,
  updateOrganization,

  createOrganization,
  listOrganizations,
  getOrganizationById,
  deleteOrganization,

  getService,
  getHealth,
  getOpenApi,
  getDocs,
  getDocsAsset,
  getProblem,
];
