import type { Drill } from '../drill.js';
import { failoverDrill } from './failover.js';
import { haltDrill } from './halt.js';
import { holdDrill } from './hold.js';
import { poisonDrill } from './poison.js';
import { zombieDrill } from './zombie.js';

/** Every drill by the name that `npm run drill` takes. */
export const drills: Readonly<Record<string, Drill>> = {
  hold: holdDrill,
  halt: haltDrill,
  failover: failoverDrill,
  poison: poisonDrill,
  zombie: zombieDrill,
};
