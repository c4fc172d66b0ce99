import type { HttpAnswer } from './http-answer.ts';

/**
 * API Gateway answers so by itself, before a function runs or in place of a function. An HTTP API has no way
 * to change these answers.
 */
const MESSAGES = {
  400: 'Bad Request',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

type Status = keyof typeof MESSAGES;

export class GatewayRefusal extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(MESSAGES[status]);
    this.status = status;
  }

  get answer(): HttpAnswer {
    const body = JSON.stringify({ message: this.message });
    return { status: this.status, headers: { 'content-type': 'application/json' }, body };
  }
}
