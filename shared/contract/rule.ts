import { _addIssue, type BaseIssue, type BaseValidation, type UnknownPathItem } from 'valibot';

/** A JSON Schema fragment that says what the rule checks, for the OpenAPI document. */
export type JsonSchemaFragment = Readonly<Record<string, unknown>>;

interface RuleIssue<Input> extends BaseIssue<Input> {
  readonly kind: 'validation';
  readonly expected: string;
}

/** A validation with a code of its own and a JSON Schema, where valibot's built-in actions have no fitting one. */
export interface Rule<Input> extends BaseValidation<Input, Input, RuleIssue<Input>> {
  readonly jsonSchema: JsonSchemaFragment;
}

/**
 * Makes a valibot pipe action. Only its issues bear the code as their type: the action itself does not, so that nobody takes it for
 * valibot's own of the same name.
 *
 * @param code what `errors[].code` says when the rule is broken
 * @param expects what was expected, in words that fit behind "expected"
 * @param jsonSchema the same for machines
 * @param member of an object: the one that is complained about
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
