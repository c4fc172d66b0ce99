import { getService } from '#shared/contract/meta/get-service.ts';
import { SERVICE } from '#shared/contract/meta/service.ts';
import { implementPublic } from '#shared/http/implement-public.ts';

/** GET /: name and version of the service, and where to read on. */
export const handler = implementPublic(getService, async () => SERVICE);
