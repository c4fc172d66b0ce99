/** One line of JSON each, between an instance of a function and its host. */

export interface InstanceSettings {
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
  readonly logGroup: string;
  readonly logStream: string;
}

export interface Invocation {
  readonly requestId: string;
  readonly event: string;
  readonly deadline: number;
  readonly traceId: string;
}

export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type Outcome =
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'failure'; readonly failure: FunctionFailure };

export type InstanceMessage =
  | { readonly kind: 'ready' }
  | (Outcome & { readonly processorMilliseconds: number })
  /** The last message of an instance that ends for something that nobody has caught. */
  | { readonly kind: 'crash'; readonly failure: FunctionFailure };
