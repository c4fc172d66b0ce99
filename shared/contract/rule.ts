import { _addIssue, type BaseIssue, type BaseValidation, type GenericSchema, type UnknownPathItem } from 'valibot';

/** For the OpenAPI document. */
export type JsonSchemaFragment = Readonly<Record<string, unknown>>;

interface RuleIssue<Input> extends BaseIssue<Input> {
  readonly kind: 'validation';
  readonly expected: string;
}

/** A validation that valibot has no action for, with its own code and JSON Schema. */
export interface Rule<Input> extends BaseValidation<Input, Input, RuleIssue<Input>> {
  readonly jsonSchema: JsonSchemaFragment;
}

/**
 * Only issues have the code as their type: an action of that type could be mistaken for valibot's own.
 * @param code for `errors[].code`
 * @param expects words that fit after "expected"
 * @param member of the object, to which the issue points
 */
export function rule<Input>(
  code: string,
  expects: string,
  jsonSchema: JsonSchemaFragment,
  test: (input: Input) => boolean,
  member?: string,
): Rule<Input> {
  return {
    kind: 'validation',
    type: 'rule',
    reference: rule,
    async: false,
    expects,
    jsonSchema,
    '~run'(dataset, config) {
      if (dataset.typed && !test(dataset.value)) {
        const path = member === undefined ? undefined : pathTo(dataset.value, member);
        _addIssue({ ...this, type: code }, code, dataset, config, { expected: expects, path });
      }
      return dataset as ReturnType<Rule<Input>['~run']>;
    },
  };
}

/** @param others keywords of the JSON Schema beside the pattern */
export function matching(code: string, expects: string, pattern: RegExp, others: JsonSchemaFragment = {}) {
  return rule(code, expects, { pattern: pattern.source, ...others }, (input: string) => pattern.test(input));
}

/** @param member of the object, to which the issue points */
export function distinct<Input>(expects: string, valuesOf: (input: Input) => readonly unknown[], member?: string) {
  const areDistinct = (values: readonly unknown[]) => new Set(values).size === values.length;
  return rule('unique', expects, {}, (input: Input) => areDistinct(valuesOf(input)), member);
}

/**
 * Advises callers who send a value of another type how to send theirs. The issue carries the advice as its requirement,
 * which no schema of valibot has.
 */
export function advising<Schema extends GenericSchema>(schema: Schema, advice: (sent: unknown) => string): Schema {
  return { ...schema, requirement: advice };
}

function pathTo(input: unknown, key: string): [UnknownPathItem] {
  return [{ type: 'unknown', origin: 'value', input, key, value: undefined }];
}
