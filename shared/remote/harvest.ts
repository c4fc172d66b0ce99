import * as v from 'valibot';
import type { Visibility } from '#shared/domain/remote/connection.ts';
import type { FetchedRows } from '#shared/domain/remote/preview.ts';
import type { RemoteQuestion } from '#shared/domain/remote/sync-progress.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { cutName, RowCollection } from './harvest-entries.ts';
import { JsonApi, type JsonApiSettings, type JsonRequest } from './json-api.ts';
import {
  type Deadline,
  deadlineAfter,
  MAX_REMOTE_ENTRIES,
  type RemoteAccount,
  type RemoteCredential,
  RemoteFailure,
  type RemoteProvider,
} from './provider.ts';

/** Harvest refuses requests that do not name a contact. */
const USER_AGENT = 'Billwright (https://billwright.example)';

const PAGE_SIZE = 2_000;

/** Enough even if the provider puts only twenty entries on a page. */
const MAX_PAGES = 500;

/** A list that changes is read anew. */
const MAX_READINGS = 4;

const NAME_MILLISECONDS = 5_000;

/** An answer without a user id has confirmed no credential. */
const user = v.object({
  id: v.union([v.number(), v.pipe(v.string(), v.nonEmpty())]),
  access_roles: v.nullish(v.array(v.string()), []),
});

const company = v.object({ name: v.string() });

const page = v.object({
  time_entries: v.array(v.unknown()),
  total_entries: v.nullish(v.pipe(v.number(), v.safeInteger()), null),
  next_page: v.nullish(v.pipe(v.number(), v.safeInteger()), null),
  links: v.nullish(v.object({ next: v.nullish(v.string()) })),
});

/** All pages together may have twice the size of 10,000 entries of three kilobytes. */
const MAX_LIST_BYTES = 64 * 1_048_576;

/** A user or a company. */
const MAX_OBJECT_BYTES = 64 * 1_024;

type Page = v.InferOutput<typeof page>;

export class HarvestProvider implements RemoteProvider {
  readonly #baseUrl: string;
  readonly #api: JsonApi;

  constructor(baseUrl: string, settings: Partial<JsonApiSettings> = {}) {
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '');
    this.#api = new JsonApi(settings);
  }

  async identify(credential: RemoteCredential, deadline: Deadline): Promise<RemoteAccount> {
    const { access_roles } = await this.#get('users/me', credential, deadline, user).catch(rejectingUnknown);
    return { name: await this.#accountName(credential, deadline), visibility: visibilityOf(access_roles) };
  }

  async fetchRows(credential: RemoteCredential, question: RemoteQuestion, deadline: Deadline): Promise<FetchedRows> {
    for (let reading = 1; reading <= MAX_READINGS; reading++) {
      const rows = await this.#readList(credential, question, deadline, reading === MAX_READINGS);
      if (rows) return rows.fetched();
    }
    throw new RemoteFailure('list_changes', "The provider's list changes whenever it is read.");
  }

  /**
   * @param isLast whether it is taken as it is where it shows an entry twice in place of another: it may always do so
   * @returns undefined where the list has changed between two pages, which may hide an entry from both
   */
  async #readList(
    credential: RemoteCredential,
    question: RemoteQuestion,
    deadline: Deadline,
    isLast: boolean,
  ): Promise<RowCollection | undefined> {
    const rows = new RowCollection();
    const visited = new Set<string>();
    let listBytes = 0;
    let listedCount = 0;
    let total: number | null = null;
    let url: URL | undefined = this.#url('time_entries', { ...queryOf(question), per_page: String(PAGE_SIZE) });
    while (url) {
      const asked = this.#read({ resource: 'time_entries', url }, credential, deadline, page);
      const { answer, bytes } = await (visited.size > 0 ? asked.catch(takingLateForTooMany) : asked);
      visited.add(url.href);
      rows.add(answer.time_entries);
      listedCount += answer.time_entries.length;
      listBytes += bytes;
      const entryCount = Math.max(rows.entryCount, answer.total_entries ?? 0);
      if (entryCount > MAX_REMOTE_ENTRIES || listBytes > MAX_LIST_BYTES) throw tooMany();
      total ??= answer.total_entries;
      if (total !== (answer.total_entries ?? total)) return undefined;
      url = this.#following(answer, url);
      if (url && (visited.has(url.href) || visited.size === MAX_PAGES)) throw endless();
    }
    const isOneHidden = total !== null && rows.entryCount < total && total <= listedCount;
    return isOneHidden && !isLast ? undefined : rows;
  }

  /** Only administrators can read the company's name, and nothing depends on it. */
  async #accountName(credential: RemoteCredential, deadline: Deadline): Promise<string> {
    const soon = deadlineAfter(Math.min(NAME_MILLISECONDS, deadline()));
    try {
      const name = cutName((await this.#get('company', credential, soon, company)).name);
      return name.trim() === '' ? credential.accountId : name;
    } catch (error) {
      if (error instanceof RemoteFailure) return credential.accountId;
      throw error;
    }
  }

  #url(resource: string, query: Readonly<Record<string, string>> = {}): URL {
    return new URL(`${this.#baseUrl}/v2/${resource}?${new URLSearchParams(query)}`);
  }

  async #get<const Schema extends v.GenericSchema>(
    resource: string,
    credential: RemoteCredential,
    deadline: Deadline,
    schema: Schema,
  ): Promise<v.InferOutput<Schema>> {
    const asked = { resource, url: this.#url(resource), maximumAnswerBytes: MAX_OBJECT_BYTES };
    return (await this.#read(asked, credential, deadline, schema)).answer;
  }

  async #read<const Schema extends v.GenericSchema>(
    asked: Pick<JsonRequest, 'resource' | 'url' | 'maximumAnswerBytes'>,
    credential: RemoteCredential,
    deadline: Deadline,
    schema: Schema,
  ): Promise<{ answer: v.InferOutput<Schema>; bytes: number }> {
    const request = { ...asked, headers: headersOf(credential), secret: credential.accessToken };
    const { value, bytes } = await this.#api.get(request, deadline);
    const result = v.safeParse(schema, value, { abortEarly: true });
    if (result.success) return { answer: result.output, bytes };
    const path = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
    throw new RemoteFailure('invalid_answer', `The provider's ${asked.resource} is invalid at: ${path}`);
  }

  #following({ links, next_page }: Page, url: URL): URL | undefined {
    if (links?.next !== undefined) return links.next === null ? undefined : this.#ownLink(links.next, url);
    if (next_page === null) return undefined;
    const next = new URL(url);
    next.searchParams.set('page', String(next_page));
    return next;
  }

  /** Sends the credential to the configured provider only. */
  #ownLink(link: string, url: URL): URL {
    const next = URL.canParse(link, url.href) ? new URL(link, url) : undefined;
    const isOwn = next?.origin === url.origin && next.username === '' && next.password === '';
    if (next && isOwn) return next;
    throw new RemoteFailure('invalid_answer', 'The provider links to somewhere else.');
  }
}

function queryOf({ updatedSince, ...dates }: RemoteQuestion): Record<string, string> {
  return { ...dates, ...(updatedSince && { updated_since: updatedSince }) };
}

/** Visible ASCII: a header would change any other character. */
const HEADER_TEXT = /^[\x21-\x7e]+$/;

function headersOf({ accessToken, accountId }: RemoteCredential): Record<string, string> {
  if (!HEADER_TEXT.test(accessToken) || !HEADER_TEXT.test(accountId)) {
    throw new RemoteFailure('credential_rejected', 'The credential has characters that no credential has.');
  }
  return {
    accept: 'application/json',
    authorization: `Bearer ${accessToken}`,
    'harvest-account-id': accountId,
    'user-agent': USER_AGENT,
  };
}

/** A 404 means that this credential sees no such account. */
function rejectingUnknown(error: unknown): never {
  if (!(error instanceof RemoteFailure) || error.status !== 404) throw error;
  throw new RemoteFailure('credential_rejected', error.message, { status: error.status });
}

/** A user without a role that shows more sees only their own work. */
function visibilityOf(roles: readonly string[]): Visibility {
  if (roles.includes('administrator')) return 'all';
  return roles.includes('manager') ? 'team' : 'own';
}

/** Since some pages came in time, a smaller range would. */
function takingLateForTooMany(error: unknown): never {
  throw error instanceof RemoteFailure && error.kind === 'timed_out' ? tooMany() : error;
}

function tooMany(): RemoteFailure {
  return new RemoteFailure('too_many_entries', 'The provider has more entries than are taken at once.');
}

function endless(): RemoteFailure {
  return new RemoteFailure('invalid_answer', "The provider's list has no end.");
}

const { REMOTE_API_URL } = parseEnv({ REMOTE_API_URL: setting });

export const provider: RemoteProvider = new HarvestProvider(REMOTE_API_URL);
