import * as v from 'valibot';
import { StartError } from '#scripts/local/errors.ts';
import { createClient } from '#shared/contract/clients/create-client.ts';
import { listClients } from '#shared/contract/clients/list-clients.ts';
import { type Endpoint, filledPath } from '#shared/contract/endpoint.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { createPayment } from '#shared/contract/invoices/create-payment.ts';
import { payInvoice } from '#shared/contract/invoices/pay-invoice.ts';
import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import type { Demo } from './demo.ts';

/** A month of a team's work, made over HTTP as a front end would. On the same day it is always the same. */

const DAYS = 30;
const MILLISECONDS_PER_DAY = 86_400_000;

/** Long enough to send all requests. */
const KEY_MILLISECONDS = 10 * 60_000;

const SELLER = {
  legalName: 'Demo Studio LLC',
  email: 'billing@demo-studio.example',
  addressLine1: '12 Harbor Street',
  city: 'Portland',
  region: 'OR',
  postalCode: '97201',
  countryCode: 'US',
  taxNumber: '93-1234567',
  bankDetails: 'Harbor Bank, account 000123456789, routing 123000220',
  paymentTermsDays: 14,
};

const CLIENTS = [
  {
    name: 'Globex Corporation',
    email: 'accounts@globex.example',
    addressLine1: '742 Evergreen Terrace',
    city: 'Springfield',
    region: 'OR',
    postalCode: '97477',
    countryCode: 'US',
    currency: 'USD',
  },
  {
    name: 'Northwind Traders GmbH',
    email: 'rechnung@northwind.example',
    addressLine1: 'Lindenallee 12',
    city: 'Hamburg',
    postalCode: '20095',
    countryCode: 'DE',
    currency: 'EUR',
  },
  {
    name: '株式会社さくら',
    email: 'keiri@sakura.example',
    addressLine1: '千代田1-1',
    city: '東京',
    postalCode: '100-0001',
    countryCode: 'JP',
    currency: 'JPY',
  },
];

const PROJECTS = [
  { client: 0, billable: true, name: 'Website', code: 'GLX-1', rate: 95, currency: 'USD', estimateHours: 120 },
  { client: 1, billable: true, name: 'Warehouse app', code: 'NWT-1', rate: 110, currency: 'EUR', estimateHours: 200 },
  { client: 2, billable: true, name: '多言語サイト', code: 'SKR-1', rate: 15_000, currency: 'JPY', estimateHours: 80 },
  { client: 0, billable: true, name: 'Data platform', code: 'GLX-2', rate: 137.5, currency: 'USD', estimateHours: 160 },
  { client: null, billable: false, name: 'Internal', code: 'INT', rate: null, currency: 'USD', estimateHours: null },
];

const PEOPLE = ['Ana Lima', 'Björn Åkesson', 'Mei Tanaka'];

const TASKS = ['Design of the start page', 'Development', 'Review with the client', 'Tests', 'Planning', 'Research'];

const MINUTES = [90, 240, 150, 195, 60, 210, 120];

/** @returns false if they are there already */
export async function addDemoData(url: string, { userName, keyFor }: Demo, now: Date): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + KEY_MILLISECONDS).toISOString();
  const apiKey = await keyFor(userName, expiresAt);
  if (await isThere(url, apiKey)) return false;
  const send = sender(url, apiKey);
  const team = await inTurn(PEOPLE, async (person) => sender(url, await keyFor(person, expiresAt)));
  await send(updateOrganization, SELLER);
  const clientIds = await inTurn(CLIENTS, (client) => send(createClient, client));
  const projectIds = await inTurn(PROJECTS, ({ client, ...project }) =>
    send(createProject, { ...project, clientId: client === null ? null : clientIds[client] }),
  );
  await book(team, projectIds, now);
  await bill(send, clientIds, now);
  return true;
}

async function isThere(url: string, apiKey: string): Promise<boolean> {
  const query = new URLSearchParams({ q: CLIENTS[0]?.name ?? '' });
  const answer = await fetch(`${url}${listClients.path}?${query}`, { headers: { Authorization: `Bearer ${apiKey}` } });
  return v.parse(page, await answer.json()).meta.total > 0;
}

const page = v.object({ meta: v.object({ total: v.number() }) });

/** Two entries of each person on each workday. */
async function book(team: readonly Send[], projectIds: readonly string[], now: Date): Promise<void> {
  for (let age = DAYS; age > 0; age--) {
    const day = daysAgo(now, age);
    if (day.getUTCDay() % 6 === 0) continue;
    for (const [person, send] of team.entries()) {
      for (const slot of [0, 1]) {
        const project = (age + person * 2 + slot) % PROJECTS.length;
        await send(createEntry, {
          entryDate: dateOf(day),
          description: TASKS[(age * 5 + person + slot * 3) % TASKS.length],
          durationMinutes: MINUTES[(age + person * 3 + slot * 2) % MINUTES.length],
          projectId: projectIds[project],
          billable: PROJECTS[project]?.billable,
        });
      }
    }
  }
}

/** One invoice is paid, one is paid in part, and one is a draft. The second half of the month is not billed yet. */
async function bill(send: Send, clientIds: readonly string[], now: Date): Promise<void> {
  const issued = DAYS / 2;
  const days = { dateFrom: dateOf(daysAgo(now, DAYS)), dateTo: dateOf(daysAgo(now, issued + 1)) };
  const invoice = (client: number, more: object) =>
    send(createInvoice, {
      clientId: clientIds[client],
      issueDate: dateOf(daysAgo(now, issued)),
      timeEntries: { ...days, groupBy: 'project' },
      ...more,
    });
  const paid = await invoice(0, { lineItems: [{ name: 'Hosting', price: '49.90' }] });
  await send(sendInvoice, {}, paid);
  await send(payInvoice, {}, paid);
  const due = await invoice(1, { locale: 'de', timeEntries: { ...days, groupBy: 'project', taxRate: '19' } });
  await send(sendInvoice, {}, due);
  await send(createPayment, { amount: '1000.00', method: 'Bank transfer' }, due);
  await invoice(2, { locale: 'ja', timeEntries: { ...days, groupBy: 'day', taxRate: '10' } });
}

function daysAgo(now: Date, age: number): Date {
  return new Date(now.getTime() - age * MILLISECONDS_PER_DAY);
}

/** @returns the id of the resource in the response */
type Send = (endpoint: Endpoint, body: object, id?: string) => Promise<string>;

const response = v.object({ data: v.object({ id: v.string() }) });

function sender(url: string, apiKey: string): Send {
  return async ({ method, path, summary }, body, id = '') => {
    const answer = await fetch(url + filledPath(path, { id }), {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new StartError(`The demo data are not complete. ${summary}: ${text}`);
    return v.parse(response, JSON.parse(text)).data.id;
  };
}

/** One after another, so that lists have one order. */
async function inTurn<Item, Made>(items: readonly Item[], make: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}
