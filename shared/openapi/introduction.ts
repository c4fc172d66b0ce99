import { PROBLEMS } from '#shared/domain/problems.ts';
import { guideId, guides, guideText } from './guides.ts';
import { PROBLEM_CODES, statusesOf } from './problems.ts';

/** The introduction of the reference, in Markdown. */
export function introduction(): string {
  return [
    TENANCY,
    heading('guides', 'Guides'),
    ...guides.map((guide) => folded(guideId(guide), guide.title, guideText(guide))),
    heading('conventions', 'Conventions'),
    ...conventions().map(({ id, title, text }) => folded(id, title, text)),
  ].join('\n\n');
}

interface Convention {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export function conventions(): readonly Convention[] {
  return [
    { id: 'requests', title: 'Requests', text: REQUESTS },
    { id: 'answers', title: 'Answers', text: ANSWERS },
    { id: 'problems', title: 'Problems', text: `${PROBLEMS_INTRODUCTION}\n\n${problemTable()}` },
  ];
}

export const TENANCY =
  "Every request acts for the organization of its API key, or of the person who has signed in. Another organization's resources answer exactly like missing ones. A key of the platform only makes, lists and deletes organizations.";

const REQUESTS = `- Send the key as \`Authorization: Bearer <API_KEY>\`. Each operation names the scope that the key needs, or takes any valid key; a write scope does not include the read scope.
- The role of the user counts as well. A \`member\` reads, and writes only its own entries, timers, name and time zone. An \`admin\` writes everything.
- Where the service has an OpenID Connect issuer, people can [sign in](/docs#sign-in-for-your-users): send the token in the place of the key. An admin then has every scope, a member those to read products, clients and the tracker, and to write its time. The first request that names an organization as \`Billwright-Organization\` links a person to its user there; who is linked in only one may leave the header out. A key takes no organization but its own.
- Bodies are JSON in UTF-8 (\`Content-Type: application/json\`) and may be sent with \`Content-Encoding: gzip\`: up to 6 MB as a function receives them, 10 MB at the gateway, and 1 MiB decompressed (32 MiB for the confirmation of an import). They are nested at most 32 deep and have at most 200,000 values.
- Unknown query parameters and unknown members at the top of a body are ignored, and a success names them: \`Billwright-Ignored: query.page, body.emial\`. Parameters of the other way of paging are refused with a 422, as are the superseded parameters \`starting_after\` and \`ending_before\`.
- A POST may carry an \`Idempotency-Key\`. When the same request is sent with the same key within 24 hours, the first response is replayed (with \`Idempotency-Replayed: true\`), and nothing is done twice. After a lost response, send the same request again.
- Resources that can be patched have an \`ETag\`. Send it as \`If-Match\` with a PATCH or DELETE to change only the version that you have seen, and as \`If-None-Match\` with a GET to get a 304 without a body while nothing has changed.
- No text takes control characters but tab, line feed and carriage return; one that needs a character needs one that is no space. \`name\`, \`legalName\`, \`accountName\` and \`contactName\` are kept without the space around them. They take none of U+200B, U+2060, U+FEFF, U+202A to U+202E and U+2066 to U+2069 (\`text_character\`).
- \`q\` is searched in any case. Space around it does not count, nor how much space there is inside, in it as in what is searched.
- Decimal strings that are sent have at most 12 digits before and 6 after the point, no sign and no exponent, and are returned as they were sent; computed ones may have more digits. A JSON number that would lose digits is refused (\`number_precision\`): send it as a text. Currency codes are accepted in any case.`;

const ANSWERS = `- One resource: \`{"data": {...}}\`. A list: \`{"data": [...], "meta": {"total", "limit", "offset"}}\`. A deletion: \`{"success": true, "id": "..."}\`.
- Clients and invoices can also be listed with \`pagination=cursor\`: \`{"edges": [{"cursor", "node"}], "pageInfo": {...}, "totalCount"}\`, with a \`Link\` header to the other pages. \`first\` and \`after\` read forward, \`last\` and \`before\` backward; edges always come in the order of the list. A cursor keeps its place while rows are added and deleted, and is valid for the order, direction and filter of its list.
- Lists are newest first unless they say otherwise. Timestamps are ISO 8601 in UTC with milliseconds. Today is that of the \`timeZone\` of the organization, and clock times of work are those of its user, else of the organization; without either, of UTC.
- Later versions may add members to responses and values to enumerations; ignore unknown ones. Nothing under \`/v1\`, or under a path without a version, is removed or renamed without \`Deprecation\` and \`Sunset\` headers (RFC 9745, RFC 8594) for at least six months.
- Every response has an \`x-request-id\`. Responses over 1 KiB are compressed for clients that accept gzip.
- Each key, each user who has signed in, and each person for what it asks without being a user, has a rate limit: a token bucket of requests a minute, which refills evenly. \`RateLimit\` and \`RateLimit-Policy\` give the remaining requests; a 429 gives in \`Retry-After\` the seconds to wait. The description of an operation says when it counts as more than one request; one that counts as more than the whole limit takes all of it. A request that is refused before its work begins counts as one, and a replay as one for each 500 KB of its body.`;

const PROBLEMS_INTRODUCTION =
  'Every problem is answered as `application/problem+json` (RFC 9457). `code` is stable. A 400 and a 422 list the faults of the request in `errors`. An unknown path is `route_not_found`; a known path with another method is `method_not_allowed`, with `Allow`. Responses of API Gateway itself are `{"message": "..."}` without our headers: the 429 of the whole stage, a 413 over its own limits, a 400 for malformed HTTP, and a 500 or 503 when a function crashed or could not start.';

function heading(id: string, text: string): string {
  return `<h2 id="${id}">${text}</h2>`;
}

/** Folded, so that it does not push the operations out of sight. */
function folded(id: string, summary: string, content: string): string {
  return `<details id="${id}">\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

function problemTable(): string {
  const rows = PROBLEM_CODES.flatMap((code) =>
    statusesOf(code).map((status) => [status, `[\`${code}\`](/problems/${code})`, PROBLEMS[code].title] as const),
  )
    .sort(([a], [b]) => a - b)
    .map((row) => `| ${row.join(' | ')} |`);
  return ['| status | code | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
