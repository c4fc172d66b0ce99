import type { OpenApiDocument } from '../document.ts';
import type { JsonSchema } from '../types.ts';
import { type Html, html } from './html.ts';
import { inline } from './markdown.ts';
import { inWords, isSchema } from './words.ts';

type Schemas = OpenApiDocument['components']['schemas'];

/** The members of an object. With `opens`, those of components below it are at hand, too. */
export function members({ properties, required }: JsonSchema, schemas: Schemas, opens: boolean): Html {
  const names = Array.isArray(required) ? required : [];
  const rows = Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, schema]) =>
    isSchema(schema) ? [member(name, schema, { isRequired: names.includes(name), schemas, opens })] : [],
  );
  return html`<dl class="members">${rows}</dl>`;
}

interface MemberOptions {
  readonly isRequired: boolean;
  readonly schemas: Schemas;
  readonly opens: boolean;
}

function member(name: string, schema: JsonSchema, { isRequired, schemas, opens }: MemberOptions): Html {
  const component = componentName(schema);
  const below = opens && component !== undefined ? schemas[component] : undefined;
  const description = schema.description ?? (component && schemas[component]?.description);
  return html`<dt><code>${name}</code> <span class="type">${inline(inWords(schema, linkTo))}</span>${
    opens && isRequired && html` <b class="required">required</b>`
  }</dt>
<dd>${typeof description === 'string' && inline(description)}${
    below && html`<details><summary>Members of ${component}</summary>${members(below, schemas, opens)}</details>`
  }</dd>`;
}

function componentName(schema: JsonSchema): string | undefined {
  const parts = [schema, schema.items, ...[schema.anyOf].flat()];
  const references = parts.flatMap((part) => (isSchema(part) && typeof part.$ref === 'string' ? [part.$ref] : []));
  return references[0]?.split('/').at(-1);
}

/** In Markdown. */
export function linkTo(reference: string): string {
  const name = reference.split('/').at(-1);
  return `[${name}](#schema-${name})`;
}
