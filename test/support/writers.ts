import { access } from '#infra/access.ts';
import { type Endpoint, kebabCase } from '#shared/contract/endpoint.ts';

/** Whether an operation writes to the table. */
export const isWriter = ({ operationId }: Endpoint): boolean => access[kebabCase(operationId)]?.writes !== undefined;
