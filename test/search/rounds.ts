import type { Cloud } from '#scripts/local/cloud.ts';
import { given, type User } from '#test/support/given.ts';
import { Dice, weighted } from './dice.ts';
import { Findings } from './findings.ts';
import { Crew, times } from './work/crew.ts';
import * as imports from './work/imports.ts';
import * as invoicing from './work/invoicing.ts';
import { reckon } from './work/reckoning.ts';
import { newScene, type Scene } from './work/scene.ts';
import * as things from './work/things.ts';
import * as timers from './work/timers.ts';

/**
 * Rounds of callers who do random things to the same few objects at once, as people do. Each round has an organization of its own, so that an
 * error in one does not show in the next. In the end, all that is there is what the answers have told, and every sum equals a recount.
 */

export type Act = (scene: Scene, by: User) => Promise<unknown>;

interface Work {
  readonly acts: readonly (readonly [weight: number, act: Act])[];
  readonly entries: number;
  /** How many rows each batch has. */
  readonly batches: readonly number[];
  readonly isBilled: boolean;
}

/** The same entries are billed, changed, sent, voided, deleted, edited, imported and undone. */
const BILLING: Work = {
  entries: 8,
  /** One of them takes several transactions to bill. */
  batches: [8, 8, 150],
  isBilled: true,
  acts: [
    [2, invoicing.billAtOnce],
    [8, invoicing.changeLines],
    [1, invoicing.goOn],
    [5, invoicing.giveUp],
    [4, things.edit],
    [1, things.removeEntry],
    [1, things.book],
    [2, imports.importAgain],
    [1, imports.undo],
  ],
};

/** The same few rows are imported, undone, deleted and imported again with other content, while others change what they have read. */
const COMEBACKS: Work = {
  entries: 0,
  /** One for each door. */
  batches: [4, 4],
  isBilled: false,
  acts: [
    [2, imports.importAgain],
    [1, imports.undo],
    [4, imports.comeBack],
    [4, things.edit],
    [1, things.removeEntry],
    [1, things.readFree],
  ],
};

/** All that there is to do. */
export const EVERYTHING: Work = {
  entries: 8,
  batches: [8, 8],
  isBilled: true,
  acts: [
    ...BILLING.acts,
    [4, things.book],
    [8, things.furnish],
    [6, things.readAny],
    [4, timers.start],
    [4, timers.end],
    [2, imports.importNew],
    [4, invoicing.goOn],
    [4, invoicing.pay],
    [2, invoicing.takeBack],
  ],
};

const CALLERS = 8;
const ACTS_EACH = 5;

/** Other wishes than by default put the search itself to the test. */
interface Wishes {
  /** Makes the user of a round. */
  readonly hire?: () => Promise<User>;
  readonly actsEach?: number;
}

const searching =
  (work: Work) =>
  async (
    cloud: Cloud | undefined,
    rounds: number,
    seed: number,
    { hire = given.user, actsEach = ACTS_EACH }: Wishes = {},
  ) => {
    const findings = new Findings();
    await findings.inRounds(rounds, async (number, blame) => {
      const crew = new Crew([await hire()], new Dice(seed + number), findings, blame);
      const scene = await begin(work, crew);
      await play(work, scene, CALLERS, actsEach);
      await reckon(scene, cloud);
    });
    findings.blameOverload();
    const { count: requests, outcomes, violations } = findings;
    return { rounds, requests, outcomes, violations };
  };

export const searchBilling = searching(BILLING);
export const searchComebacks = searching(COMEBACKS);

export async function begin({ entries, batches, isBilled }: Work, crew: Crew): Promise<Scene> {
  const [founder] = crew.users;
  const scene = await newScene(crew, crew.users.length > 1);
  await times(entries, () => things.book(scene, founder));
  for (const rows of batches) await imports.importNew(scene, founder, rows);
  if (isBilled) await invoicing.anchor(scene, founder);
  else await things.readFree(scene, founder);
  return scene;
}

/** @param onAct called after each act, with how many have been done */
export async function play(
  work: Work,
  scene: Scene,
  callers: number,
  actsEach: number,
  onAct?: (done: number) => Promise<void>,
) {
  const { crew } = scene;
  const acts = weighted(work.acts);
  let done = 0;
  await times(callers, async (position) => {
    const by = crew.users[position % crew.users.length] ?? crew.users[0];
    for (let i = 0; i < actsEach; i++) {
      await crew.dice
        .pick(acts)(scene, by)
        .catch((error) => crew.blame(String(error)));
      done += 1;
      await onAct?.(done);
    }
  });
}
