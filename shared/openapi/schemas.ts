import { isDeepStrictEqual } from 'node:util';
import { type ConversionConfig, type JsonSchema as ConvertedSchema, toJsonSchema } from '@valibot/to-json-schema';
import { type GenericSchema, getDescription, type ObjectEntries } from 'valibot';
import { isExplained } from '#shared/contract/meaning.ts';
import type { JsonSchema } from './types.ts';

/** Valibot schemas as JSON Schemas. A schema with a title (`v.title('Product')`) becomes a component. */
export interface SchemaRegistry {
  /** As callers send it: a member with a default may be absent. */
  readonly ofInput: (schema: GenericSchema) => JsonSchema;
  /** As callers get it: a member with a default is always present. */
  readonly ofOutput: (schema: GenericSchema) => JsonSchema;
  /** By name, in alphabetical order */
  readonly components: () => Record<string, JsonSchema>;
}

/** @param responses get their names first, so that names do not depend on the order of use */
export function schemaRegistry(responses: readonly GenericSchema[]): SchemaRegistry {
  const components: Components = new Map();
  const ofOutput = (schema: GenericSchema) => toObject(hoist(convert(schema, 'output'), '', components));
  responses.forEach(ofOutput);
  return {
    ofInput: (schema) => toObject(hoist(convert(schema, 'input'), 'Input', components)),
    ofOutput,
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

export function schemaReference(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

type Components = Map<string, JsonSchema>;

type Mode = 'input' | 'output';

function convert(schema: GenericSchema, typeMode: Mode): JsonSchema {
  const overrideSchema: ConversionConfig['overrideSchema'] = ({ valibotSchema, jsonSchema }) => {
    if ('entries' in valibotSchema) return withRequired(jsonSchema, valibotSchema.entries as ObjectEntries, typeMode);
    // The rules after a custom schema describe what it tests.
    return valibotSchema.type === 'custom' ? jsonSchema : undefined;
  };
  const ignoreActions = ['metadata'];
  const config: ConversionConfig = {
    target: 'draft-2020-12',
    typeMode,
    ignoreActions,
    overrideAction,
    overrideSchema,
  };
  const { $schema: _, ...converted } = toJsonSchema(schema, config);
  return converted;
}

/** The converter makes members with a default optional in responses too. */
function withRequired(
  { required: _, ...rest }: ConvertedSchema,
  entries: ObjectEntries,
  typeMode: Mode,
): ConvertedSchema {
  const required = Object.entries(entries)
    .filter(([, entry]) => isRequired(entry) || (typeMode === 'output' && hasDefault(entry)))
    .map(([name]) => name);
  return required.length > 0 ? { ...rest, required } : rest;
}

export function isRequired({ type }: ObjectEntries[string]): boolean {
  return !OPTIONAL.has(type);
}

function hasDefault(entry: ObjectEntries[string]): boolean {
  return 'default' in entry && entry.default !== undefined;
}

const OPTIONAL: ReadonlySet<string> = new Set(['exact_optional', 'nullish', 'optional']);

/** Actions that JSON Schema cannot express. The member's description must state them. */
const WITHOUT_SCHEMA: ReadonlySet<string> = new Set([
  'check',
  'partial_check',
  'raw_check',
  'to_lower_case',
  'to_upper_case',
  'trim',
]);

/** The description of the component. A description after its title is about one use of it. */
const OWN_DESCRIPTION = 'x-own-description';

const overrideAction: ConversionConfig['overrideAction'] = ({ valibotAction, jsonSchema }) => {
  if (isExplained(valibotAction)) return withMeanings(jsonSchema, valibotAction.by);
  if (valibotAction.type === 'title') return { ...jsonSchema, [OWN_DESCRIPTION]: jsonSchema.description };
  if ('jsonSchema' in valibotAction) return { ...jsonSchema, ...toObject(valibotAction.jsonSchema) };
  return WITHOUT_SCHEMA.has(valibotAction.type) ? jsonSchema : undefined;
};

function withMeanings(schema: ConvertedSchema, by: ObjectEntries): ConvertedSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const description = by[name] && getDescription(by[name]);
    return [name, description && typeof member === 'object' ? { description, ...member } : member];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Keywords whose values are data, in which a member `title` names no component. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** Replaces every titled schema by a reference to a component, innermost first. */
function hoist(value: unknown, suffix: string, components: Components): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, suffix, components));
  if (!isObject(value)) return value;
  const inner = Object.entries(value).map(([key, child]) => [
    key,
    DATA_KEYWORDS.has(key) ? child : hoist(child, suffix, components),
  ]);
  const schema = withNullType(Object.fromEntries(inner));
  if (typeof schema.title !== 'string') return schema;
  const { [OWN_DESCRIPTION]: own, description, ...rest } = schema;
  const named = { ...(own !== undefined && { description: own }), ...rest };
  const component = suffix === '' ? named : withDefaultsInWords(named);
  const reference = schemaReference(register(schema.title, component, suffix, components));
  return description === own ? reference : { ...reference, description };
}

/** Generated clients would require callers to send a member with a `default`. */
function withDefaultsInWords(schema: JsonSchema): JsonSchema {
  if (!isObject(schema.properties)) return schema;
  const members = Object.entries(schema.properties).map(([name, member]) => {
    if (!isObject(member) || !('default' in member)) return [name, member];
    const { default: value, description, ...rest } = member;
    const told = [description, `By default \`${JSON.stringify(value)}\`.`].filter(Boolean).join(' ');
    return [name, { ...rest, description: told }];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

/** A schema that is sent and returned in different shapes has two components: the name of the first ends in `Input`. */
function register(title: string, schema: JsonSchema, suffix: string, components: Components): string {
  const name = [title, `${title}${suffix}`].find((candidate) => {
    const known = components.get(candidate);
    return known === undefined || isDeepStrictEqual(known, schema);
  });
  if (!name) throw new Error(`Two different schemas have the title ${title}.`);
  components.set(name, schema);
  return name;
}

/** `anyOf: [{type: 'string', ...}, {type: 'null'}]` becomes the shorter `{type: ['string', 'null'], ...}`. */
function withNullType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return schema;
  const [main] = anyOf;
  const isSimple = typeof main.type === 'string' && !('enum' in main) && !('const' in main);
  return isSimple ? { ...main, ...rest, type: [main.type, 'null'] } : schema;
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function toObject(value: unknown): JsonSchema {
  if (!isObject(value)) throw new Error('A JSON Schema of the contract is an object.');
  return value;
}
