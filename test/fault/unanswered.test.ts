import t from 'tap'
import { mishaps } from './mishaps.ts'
import { playAlone, testedWorld } from './play-alone.ts'

/* Requests that the code host refuses, does not answer, or answers too late to be heard, each alone. */

playAlone(t, await testedWorld(t), mishaps.requests)
