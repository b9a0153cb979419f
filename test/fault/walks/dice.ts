/** The bits of a number, mixed so that neighbours have nothing in common (the finalizer of MurmurHash3). */
const mixed = (number: number): number => {
  let bits = number | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * A walk's own dice at one of its steps: dropping another step does not change it. Each throw is mixed by itself: the throws of a
 * linear generator that begins at neighbouring seeds differ by the same amount, and most orders of steps would never come.
 */
export const diceOf = (seed: number, at: number): ((below: number) => number) => {
  const start = mixed(mixed(seed) + at)
  let turn = 0
  return (below) => {
    turn += 1
    return Math.floor((mixed(start + Math.imul(turn, 0x9e3779b9)) / 2 ** 32) * below)
  }
}
