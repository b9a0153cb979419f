/** One measurement: contenders that do the same work, ours and others. */
export type Measurement = {
  /** Which contender is ours. */
  ours: string
  /** Of its figures, where it is not the bench's. */
  unit?: string
  /** Rounds of all contenders before those that are measured; one if left out. */
  warmUps?: number
  setup?(): Promise<void> | void
  /** Each call does one run and returns its cost in the unit, lower being better; `setup` makes everything it needs. */
  contenders: Record<string, () => Promise<Cost> | Cost>
  teardown?(): Promise<void> | void
}

/**
 * So many rounds are warm-ups for what a service does all day long, 20,000 or more times before it is measured: Node compiles
 * code over some 40,000 calls, in which a result's processor time falls from 430 to 130 µs, and that of a floor, which is
 * little code, from 170 to 60.
 */
export const untilWarm = (timesARound: number, times = 20_000): number => Math.ceil(times / timesARound)

/** What a run cost; and of many that wait at the same time, how long half of them and all but one of a hundred waited at most. */
export type Sample = { cost: number; p50: number; p99: number }
type Cost = number | Sample

/** The default export of a file of test/bench: one measurement, or several by name, each with its own setup. */
export type Bench = {
  name: string
  unit: string
  /** For the page of all benches: what is measured, against what. */
  about: string
} & (Measurement | { groups: Record<string, Measurement> })

/** Over all runs; `p50` and `p99` are medians too. */
export type Figures = { median: number; min: number; max: number; p50?: number; p99?: number }
export type Measured = { ours: string; unit?: string; figures: Map<string, Figures> }

/**
 * Runs every contender unmeasured, once or more often, then `runs` times in turn. In turn, because a machine's speed drifts with its other
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
  const costs = new Map(names.map((name) => [name, [] as Cost[]]))
  await bench.setup?.()
  try {
    for (let round = 0; round < (bench.warmUps ?? 1); round++) {
      for (const name of names) {
        progress(`warm-up ${round + 1}: ${name}`)
        await costOf(bench, name)
      }
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
  const figures = new Map([...costs].map(([name, all]) => [name, figuresOf(all)]))
  return { ours: bench.ours, ...(bench.unit === undefined ? {} : { unit: bench.unit }), figures }
}

const costOf = async (bench: Measurement, name: string): Promise<Cost> => {
  const cost = await bench.contenders[name]?.()
  const each = typeof cost === 'object' ? cost.cost : cost
  if (cost === undefined || each === undefined || !Number.isFinite(each) || each <= 0) {
    throw new Error(`${name} must return the cost of its run as a positive number, not ${each}`)
  }
  return cost
}

const rotated = <T>(all: T[], by: number): T[] => [...all.slice(by % all.length), ...all.slice(0, by % all.length)]

const figuresOf = (costs: Cost[]): Figures => {
  const all = costs.map((cost) => (typeof cost === 'object' ? cost.cost : cost))
  const samples = costs.filter((cost) => typeof cost === 'object')
  const waits =
    samples.length === 0
      ? {}
      : { p50: medianOf(samples.map(({ p50 }) => p50)), p99: medianOf(samples.map(({ p99 }) => p99)) }
  return { median: medianOf(all), min: Math.min(...all), max: Math.max(...all), ...waits }
}

const medianOf = (figures: number[]): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)] ?? Number.NaN
  const high = sorted[Math.ceil(middle)] ?? Number.NaN
  return (low + high) / 2
}
