export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
}

/** The content type of the protocols that the emulators speak. */
export const AMZ_JSON = 'application/x-amz-json-1.0';
