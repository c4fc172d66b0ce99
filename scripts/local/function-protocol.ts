/**
 * The messages between an instance of a function and its host. Events and results travel as JSON
 * text, as they do on Lambda.
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
  /** An `Int32Array` of one counter, over memory that both sides see: how often the instance was woken. */
  readonly wakings: SharedArrayBuffer;
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

export type InstanceMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'failure'; readonly failure: FunctionFailure };
