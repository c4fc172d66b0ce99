import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { PRIVATE_FILE_MODE } from '#scripts/local/private-files.ts';
import { asError } from '#shared/runtime/error.ts';

/** When a line would exceed the limit, the file becomes `<path>.1`, and the line begins a new one. */
export class LogFile {
  readonly #path: string;
  readonly #maximumBytes: number;
  #file: number;
  #bytes: number;
  #isFailing = false;

  constructor(path: string, maximumBytes: number) {
    this.#path = path;
    this.#maximumBytes = maximumBytes;
    this.#file = openSync(path, 'a', PRIVATE_FILE_MODE);
    this.#bytes = fstatSync(this.#file).size;
  }

  /**
   * The line is written when this returns. A process that dies has then said all that it had to say. A full disk takes
   * no lines: that is told once, and stops nothing.
   */
  write(line: string): void {
    try {
      this.#append(line);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) console.error(`${this.#path} lacks lines from here on: ${asError(error).message}`);
      this.#isFailing = true;
    }
  }

  #append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#maximumBytes) this.#rotate();
    writeSync(this.#file, bytes);
    this.#bytes += bytes.length;
  }

  #rotate(): void {
    closeSync(this.#file);
    renameSync(this.#path, `${this.#path}.1`);
    this.#file = openSync(this.#path, 'a', PRIVATE_FILE_MODE);
    this.#bytes = 0;
  }
}
