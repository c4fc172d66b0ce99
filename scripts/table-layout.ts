import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { acceptsLayout } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { acceptAnyLayout, layoutPut, otherLayout, readLayout } from '#shared/data/table/layout.ts';

interface OpenTable {
  /** Makes a new table say its layout, before its first organization. */
  sayLayout(): Promise<void>;
}

/** @throws Error that says what to do about another layout */
export async function openTable(): Promise<OpenTable> {
  acceptAnyLayout();
  const layout = await readLayout(database, TABLE_NAME);
  if (!acceptsLayout(layout)) throw new Error(otherLayout(TABLE_NAME, layout));
  return {
    sayLayout: async () => {
      if (layout === undefined) await database.send(new PutCommand(layoutPut(TABLE_NAME)));
    },
  };
}
