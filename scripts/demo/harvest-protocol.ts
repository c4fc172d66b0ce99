/** Harvest API v2, as far as the service speaks it. */

interface Reference {
  readonly id: number;
  readonly name: string;
}

export interface HarvestTimeEntry {
  readonly id: number;
  /** `YYYY-MM-DD` */
  readonly spent_date: string;
  readonly hours: number;
  readonly rounded_hours: number;
  readonly notes: string | null;
  readonly user: Reference;
  readonly client: Reference & { readonly currency: string };
  readonly project: Reference & { readonly code: string | null };
  readonly task: Reference;
  readonly billable: boolean;
  readonly billable_rate: number | null;
  readonly is_running: boolean;
  readonly is_billed: boolean;
  readonly is_locked: boolean;
  readonly timer_started_at: string | null;
  readonly started_time: string | null;
  readonly ended_time: string | null;
  readonly external_reference: null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface HarvestAccount {
  readonly accountId: string;
  readonly accessToken: string;
  readonly companyName: string;
  readonly accessRoles: readonly ('administrator' | 'manager' | 'member')[];
  readonly entries: readonly HarvestTimeEntry[];
  /** By default lists lead to their next page by a cursor. */
  readonly paging: 'cursors' | 'pages';
}

export interface HarvestRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface HarvestAnswer {
  readonly status: number;
  readonly body: unknown;
}

const NOT_FOUND: HarvestAnswer = { status: 404, body: { status: 404, error: 'Not Found' } };

const INVALID_TOKEN: HarvestAnswer = {
  status: 401,
  body: {
    error: 'invalid_token',
    error_description: 'The access token provided is expired, revoked, malformed or invalid for other reasons.',
  },
};

/** @param account the account that the request names; undefined if there is none */
export function answerHarvest(account: HarvestAccount | undefined, request: HarvestRequest): HarvestAnswer {
  const { 'user-agent': userAgent, authorization } = request.headers;
  if (!userAgent) return { status: 400, body: { message: 'A User-Agent header is required.' } };
  if (!account) return NOT_FOUND;
  if (authorization !== `Bearer ${account.accessToken}`) return INVALID_TOKEN;
  switch (request.url.pathname) {
    case '/v2/users/me':
      return me(account);
    case '/v2/company':
      return company(account);
    case '/v2/time_entries':
      return timeEntries(account, request.url);
    default:
      return NOT_FOUND;
  }
}

export function accountIdOf({ headers }: HarvestRequest): string {
  return String(headers['harvest-account-id'] ?? '');
}

function me({ accessRoles }: HarvestAccount): HarvestAnswer {
  const body = {
    id: 1,
    first_name: 'Ada',
    last_name: 'Byron',
    email: 'ada@example.com',
    timezone: 'UTC',
    is_active: true,
    access_roles: accessRoles,
  };
  return { status: 200, body };
}

function company({ companyName, accessRoles }: HarvestAccount): HarvestAnswer {
  if (!accessRoles.includes('administrator')) return { status: 403, body: { message: 'Only for administrators.' } };
  return { status: 200, body: { name: companyName, is_active: true, week_start_day: 'Monday', clock: '24h' } };
}

const MAX_PER_PAGE = 2_000;

function timeEntries({ entries, paging }: HarvestAccount, url: URL): HarvestAnswer {
  const query = url.searchParams;
  const perPage = Number(query.get('per_page') ?? MAX_PER_PAGE);
  if (!(Number.isInteger(perPage) && perPage >= 1 && perPage <= MAX_PER_PAGE)) {
    return { status: 422, body: { message: `per_page must be between 1 and ${MAX_PER_PAGE}.` } };
  }
  const from = query.get('from') ?? '';
  const to = query.get('to') ?? '9999-12-31';
  const updatedSince = query.get('updated_since') ?? '';
  const found = entries
    .filter(({ spent_date, updated_at }) => spent_date >= from && spent_date <= to && updated_at >= updatedSince)
    .sort(newestFirst);
  const number = pageNumber(query);
  const totalPages = Math.max(1, Math.ceil(found.length / perPage));
  const body = {
    time_entries: found.slice((number - 1) * perPage, number * perPage),
    per_page: perPage,
    total_pages: totalPages,
    total_entries: found.length,
    ...(paging === 'pages' ? pageNumbers(number, totalPages) : cursors(url, number, totalPages)),
  };
  return { status: 200, body };
}

function newestFirst(one: HarvestTimeEntry, other: HarvestTimeEntry): number {
  if (one.spent_date === other.spent_date) return other.id - one.id;
  return one.spent_date < other.spent_date ? 1 : -1;
}

/** Clients treat a cursor as opaque. Here it is the number of its page. */
function pageNumber(query: URLSearchParams): number {
  const cursor = query.get('cursor');
  return Number(cursor === null ? (query.get('page') ?? 1) : Buffer.from(cursor, 'base64url').toString());
}

function pageNumbers(page: number, totalPages: number) {
  return { page, next_page: page < totalPages ? page + 1 : null, previous_page: page > 1 ? page - 1 : null };
}

function cursors(url: URL, page: number, totalPages: number) {
  const link = (to: number): string | null => {
    if (to < 1 || to > totalPages) return null;
    const target = new URL(url);
    target.searchParams.delete('page');
    target.searchParams.set('cursor', Buffer.from(String(to)).toString('base64url'));
    return target.href;
  };
  return {
    page: null,
    next_page: null,
    previous_page: null,
    links: { first: link(1), next: link(page + 1), previous: link(page - 1), last: link(totalPages) },
  };
}
