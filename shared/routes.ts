import { createClient } from '#shared/contract/clients/create-client.ts';
import { deleteClient } from '#shared/contract/clients/delete-client.ts';
import { getClient } from '#shared/contract/clients/get-client.ts';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import { updateClient } from '#shared/contract/clients/update-client.ts';
import { createWebhook } from '#shared/contract/events/create-webhook.ts';
import { deleteWebhook } from '#shared/contract/events/delete-webhook.ts';
import { getWebhook } from '#shared/contract/events/get-webhook.ts';
import { listEvents } from '#shared/contract/events/list-events.ts';
import { listWebhooks } from '#shared/contract/events/list-webhooks.ts';
import { rotateWebhookSecret } from '#shared/contract/events/rotate-webhook-secret.ts';
import { testWebhook } from '#shared/contract/events/test-webhook.ts';
import { updateWebhook } from '#shared/contract/events/update-webhook.ts';
import { checkCreditNoteEInvoice } from '#shared/contract/invoices/check-credit-note-e-invoice.ts';
import { checkEInvoice } from '#shared/contract/invoices/check-e-invoice.ts';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { createPayment } from '#shared/contract/invoices/create-payment.ts';
import { createRefund } from '#shared/contract/invoices/create-refund.ts';
import { deleteInvoice } from '#shared/contract/invoices/delete-invoice.ts';
import { deletePayment } from '#shared/contract/invoices/delete-payment.ts';
import { getCreditNote } from '#shared/contract/invoices/get-credit-note.ts';
import { getCreditNoteEInvoice } from '#shared/contract/invoices/get-credit-note-e-invoice.ts';
import { getCreditNotePdf } from '#shared/contract/invoices/get-credit-note-pdf.ts';
import { getEInvoice } from '#shared/contract/invoices/get-e-invoice.ts';
import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { getInvoicePdf } from '#shared/contract/invoices/get-invoice-pdf.ts';
import { listCreditNotes } from '#shared/contract/invoices/list-credit-notes.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { listPayments } from '#shared/contract/invoices/list-payments.ts';
import { payInvoice } from '#shared/contract/invoices/pay-invoice.ts';
import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { updateInvoice } from '#shared/contract/invoices/update-invoice.ts';
import { voidInvoice } from '#shared/contract/invoices/void-invoice.ts';
import { createApiKey } from '#shared/contract/keys/create-api-key.ts';
import { listApiKeys } from '#shared/contract/keys/list-api-keys.ts';
import { revokeApiKey } from '#shared/contract/keys/revoke-api-key.ts';
import { getDocs } from '#shared/contract/meta/get-docs.ts';
import { getDocsAsset } from '#shared/contract/meta/get-docs-asset.ts';
import { getHealth } from '#shared/contract/meta/get-health.ts';
import { getOpenApi } from '#shared/contract/meta/get-open-api.ts';
import { getProblem } from '#shared/contract/meta/get-problem.ts';
import { getService } from '#shared/contract/meta/get-service.ts';
import { createInvitation } from '#shared/contract/organization/create-invitation.ts';
import { createOrganization } from '#shared/contract/organization/create-organization.ts';
import { createUser } from '#shared/contract/organization/create-user.ts';
import { deleteLogo } from '#shared/contract/organization/delete-logo.ts';
import { deleteOrganization } from '#shared/contract/organization/delete-organization.ts';
import { endSignIns } from '#shared/contract/organization/end-sign-ins.ts';
import { getLogo } from '#shared/contract/organization/get-logo.ts';
import { getMe } from '#shared/contract/organization/get-me.ts';
import { getOrganization } from '#shared/contract/organization/get-organization.ts';
import { getOrganizationById } from '#shared/contract/organization/get-organization-by-id.ts';
import { getUser } from '#shared/contract/organization/get-user.ts';
import { linkMe } from '#shared/contract/organization/link-me.ts';
import { listOrganizations } from '#shared/contract/organization/list-organizations.ts';
import { listOwnOrganizations } from '#shared/contract/organization/list-own-organizations.ts';
import { listUsers } from '#shared/contract/organization/list-users.ts';
import { removeUser } from '#shared/contract/organization/remove-user.ts';
import { setLogo } from '#shared/contract/organization/set-logo.ts';
import { updateMe } from '#shared/contract/organization/update-me.ts';
import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { updateUser } from '#shared/contract/organization/update-user.ts';
import { createProduct } from '#shared/contract/products/create-product.ts';
import { deleteProduct } from '#shared/contract/products/delete-product.ts';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { listProducts } from '#shared/contract/products/list-products.ts';
import { searchProducts } from '#shared/contract/products/search-products.ts';
import { updateProduct } from '#shared/contract/products/update-product.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { connectRemote } from '#shared/contract/remote/connect-remote.ts';
import { disconnectRemote } from '#shared/contract/remote/disconnect-remote.ts';
import { getRemote } from '#shared/contract/remote/get-remote.ts';
import { getRemoteSync } from '#shared/contract/remote/get-remote-sync.ts';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { listRemoteSyncHistory } from '#shared/contract/remote/list-remote-sync-history.ts';
import { previewRemoteSync } from '#shared/contract/remote/preview-remote-sync.ts';
import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { updateRemoteSettings } from '#shared/contract/remote/update-remote-settings.ts';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { deleteEntry } from '#shared/contract/tracker/delete-entry.ts';
import { deleteProject } from '#shared/contract/tracker/delete-project.ts';
import { discardTimer } from '#shared/contract/tracker/discard-timer.ts';
import { getActiveTimer } from '#shared/contract/tracker/get-active-timer.ts';
import { getEntry } from '#shared/contract/tracker/get-entry.ts';
import { getProject } from '#shared/contract/tracker/get-project.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { listProjects } from '#shared/contract/tracker/list-projects.ts';
import { listTimerSessions } from '#shared/contract/tracker/list-timer-sessions.ts';
import { startTimer } from '#shared/contract/tracker/start-timer.ts';
import { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import { updateProject } from '#shared/contract/tracker/update-project.ts';
import { updateTimer } from '#shared/contract/tracker/update-timer.ts';
import type { Endpoint } from './contract/endpoint.ts';

/**
 * The route table: every operation of the service, in the order of the reference. Only these endpoints exist.
 *
 * The paths are those that callers know: the tracker and imports have the prefix `/v1/work/tracker`, while products,
 * clients and invoices have none.
 */
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
  importRows,
  listRemoteSyncHistory,
  getRemoteSync,
  undoRemoteSync,

  listEvents,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,

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
  setLogo,
  getLogo,
  deleteLogo,

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
