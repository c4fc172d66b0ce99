/**
 * The messages between an instance of a function and its host: one line of JSON each. Events and results inside are
 * JSON text, as they are on Lambda.
 */

export interface InstanceSettings {
  /** The path, without extension, of the file that the `Handler` names. */
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
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly traceId: string;
}

export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** What became of an event. */
export type Outcome =
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'failure'; readonly failure: FunctionFailure };

export type InstanceMessage =
  | { readonly kind: 'ready' }
  /** With the time that the processor has worked on the event. */
  | (Outcome & { readonly processorMilliseconds: number })
  /** The last message of an instance that ends for something that nobody has caught. */
  | { readonly kind: 'crash'; readonly failure: FunctionFailure };
