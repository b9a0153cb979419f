/** How much there is to be of what lists show. */
export type Sizes = {
  runs: number
  stacks: number
  /** Transitions; a tenth of them are those of one lock. */
  journal: number
  audit: number
  /** The first has half of all stacks and runs, the others share the rest. */
  repositories: number
}
