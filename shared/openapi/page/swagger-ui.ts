import type { OpenApiDocument, Operation, Response } from '../types.ts';

/** The used parts of Swagger UI and its React, whose bundle has no types. */

export type Node = object | string | null | false | readonly Node[];

export type Props = Readonly<Record<string, unknown>>;

export type Component = (props: never) => Node;

export interface React {
  createElement(type: string | Component, props: Props | null, ...children: readonly Node[]): Node;
  useState<T>(initial: T): [T, (value: T) => void];
}

/** An object of Immutable.js. */
interface Immutable<Value> {
  toJS(): Value;
  getIn(path: readonly string[]): unknown;
}

export interface SystemProps {
  readonly getComponent: (name: string, isContainer?: true) => Component;
  readonly getConfigs: () => Props;
  readonly specSelectors: {
    loadingStatus(): 'loading' | 'success' | 'failed' | 'failedConfig';
    specJson(): Immutable<OpenApiDocument>;
    specResolvedSubtree(path: readonly string[]): Immutable<Operation>;
  };
  readonly oas3Selectors: { responseContentType(path: string, method: string): string | undefined };
  readonly oas3Actions: {
    setResponseContentType(choice: { readonly value: string; readonly path: string; readonly method: string }): void;
  };
}

/** All references are resolved. */
export interface ResponsesProps extends SystemProps {
  readonly responses: Immutable<Readonly<Record<string, Response>>>;
  readonly tryItOutResponse: object | null;
  readonly path: string;
  readonly method: string;
  readonly specPath: { push(...steps: readonly string[]): object };
  readonly displayRequestDuration: boolean;
}

export interface ParameterMap {
  get(name: string): unknown;
  set(name: string, value: unknown): ParameterMap;
  delete(name: string): ParameterMap;
}

export interface Plugin {
  readonly components: Readonly<Record<string, Component>>;
  readonly wrapComponents: Readonly<
    Record<string, (original: Component, system: { readonly React: React }) => Component>
  >;
  readonly fn: {
    readonly resolveSubtree: (
      document: unknown,
      path: readonly string[],
    ) => Promise<{ readonly errors: readonly Error[]; readonly spec: unknown }>;
  };
  readonly statePlugins: Props;
}

export interface SwaggerUi {
  readonly layoutActions: { parseDeepLinkHash(hash: string): void };
}

export type SwaggerUiBundle = (options: Props) => SwaggerUi;
