import { type Addresses, namePropertyOf, type PhysicalId, PSEUDO_PARAMETERS, physicalId } from './physical-ids.ts';
import { type Assembly, AssemblyError, type Resource, type Stack } from './template.ts';

/**
 * Resolves CloudFormation's intrinsic functions over a whole assembly: within a stack, between a stack and its nested
 * stacks, and across stacks by exports. Everything is resolved when it is asked for, so the order of stacks and
 * resources does not matter.
 */

/** Stands for `AWS::NoValue`: the property or element that holds it does not exist. */
const NO_VALUE = Symbol('AWS::NoValue');

export type Parameters = Readonly<Record<string, string>>;

type Intrinsic = (argument: unknown, stack: Stack) => unknown;

export class Resolver {
  readonly #assembly: Assembly;
  readonly #parameters: Parameters;
  readonly #addresses: Addresses;
  readonly #resources = new Map<Stack, Map<string, Resource>>();
  readonly #intrinsics: Readonly<Record<string, Intrinsic>> = {
    Ref: (argument, stack) => this.#ref(String(argument), stack),
    Condition: (argument, stack) => this.#condition(String(argument), stack),
    'Fn::GetAtt': (argument, stack) => this.#attribute(argument, stack),
    'Fn::Join': (argument, stack) => {
      const [separator, parts] = pair(argument);
      return list(this.resolve(parts, stack)).map(String).join(String(separator));
    },
    'Fn::Sub': (argument, stack) => this.#substitute(argument, stack),
    'Fn::Select': (argument, stack) => {
      const [index, values] = pair(argument);
      return list(this.resolve(values, stack))[Number(this.resolve(index, stack))];
    },
    'Fn::Split': (argument, stack) => {
      const [separator, text] = pair(argument);
      return String(this.resolve(text, stack)).split(String(separator));
    },
    'Fn::ImportValue': (argument, stack) => this.#import(String(this.resolve(argument, stack))),
    'Fn::If': (argument, stack) => {
      const [condition, whenTrue, whenFalse] = list(argument);
      return this.#resolve(this.#condition(String(condition), stack) ? whenTrue : whenFalse, stack);
    },
    'Fn::Equals': (argument, stack) => {
      const [left, right] = pair(this.resolve(argument, stack));
      return String(left) === String(right);
    },
    'Fn::Not': (argument, stack) => !list(this.resolve(argument, stack))[0],
    'Fn::And': (argument, stack) => list(this.resolve(argument, stack)).every(Boolean),
    'Fn::Or': (argument, stack) => list(this.resolve(argument, stack)).some(Boolean),
  };

  constructor(assembly: Assembly, parameters: Parameters, addresses: Addresses) {
    this.#assembly = assembly;
    this.#parameters = parameters;
    this.#addresses = addresses;
    for (const stack of assembly.stacks) this.#resources.set(stack, new Map());
    for (const resource of assembly.resources) this.#resources.get(resource.stack)?.set(resource.logicalId, resource);
    this.#rejectUnknownParameters();
  }

  /** The resources of these types that exist under the parameters. */
  resourcesOf(...types: string[]): Resource[] {
    return this.#assembly.resources.filter((resource) => types.includes(resource.type) && this.#exists(resource));
  }

  propertiesOf(resource: Resource): unknown {
    return this.resolve(resource.properties, resource.stack);
  }

  physicalIdOf(resource: Resource): PhysicalId {
    const property = namePropertyOf(resource.type);
    const explicit = property === undefined ? undefined : this.resolve(resource.properties[property], resource.stack);
    return physicalId(resource, typeof explicit === 'string' ? explicit : undefined, this.#addresses);
  }

  resolve(value: unknown, stack: Stack): unknown {
    const resolved = this.#resolve(value, stack);
    return resolved === NO_VALUE ? undefined : resolved;
  }

  #resolve(value: unknown, stack: Stack): unknown {
    if (Array.isArray(value)) {
      return value.map((element) => this.#resolve(element, stack)).filter((element) => element !== NO_VALUE);
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (entries.length === 1 && name !== undefined) {
      const intrinsic = this.#intrinsics[name];
      const isPolicyCondition = name === 'Condition' && typeof argument !== 'string';
      if (intrinsic && !isPolicyCondition) return intrinsic(argument, stack);
      if (name.startsWith('Fn::'))
        throw new AssemblyError(`The local cloud cannot resolve ${name} (in ${stack.name}).`);
    }
    const members = entries.map(([member, content]) => [member, this.#resolve(content, stack)] as const);
    return Object.fromEntries(members.filter(([, content]) => content !== NO_VALUE));
  }

  #rejectUnknownParameters(): void {
    const declared = new Set(
      this.#assembly.stacks.filter(({ parent }) => !parent).flatMap(({ template }) => Object.keys(template.Parameters)),
    );
    const unknown = Object.keys(this.#parameters).filter((name) => !declared.has(name));
    if (unknown.length > 0) throw new AssemblyError(`No stack has a parameter ${unknown.join(', ')}.`);
  }

  #exists({ condition, stack }: Resource): boolean {
    return condition === undefined || this.#condition(condition, stack);
  }

  #condition(name: string, stack: Stack): boolean {
    return Boolean(this.resolve(stack.template.Conditions[name], stack));
  }

  #ref(name: string, stack: Stack): unknown {
    if (name === 'AWS::NoValue') return NO_VALUE;
    if (name === 'AWS::StackName') return stack.name;
    if (name === 'AWS::StackId') return `arn:aws:cloudformation:local:stack/${stack.name}`;
    const pseudo = PSEUDO_PARAMETERS[name];
    if (pseudo !== undefined) return pseudo;
    if (name in stack.template.Parameters) return this.#parameter(name, stack);
    return this.physicalIdOf(this.#resource(name, stack)).ref;
  }

  #parameter(name: string, stack: Stack): unknown {
    const value = this.#argument(name, stack) ?? stack.template.Parameters[name]?.Default;
    if (value === undefined) throw new AssemblyError(`The parameter ${name} of ${stack.name} has no value.`);
    const isList = stack.template.Parameters[name]?.Type === 'CommaDelimitedList';
    return isList && typeof value === 'string' ? value.split(',').map((element) => element.trim()) : value;
  }

  /**
   * The value that a parameter is given. A nested stack gets it from its parent; any other stack gets it from the
   * code that boots the cloud.
   */
  #argument(name: string, { parent }: Stack): unknown {
    if (!parent) return this.#parameters[name];
    const passed = this.#resource(parent.logicalId, parent.stack).properties.Parameters;
    return typeof passed === 'object' && passed !== null && name in passed
      ? this.resolve(Reflect.get(passed, name), parent.stack)
      : undefined;
  }

  #attribute(argument: unknown, stack: Stack): unknown {
    const [logicalId, ...path] = typeof argument === 'string' ? argument.split('.') : list(argument).map(String);
    const attribute = path.join('.');
    const resource = this.#resource(String(logicalId), stack);
    if (resource.type === 'AWS::CloudFormation::Stack') return this.#nestedOutput(resource, attribute);
    const { ref, attributes } = this.physicalIdOf(resource);
    return attributes[attribute] ?? `${ref}.${attribute}`;
  }

  #nestedOutput(resource: Resource, attribute: string): unknown {
    const nested = this.#assembly.stacks.find(
      ({ parent }) => parent?.stack === resource.stack && parent.logicalId === resource.logicalId,
    );
    const output = nested?.template.Outputs[attribute.replace(/^Outputs\./, '')];
    if (!nested || !output) throw new AssemblyError(`${resource.logicalId} has no output ${attribute}.`);
    return this.resolve(output.Value, nested);
  }

  #import(exportName: string): unknown {
    for (const stack of this.#assembly.stacks) {
      for (const { Value, Export } of Object.values(stack.template.Outputs)) {
        if (Export && this.resolve(Export.Name, stack) === exportName) return this.resolve(Value, stack);
      }
    }
    throw new AssemblyError(`No stack exports ${exportName}.`);
  }

  /** `Fn::Sub`: `${Name}`, `${Name.Attribute}`, and `${!Literal}`. */
  #substitute(argument: unknown, stack: Stack): string {
    const [text, variables] = typeof argument === 'string' ? [argument, {}] : pair(argument);
    const values = this.resolve(variables, stack);
    return String(text).replace(/\$\{([^}]+)\}/g, (_, name: string) => {
      if (name.startsWith('!')) return `\${${name.slice(1)}}`;
      if (typeof values === 'object' && values !== null && name in values) return String(Reflect.get(values, name));
      return String(name.includes('.') ? this.#attribute(name, stack) : this.#ref(name, stack));
    });
  }

  #resource(logicalId: string, stack: Stack): Resource {
    const resource = this.#resources.get(stack)?.get(logicalId);
    if (!resource) throw new AssemblyError(`${stack.name} has no resource ${logicalId}.`);
    return resource;
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function pair(value: unknown): [unknown, unknown] {
  const [first, second] = list(value);
  return [first, second];
}
