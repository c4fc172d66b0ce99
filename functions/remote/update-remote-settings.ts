import { updateRemoteSettings } from '#shared/contract/remote/update-remote-settings.ts';
import { getConnection, saveConnection } from '#shared/data/remote/connection.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { presentConnection, reviseSettings } from '#shared/domain/remote/connection.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/work/tracker/remote/settings: switches the scheduled sync on or off, and sets its interval. */
export const handler = implement(updateRemoteSettings, {
  load: ({ principal }) => getConnection(principal.organizationId),
  show: presentConnection,
  run: ({ body, principal, now, fresh, answer }) =>
    retrying(fresh, async (connection) => {
      const changed = reviseSettings(connection, body);
      const shown = presentConnection(changed, now);
      const updated = happening('remote.updated', { id: principal.organizationId });
      await saveConnection(connection, changed, await answer(shown, updated));
      return shown;
    }),
});
