import { type FunctionDefinition, functionsOf, tables } from '#infra/functions.ts';
import { kebabCase } from '#shared/contract/endpoint.ts';

/**
 * How often a team of ten people calls what in a month of 21 days, as we assume it: each looks at the timer and at lists
 * of work all day, books six pieces of work a day, and the team bills 20 clients. A sync runs every hour of the month.
 */
export const TEAM_MONTH: Readonly<Record<string, number>> = {
  getMe: 420,
  getActiveTimer: 4_200,
  startTimer: 840,
  stopTimer: 840,
  createEntry: 420,
  listEntries: 2_100,
  summarizeEntries: 1_050,
  listProjects: 1_050,
  listProducts: 210,
  createClient: 5,
  createInvoice: 20,
  sendInvoice: 20,
  getInvoicePdf: 40,
  confirmRemoteSync: 21,
  syncConnection: 720,
};

/** Answers that are not as small as most. */
export const ANSWER_KILOBYTES: Readonly<Record<string, number>> = { getInvoicePdf: 60 };

/** @throws Error for an operation that there is not */
export function functionOf(operation: string): FunctionDefinition {
  const definition = functionsOf(tables).find(({ name }) => name === kebabCase(operation));
  if (!definition) throw new Error(`There is no function of ${operation}.`);
  return definition;
}
