/** The part of CloudWatch's metric math that our alarms use, for one period. */

/** Undefined: nothing was measured. */
export type Value = number | undefined;

type Values = ReadonlyMap<string, Value>;

const OPERATORS: readonly Readonly<Record<string, (left: number, right: number) => number>>[] = [
  { '>': (left, right) => Number(left > right) },
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right, '/': (left, right) => left / right },
];

const FUNCTIONS: Readonly<Record<string, (...values: readonly Value[]) => Value>> = {
  FILL: (value, instead) => value ?? instead,
  IF: (condition, then, otherwise) => (condition === undefined ? undefined : condition ? then : otherwise),
};

export function evaluate(expression: string, values: Values): Value {
  const tokens = expression.match(/\w+|[^\s\w]/g) ?? [];
  const value = operation(tokens, values, 0);
  if (tokens.length > 0) throw new Error(`"${expression}" ends before "${tokens.join(' ')}".`);
  return value;
}

/** Takes what it reads off the tokens. @param level operators that bind more tightly have a higher one */
function operation(tokens: string[], values: Values, level: number): Value {
  const operators = OPERATORS[level];
  if (!operators) return operand(tokens, values);
  let left = operation(tokens, values, level + 1);
  for (let operator = operators[tokens[0] ?? '']; operator; operator = operators[tokens[0] ?? '']) {
    tokens.shift();
    const right = operation(tokens, values, level + 1);
    const result = left === undefined || right === undefined ? Number.NaN : operator(left, right);
    left = Number.isFinite(result) ? result : undefined;
  }
  return left;
}

function operand(tokens: string[], values: Values): Value {
  const token = tokens.shift() ?? '';
  if (/^\d+$/.test(token)) return Number(token);
  const run = FUNCTIONS[token];
  if (run) return run(...list(tokens, values));
  if (!values.has(token)) throw new Error(`No alarm has had "${token}" yet.`);
  return values.get(token);
}

function list(tokens: string[], values: Values): Value[] {
  const found: Value[] = [];
  do {
    tokens.shift();
    found.push(operation(tokens, values, 0));
  } while (tokens[0] === ',');
  if (tokens.shift() !== ')') throw new Error('A list of values has no end.');
  return found;
}
