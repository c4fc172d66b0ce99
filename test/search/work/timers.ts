import type { User } from '#test/support/given.ts';
import { Register } from './register.ts';
import type { Scene } from './scene.ts';
import { TRACKER } from './vocabulary.ts';

/** Acts on the timer of a user. */

export async function start({ crew, projectIds, records }: Scene, by: User): Promise<void> {
  const description = crew.newText();
  const session = { register: new Register(), userId: by.userId };
  records.sessions.set(description, session);
  const body = { description, projectId: crew.dice.pick(projectIds) };
  const sent = await crew.send(by, 'start timer', 'POST', `${TRACKER}/timer/start`, { body });
  session.register.note(sent, 'running');
  // A refusal shows the session that runs, perhaps one whose start was never answered.
  const shown = sent.status === 201 ? sent.body.data : sent.body.session;
  if (!shown) return;
  const running = records.sessions.get(shown.description);
  if (running?.userId !== by.userId)
    return crew.blame(`The timer ${shown.description} runs, and nobody has started it`);
  running.id = shown.id;
  running.register.see(sent, ['running']);
}

export async function end(scene: Scene, by: User): Promise<void> {
  const { crew, records } = scene;
  const own = [...records.sessions.values()].filter(({ id, userId }) => id !== undefined && userId === by.userId);
  const session = own.findLast(({ register }) => register.mayLeave('running'));
  if (!session) return start(scene, by);
  const [verb, state] = crew.dice.chance(0.7) ? ['stop', 'stopped'] : ['discard', 'discarded'];
  const sent = await crew.send(by, `${verb} timer`, 'POST', `${TRACKER}/timer/${session.id}/${verb}`);
  session.register.note(sent, state);
  if (sent.status === 409) session.register.see(sent, [sent.body.session.status]);
}
