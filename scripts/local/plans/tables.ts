import * as v from 'valibot';
import type { Resolver } from '../resolve.ts';
import { flag, named, parse } from './properties.ts';

const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const tableProperties = v.object({
  KeySchema: keySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: keySchema,
        Projection: v.object({
          ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: v.optional(v.array(v.string())),
        }),
      }),
    ),
    [],
  ),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.optional(v.string()), Enabled: flag })),
});

export interface TablePlan extends v.InferOutput<typeof tableProperties> {
  readonly name: string;
  readonly arn: string;
}

export function tablePlans(resolver: Resolver): TablePlan[] {
  return resolver
    .resourcesOf('AWS::DynamoDB::GlobalTable')
    .map((resource) => ({ ...named(resolver, resource), ...parse(resolver, resource, tableProperties) }));
}
