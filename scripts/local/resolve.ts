import { type Addresses, namePropertyOf, type PhysicalId, PSEUDO_PARAMETERS, physicalId } from './physical-ids.ts';
import { type Assembly, AssemblyError, type Resource, type Stack } from './template.ts';

/** Resolves the intrinsic functions of CloudFormation that our stacks use, when a value is asked for. */

export type Parameters = Readonly<Record<string, string>>;

/** Of stacks that are only looked at. */
const NOWHERE: Addresses = { aws: 'http://aws.test', api: 'http://api.test' };

type Intrinsic = (argument: unknown, stack: Stack) => unknown;

export class Resolver {
  readonly #assembly: Assembly;
  readonly #parameters: Parameters;
  readonly #addresses: Addresses;
  readonly #intrinsics: Readonly<Record<string, Intrinsic>> = {
    Ref: (argument, stack) => this.#ref(String(argument), stack),
    'Fn::GetAtt': (argument, stack) => this.#attribute(list(argument).map(String), stack),
    'Fn::ImportValue': (argument) => this.#import(String(argument)),
    'Fn::Join': (argument, stack) => {
      const [separator, parts] = list(argument);
      return list(this.resolve(parts, stack)).join(String(separator));
    },
    'Fn::Sub': (argument, stack) =>
      String(argument).replace(/\$\{([^${}]+)\}/g, (_, name: string) => String(this.#ref(name, stack))),
  };

  constructor(assembly: Assembly, parameters: Parameters = {}, addresses: Addresses = NOWHERE) {
    this.#assembly = assembly;
    this.#parameters = parameters;
    this.#addresses = addresses;
    this.#rejectUnknownParameters();
    this.#rejectConditions();
  }

  resourcesOf(...types: string[]): Resource[] {
    return this.#assembly.resources.filter(({ type }) => types.includes(type));
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
    if (Array.isArray(value)) return value.map((element) => this.resolve(element, stack));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name = '', argument] = entries[0] ?? [];
    const intrinsic = this.#intrinsics[name];
    if (intrinsic && entries.length === 1) return intrinsic(argument, stack);
    if (name.startsWith('Fn::')) throw new AssemblyError(`The local cloud cannot resolve ${name} (in ${stack.name}).`);
    return Object.fromEntries(entries.map(([member, content]) => [member, this.resolve(content, stack)]));
  }

  #rejectUnknownParameters(): void {
    const declared = new Set(
      this.#assembly.stacks.filter(({ parent }) => !parent).flatMap(({ template }) => Object.keys(template.Parameters)),
    );
    const unknown = Object.keys(this.#parameters).filter((name) => !declared.has(name));
    if (unknown.length > 0) throw new AssemblyError(`No stack has a parameter ${unknown.join(', ')}.`);
  }

  #rejectConditions(): void {
    const conditional = this.#assembly.resources.find(({ condition }) => condition !== undefined);
    if (conditional) throw new AssemblyError(`The local cloud knows no conditions, as ${conditional.logicalId} has.`);
  }

  #ref(name: string, stack: Stack): unknown {
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

  /** A nested stack gets its values from its parent. */
  #argument(name: string, { parent }: Stack): unknown {
    if (!parent) return this.#parameters[name];
    const passed = this.#resource(parent.logicalId, parent.stack).properties.Parameters;
    return typeof passed === 'object' && passed !== null && name in passed
      ? this.resolve(Reflect.get(passed, name), parent.stack)
      : undefined;
  }

  #attribute([logicalId = '', attribute = '']: readonly string[], stack: Stack): unknown {
    const output = /^Outputs\.(\w+)$/.exec(attribute)?.[1];
    if (output !== undefined) return this.#output(output, logicalId, stack);
    const value = this.physicalIdOf(this.#resource(logicalId, stack)).attributes[attribute];
    if (value === undefined) throw new AssemblyError(`The local cloud knows no ${logicalId}.${attribute}.`);
    return value;
  }

  /** An output of a nested stack. */
  #output(name: string, logicalId: string, stack: Stack): unknown {
    const nested = this.#assembly.stacks.find(
      ({ parent }) => parent?.stack === stack && parent.logicalId === logicalId,
    );
    const output = nested?.template.Outputs[name];
    if (!nested || !output) throw new AssemblyError(`${stack.name}/${logicalId} has no output ${name}.`);
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

  #resource(logicalId: string, stack: Stack): Resource {
    const resource = this.#assembly.resources.find((each) => each.stack === stack && each.logicalId === logicalId);
    if (!resource) throw new AssemblyError(`${stack.name} has no resource ${logicalId}.`);
    return resource;
  }
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}
