/** An error as an AWS service of the JSON protocol answers it. */
export class ServiceError extends Error {
  readonly status: number;
  readonly type: string;
  readonly #more: object;

  /** @param more other members of the answer's body */
  constructor(type: string, message: string, status = 400, more: object = {}) {
    super(message);
    this.type = type;
    this.status = status;
    this.#more = more;
  }

  get body(): string {
    return JSON.stringify({ __type: this.type, message: this.message, ...this.#more });
  }
}
