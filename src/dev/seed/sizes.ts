/** How many rows of each kind the lists get. */
export type Sizes = {
  runs: number
  stacks: number
  /** Transitions; a tenth of them belong to one lock. */
  journal: number
  audit: number
  /** The first has half of all stacks and runs, the others share the rest. */
  repositories: number
}
