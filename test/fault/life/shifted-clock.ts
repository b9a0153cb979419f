import { readFileSync } from 'node:fs'

/*
 * Loaded before the service (`--import`): its clock is so many seconds ahead as the file says that LIFE_CLOCK_FILE names. A
 * machine whose clock is wrong, without touching the clock of this one.
 */

const file = process.env.LIFE_CLOCK_FILE ?? ''
const RealDate = Date
let aheadMs = 0

const look = (): void => {
  try {
    aheadMs = Number(readFileSync(file, 'utf8')) * 1000
  } catch {
    aheadMs = 0
  }
}

look()
setInterval(look, 100).unref()

const now = (): number => RealDate.now() + aheadMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
