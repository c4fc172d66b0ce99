import { setTimeout as sleep } from 'node:timers/promises';
import type { Cloud } from '#scripts/local/cloud.ts';
import { given, type User } from '#test/support/given.ts';
import { Dice } from './dice.ts';
import { everyFault, faultInjector } from './fault-injector.ts';
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
  for (let number = 1; number <= rounds; number++) {
    const faultShare = number % 2 === 0 ? FAULT_SHARE : 0;
    try {
      const round = await Round.begin(cloud, findings, number, seed + number, wishes);
      await round.play(faultShare);
      events += round.events;
      kills += round.kills;
    } catch (error) {
      findings.blame(`Round ${number}: ${error}`);
    }
  }
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

class Round {
  readonly #cloud: Cloud;
  readonly #findings: Findings;
  readonly #number: number;
  readonly #scene: Scene;
  readonly #dice: Dice;
  readonly #acts: MoreActs;
  readonly #mirrors: Mirror[] = [];
  readonly #asking: Pick<User, 'send'>;
  readonly #actsEach: number;
  events = 0;
  kills = 0;

  private constructor(cloud: Cloud, findings: Findings, number: number, scene: Scene, acts: MoreActs, wishes: Wishes) {
    this.#cloud = cloud;
    this.#findings = findings;
    this.#number = number;
    this.#scene = scene;
    this.#dice = scene.crew.dice;
    this.#acts = acts;
    const [founder] = scene.crew.users;
    this.#asking = wishes.askAs?.(founder) ?? founder;
    this.#actsEach = wishes.actsEach ?? ACTS_EACH;
  }

  static async begin(cloud: Cloud, findings: Findings, number: number, seed: number, wishes: Wishes): Promise<Round> {
    const founder = await given.user();
    // What requests are answered is the matter of other searches.
    const crew = new Crew([founder], new Dice(seed), findings, () => {});
    const scene = await begin(EVERYTHING, crew);
    return new Round(cloud, findings, number, scene, await MoreActs.begin(cloud, founder), wishes);
  }

  async play(faultShare: number): Promise<void> {
    this.#mirrors.push(await Mirror.begin(this.#asking));
    const injector = faultInjector(everyFault(faultShare), this.#number);
    const end = this.#cloud.intercept(injector.interceptor);
    let isOver = false;
    const work = { ...EVERYTHING, acts: [...EVERYTHING.acts, ...this.#acts.all] };
    const playing = play(work, this.#scene, CALLERS, this.#actsEach, async (done) => {
      if (done === LATER) this.#mirrors.push(await Mirror.begin(this.#asking));
      if (faultShare > 0 && done % KILL === 0) await this.#kill();
    }).finally(() => {
      end();
      isOver = true;
    });
    await Promise.all([playing, this.#followUntil(() => isOver)]);
    const [founder] = this.#scene.crew.users;
    await settle(founder, this.#cloud, (fault) => this.#blame(fault));
    for (const mirror of this.#mirrors) await this.#compare(mirror);
    // It is due no more in the rounds to come.
    await founder.delete(REMOTE);
  }

  /** Mirrors are now close behind, now far. */
  async #followUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(this.#dice.below(LAG_MILLISECONDS));
      for (const mirror of this.#mirrors) this.events += await mirror.follow();
    }
  }

  async #kill(): Promise<void> {
    this.kills += 1;
    await this.#cloud.killInstances(this.#dice.pick(VICTIMS));
  }

  /** What goes on behind an answer, as syncs do, may end only now. */
  async #compare(mirror: Mirror): Promise<void> {
    let differences: readonly string[] = [];
    for (let attempt = 0; attempt < COMPARISONS; attempt++) {
      this.events += await mirror.follow();
      differences = await mirror.differences();
      if (differences.length === 0) return;
      await sleep(PAUSE_MILLISECONDS);
    }
    for (const difference of differences) this.#blame(difference);
  }

  #blame(fault: string): void {
    this.#findings.blame(`Round ${this.#number}: ${fault}`);
  }
}

const COMPARISONS = 4;
const PAUSE_MILLISECONDS = 1_000;
