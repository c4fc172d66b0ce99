/** An error as an AWS service of the JSON protocol answers it. */
export class ServiceError extends Error {
  readonly status: number;
  readonly type: string;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }

  get body(): string {
    return JSON.stringify({ __type: this.type, message: this.message });
  }
}
