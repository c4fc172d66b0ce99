import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { assertPdfFits } from '#shared/domain/invoices/invoice-size.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { overloaded } from '#shared/domain/problems.ts';
import { millisecondsLeft } from '#shared/runtime/deadline.ts';
import type { Attached, Drawing } from './draw-invoice.ts';

/**
 * The same invoice gives the same bytes.
 *
 * @throws Problem `temporarily_unavailable` when there is no time left, `invoice_too_large`, `document_too_large`
 */
export async function renderInvoice(invoice: PrintedInvoice, attached: Attached = {}): Promise<Uint8Array> {
  const pdf = await drawn({ invoice, attached });
  assertPdfFits(pdf, attached.hours !== undefined);
  return pdf;
}

/** Each waits for the next drawing, with its fonts open. */
const idle: Worker[] = [];

/** Drawing lets nothing else in its thread run, so that only another one can end it. */
async function drawn(drawing: Drawing): Promise<Uint8Array> {
  const thread = idle.pop() ?? startThread();
  thread.ref();
  const milliseconds = Math.trunc(Math.min(millisecondsLeft(), LONGEST_MILLISECONDS));
  const deadline = AbortSignal.timeout(Math.max(0, milliseconds));
  try {
    thread.postMessage(drawing);
    const [pdf] = await once(thread, 'message', { signal: deadline });
    thread.unref();
    idle.push(thread);
    return pdf;
  } catch (error) {
    void thread.terminate();
    throw deadline.aborted ? overloaded() : error;
  }
}

/** The function has 1,024 MB. The largest invoices that are made need 250. */
const HEAP_MEGABYTES = 512;

/** No timer holds more. */
const LONGEST_MILLISECONDS = 2 ** 31 - 1;

/** pdfkit and fontkit are a bundle of their own, larger than that of the function, which a refused request does not load. */
function startThread(): Worker {
  const thread = new Worker(join(import.meta.dirname, `draw-invoice${extname(import.meta.filename)}`), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  // One that fails while it is being ended would end the function, if nobody listened.
  return thread.on('error', () => undefined);
}
