import { _addIssue, type BaseIssue, type BaseValidation, type UnknownPathItem } from 'valibot';

/** A JSON Schema fragment for the OpenAPI document that says what the rule checks. */
export type JsonSchemaFragment = Readonly<Record<string, unknown>>;

interface RuleIssue<Input> extends BaseIssue<Input> {
  readonly kind: 'validation';
  readonly expected: string;
}

/** A validation with its own code and JSON Schema, for checks without a fitting built-in action in valibot. */
export interface Rule<Input> extends BaseValidation<Input, Input, RuleIssue<Input>> {
  readonly jsonSchema: JsonSchemaFragment;
}

/**
 * Makes a valibot pipe action. Only the issues have the code as their type. The action itself has another type, so
 * nobody mistakes it for valibot's action of the same name.
 *
 * @param code what `errors[].code` says when the rule is broken
 * @param expects what was expected, in words that fit after "expected"
 * @param jsonSchema the same for machines
 * @param member the member of an object that the issue points to
 */
/* @__NO_SIDE_EFFECTS__ */
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

function pathTo(input: unknown, key: string): [UnknownPathItem] {
  return [{ type: 'unknown', origin: 'value', input, key, value: undefined }];
}
