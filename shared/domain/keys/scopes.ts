/** A write scope does not include the read scope. */
export const SCOPES = [
  'products:read',
  'products:write',
  'clients:read',
  'clients:write',
  'invoices:read',
  'invoices:write',
  'tracker:read',
  'tracker:write',
  'tracker:remote',
  'keys:read',
  'keys:write',
  'organization:write',
  'users:write',
] as const;

export type Scope = (typeof SCOPES)[number];
