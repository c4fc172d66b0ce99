import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { readCollection } from '#shared/data/dynamo/collection.ts';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { readItem } from '#shared/data/dynamo/item.ts';
import {
  type Key,
  organizationKey,
  organizationNameKey,
  organizationPartition,
  userNameKey,
} from '#shared/data/dynamo/keys.ts';
import { fold } from '#shared/domain/text.ts';

/** Organizations and users by name: the first mention makes them, and every later mention finds the same id. */

const organization = v.object({ id: v.string(), name: v.string(), currency: v.string() });

export type Organization = v.InferOutput<typeof organization>;

const user = v.object({ id: v.string(), name: v.string() });

/**
 * Every mention also stores the organization by its id. A key knows only this id, and finds the name by it.
 *
 * @param name without space around it
 * @param currency the default currency, if this is the organization's first mention
 */
export async function ensureOrganization(name: string, currency: string): Promise<Organization> {
  const created = { id: uuidV7(), name, currency };
  const found = v.parse(organization, await findOrCreate(organizationNameKey(fold(name)), created));
  await database.send(new PutCommand({ TableName: TABLE_NAME, Item: { ...organizationKey(found.id), ...found } }));
  return found;
}

/** @returns undefined if the organization was last mentioned before organizations were stored by id too */
export async function findOrganizationName(id: string): Promise<string | undefined> {
  const item = await readItem(organizationKey(id));
  return v.parse(v.optional(organization), item)?.name;
}

/** @param name without space around it */
export async function ensureUser(organizationId: string, name: string): Promise<v.InferOutput<typeof user>> {
  const created = { id: uuidV7(), name };
  return v.parse(user, await findOrCreate(userNameKey(organizationId, fold(name)), created));
}

/** The organization with this name, or undefined. @param name without space around it */
export async function findOrganization(name: string): Promise<Organization | undefined> {
  return v.parse(v.optional(organization), await readItem(organizationNameKey(fold(name))));
}

/** All organizations, by name. */
export async function listOrganizations(): Promise<Organization[]> {
  const organizations = await readCollection({ partition: organizationPartition });
  return organizations.map((item) => v.parse(organization, item)).sort((a, b) => a.name.localeCompare(b.name));
}

/** The put decides between two first mentions at the same moment. The loser reads what the winner wrote. */
async function findOrCreate(key: Key, created: Record<string, string>): Promise<unknown> {
  const found = await readItem(key);
  if (found) return found;
  try {
    await database.send(
      new PutCommand({
        TableName: TABLE_NAME,
        Item: { ...key, ...created },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
    return created;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return readItem(key);
    throw error;
  }
}
