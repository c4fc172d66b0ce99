import { setTimeout as sleep } from 'node:timers/promises';
import type { Cloud } from '#scripts/local/cloud.ts';
import { given, type User } from '#test/support/given.ts';
import { Dice } from './dice.ts';
import { faultInjector } from './fault-injector.ts';
import { Findings } from './findings.ts';
import { MoreActs } from './mirror/acts.ts';
import { Mirror } from './mirror/copy.ts';
import { begin, EVERYTHING, play } from './rounds.ts';
import { Crew } from './work/crew.ts';
import { settle } from './work/reckoning.ts';
import type { Scene } from './work/scene.ts';
import { REMOTE } from './work/vocabulary.ts';

/**
 * Rounds in which eight callers do all that there is to do, while copies of all lists are kept by the feed and by GETs of
 * what it names. In every other round calls to AWS fail, and functions are killed. In the end each copy equals all lists.
 */
export async function searchMirror(cloud: Cloud, rounds: number, seed: number, wishes: Wishes = {}) {
  const findings = new Findings();
  let [events, kills] = [0, 0];
  await findings.inRounds(rounds, async (number, blame) => {
    // What requests are answered is the matter of other searches.
    const crew = new Crew([await given.user()], new Dice(seed + number), findings, () => {});
    const faults = { share: number % 2 === 0 ? FAULT_SHARE : 0, seed: number };
    const told = await playRound(cloud, await begin(EVERYTHING, crew), faults, wishes, blame);
    events += told.events;
    kills += told.kills;
  });
  const { count: requests, outcomes, violations } = findings;
  return { rounds, events, kills, requests, outcomes, violations };
}

/** Other wishes than by default put the search itself to the test. */
interface Wishes {
  /** How the mirrors of a user ask. */
  readonly askAs?: (by: User) => Pick<User, 'send'>;
  readonly actsEach?: number;
}

const FAULT_SHARE = 0.05;
const CALLERS = 8;
const ACTS_EACH = 12;

/** Another mirror begins once so many acts are done. */
const LATER = 20;

/** Acts between two kills. */
const KILL = 8;

/** Who writes in several transactions, and who numbers events. */
const VICTIMS = ['import-chunk', 'undo-remote-sync', 'create-invoice', 'update-invoice', 'list-events'];

/** A mirror may be so far behind. */
const LAG_MILLISECONDS = 1_000;

/** @returns how many events the mirrors were told, and how often a function was killed */
async function playRound(
  cloud: Cloud,
  scene: Scene,
  faults: { readonly share: number; readonly seed: number },
  { askAs = (by) => by, actsEach = ACTS_EACH }: Wishes,
  blame: (fault: string) => void,
) {
  const { dice, users } = scene.crew;
  const [founder] = users;
  const acts = [...EVERYTHING.acts, ...(await MoreActs.begin(cloud, founder)).all];
  const mirrors = [await Mirror.begin(askAs(founder))];
  const told = { events: 0, kills: 0 };
  const end = cloud.intercept(faultInjector(faults.share, faults.seed).interceptor);
  let isOver = false;
  const playing = play({ ...EVERYTHING, acts }, scene, CALLERS, actsEach, async (done) => {
    if (done === LATER) mirrors.push(await Mirror.begin(askAs(founder)));
    if (faults.share === 0 || done % KILL > 0) return;
    told.kills += 1;
    await cloud.killInstances(dice.pick(VICTIMS));
  }).finally(() => {
    end();
    isOver = true;
  });
  /** Mirrors are now close behind, now far. */
  const following = async () => {
    while (!isOver) {
      await sleep(dice.below(LAG_MILLISECONDS));
      for (const mirror of mirrors) told.events += await mirror.follow();
    }
  };
  await Promise.all([playing, following()]);
  await settle(founder, cloud, blame);
  for (const mirror of mirrors) {
    const { events, differences } = await compared(mirror);
    told.events += events;
    for (const difference of differences) blame(difference);
  }
  // It is due no more in the rounds to come.
  await founder.delete(REMOTE);
  return told;
}

const COMPARISONS = 4;
const PAUSE_MILLISECONDS = 1_000;

/** What goes on behind an answer, as syncs do, may end only now. */
async function compared(mirror: Mirror): Promise<{ events: number; differences: readonly string[] }> {
  let events = 0;
  for (let attempt = 1; ; attempt++) {
    events += await mirror.follow();
    const differences = await mirror.differences();
    if (differences.length === 0 || attempt === COMPARISONS) return { events, differences };
    await sleep(PAUSE_MILLISECONDS);
  }
}
