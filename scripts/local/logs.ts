import type { Readable } from 'node:stream';

/** A line that a function wrote, or that the local cloud has to say about the function. */
export interface LogLine {
  readonly time: string;
  readonly functionName: string;
  readonly requestId?: string;
  /** The line itself if it is a JSON object, else `{level, message}`. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** Keeps nothing: readers have to subscribe. */
export class Logs {
  readonly #listeners = new Set<(line: LogLine) => void>();

  subscribe(listener: (line: LogLine) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  write(functionName: string, requestId: string | undefined, record: LogLine['record']): void {
    const line = { time: new Date().toISOString(), functionName, requestId, record };
    for (const listener of this.#listeners) listener(line);
  }

  follow(stream: Readable, level: 'INFO' | 'ERROR', functionName: string, requestId: () => string | undefined): void {
    let rest = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.trim() !== '') this.write(functionName, requestId(), recordOf(line, level));
      }
    });
    stream.once('end', () => {
      if (rest.trim() !== '') this.write(functionName, requestId(), recordOf(rest, level));
    });
  }
}

function recordOf(line: string, level: string): LogLine['record'] {
  if (line.startsWith('{')) {
    try {
      return JSON.parse(line);
    } catch {
      // Plain text.
    }
  }
  return { level, message: line };
}
