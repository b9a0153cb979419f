/** One measurement: contenders that do the same work, ours and others. */
export type Measurement = {
  /** Which contender is ours. */
  ours: string
  setup?(): Promise<void> | void
  /** Each call does one run and returns its cost in the bench's unit, lower being better; `setup` makes everything it needs. */
  contenders: Record<string, () => Promise<number> | number>
  teardown?(): Promise<void> | void
}

/** The default export of a file of test/bench: one measurement, or several by name, each with its own setup. */
export type Bench = { name: string; unit: string } & (Measurement | { groups: Record<string, Measurement> })

export type Figures = { median: number; min: number; max: number }
export type Measured = { ours: string; figures: Map<string, Figures> }

/**
 * Runs every contender once unmeasured, then `runs` times in turn. In turn, because a machine's speed drifts with its other
 * work: each round measures all of them. Each round begins with another one, so none always runs behind the same neighbour's
 * garbage.
 */
export const measure = async (
  bench: Measurement,
  runs: number,
  progress: (text: string) => void,
): Promise<Measured> => {
  const names = Object.keys(bench.contenders)
  if (!names.includes(bench.ours)) throw new Error(`ours is '${bench.ours}', which is not among ${names.join(', ')}`)
  const costs = new Map(names.map((name) => [name, [] as number[]]))
  await bench.setup?.()
  try {
    for (const name of names) {
      progress(`warm-up: ${name}`)
      await costOf(bench, name)
    }
    for (let round = 0; round < runs; round++) {
      for (const name of rotated(names, round)) {
        progress(`run ${round + 1} of ${runs}: ${name}`)
        costs.get(name)?.push(await costOf(bench, name))
      }
    }
  } finally {
    await bench.teardown?.()
  }
  return { ours: bench.ours, figures: new Map([...costs].map(([name, all]) => [name, figuresOf(all)])) }
}

const costOf = async (bench: Measurement, name: string): Promise<number> => {
  const cost = await bench.contenders[name]?.()
  if (cost === undefined || !Number.isFinite(cost) || cost <= 0) {
    throw new Error(`${name} must return the cost of its run as a positive number, not ${cost}`)
  }
  return cost
}

const rotated = <T>(all: T[], by: number): T[] => [...all.slice(by % all.length), ...all.slice(0, by % all.length)]

const figuresOf = (costs: number[]): Figures => {
  const sorted = costs.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)] ?? Number.NaN
  const high = sorted[Math.ceil(middle)] ?? Number.NaN
  return { median: (low + high) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN }
}
