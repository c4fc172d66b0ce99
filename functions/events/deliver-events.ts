import { consume } from '#shared/queue/consume.ts';
import { webhookMessage } from '#shared/queue/webhook-message.ts';
import { deliverEvents } from '#shared/work/events/deliver-events.ts';

/** Queue `webhooks`: sends the events that a webhook lacks, in their order. */
export const handler = consume(webhookMessage, deliverEvents);
