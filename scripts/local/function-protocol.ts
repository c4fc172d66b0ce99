/**
 * Between an instance of a function and its host, one line of JSON each: first the settings, which make a process an
 * instance, and then the events. Behind that of a result and a tab comes the result, as it is: to quote a large one once
 * more would take longer than all else here.
 */

export interface InstanceSettings {
  readonly file: string;
  readonly exportName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
  readonly logGroup: string;
  readonly logStream: string;
  readonly environment: Readonly<Record<string, string>>;
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

export type Outcome = { readonly kind: 'result' } | { readonly kind: 'failure'; readonly failure: FunctionFailure };

export type InstanceMessage =
  | { readonly kind: 'ready' }
  | (Outcome & { readonly processorMilliseconds: number })
  /** The last message of an instance that ends for something that nobody has caught. */
  | { readonly kind: 'crash'; readonly failure: FunctionFailure };
