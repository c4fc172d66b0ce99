import { PROBLEMS } from '#shared/domain/problems.ts';
import { guideId, guides, guideText } from './guides.ts';
import { PROBLEM_CODES, statusOf } from './problems.ts';

/** The rules that hold for every operation, in Markdown: the head of the reference. */
export function introduction(): string {
  return [
    TENANCY,
    heading('guides', 'Guides'),
    ...guides.map((guide) => folded(guideId(guide), guide.title, guideText(guide))),
    heading('conventions', 'Conventions'),
    folded('requests', 'Requests', REQUESTS),
    folded('answers', 'Answers', ANSWERS),
    folded('problems', 'Problems', `${PROBLEMS_INTRODUCTION}\n\n${problemTable()}`),
  ].join('\n\n');
}

const TENANCY =
  "Everything belongs to the organization of the API key that is sent; another organization's objects answer exactly like missing ones.";

const REQUESTS = `- Send the key as \`Authorization: Bearer <API_KEY>\`. Each operation names the scope that the key needs, or takes any valid key; a write scope does not include the read scope.
- Bodies are JSON in UTF-8 (\`Content-Type: application/json\`) and may be sent with \`Content-Encoding: gzip\`: up to 6 MB as a function receives them, 10 MB at the gateway, and 1 MiB once unpacked (32 MiB for the confirmation of an import). They are nested at most 32 deep and have at most 200,000 values.
- Unknown members of a body and unknown query parameters are ignored. The superseded parameters \`starting_after\` and \`ending_before\` are refused with a 422.
- A POST may carry an \`Idempotency-Key\`: sent again under the same key within 24 hours, it gets its first answer again (with \`Idempotency-Replayed: true\`), and nothing is done twice. So a caller who has lost an answer sends the same again.
- What can be patched has an \`ETag\`. Send it as \`If-Match\` with a PATCH or DELETE to change only what you have seen, and as \`If-None-Match\` with a GET to be answered 304 without a body while nothing has changed.
- Decimal strings have at most 12 digits before and 6 after the point, no sign and no exponent, and go out as they came in. Currency codes are accepted in any case.`;

const ANSWERS = `- One resource: \`{"data": {...}}\`. A list: \`{"data": [...], "meta": {"total", "limit", "offset"}}\`. A deletion: \`{"success": true, "id": "..."}\`.
- Clients and invoices can also be listed with \`pagination=cursor\`: \`{"edges": [{"cursor", "node"}], "pageInfo": {...}, "totalCount"}\`, with a \`Link\` header to the other pages. \`first\` and \`after\` read on, \`last\` and \`before\` read back; edges always come in the order of the list. A cursor keeps its place while rows come and go, and is good for the order, direction and filter that it was given out with.
- Lists are newest first unless they say otherwise. Timestamps are ISO 8601 in UTC with milliseconds.
- Later versions may add members to answers and values to enumerations; ignore what you do not know.
- Every response has an \`x-request-id\`. Responses over 1 KiB are gzipped for clients that accept it.
- A key allows as many requests a minute as its rate limit says, as a bucket that refills evenly. \`RateLimit\` and \`RateLimit-Policy\` tell what is left; a 429 says in \`Retry-After\` how many seconds to wait. Some operations count as more than one request, and say so; one that counts as more than the whole limit takes all of it. What is refused before its work begins counts as one.`;

const PROBLEMS_INTRODUCTION =
  'Whatever goes wrong is answered as `application/problem+json` (RFC 9457). `code` is stable. A 400 and a 422 list in `errors` what is wrong with the request. An unknown path is `route_not_found`; a known path with another method is `method_not_allowed`, with `Allow`. What API Gateway answers before a function runs, or in its place, is `{"message": "..."}` without headers of ours: the 429 of the whole stage, a 413 over its own limits, a 400 for what is no HTTP, and a 500 or 503 where a function crashed or could not start.';

/** A heading that links can name. */
function heading(id: string, text: string): string {
  return `<h2 id="${id}">${text}</h2>`;
}

/** Folded, because it would push the operations out of sight. */
function folded(id: string, summary: string, content: string): string {
  return `<details id="${id}">\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

function problemTable(): string {
  const rows = PROBLEM_CODES.map(
    (code) => [statusOf(code), `[\`${code}\`](/problems/${code})`, PROBLEMS[code].title] as const,
  )
    .sort(([a], [b]) => a - b)
    .map((row) => `| ${row.join(' | ')} |`);
  return ['| status | code | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
