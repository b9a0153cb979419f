import type { Graph } from './graph.ts'

/**
 * A graph with nothing but what an upload asks of the default branch's while both have the same configuration: which stacks there are, and
 * whose plans are shown as a summary. Of 6,000 stacks with 30,000 edges it is a thirteenth of the graph.
 */
export const graphOutline = ({ stacks, ...graph }: Graph): Graph => ({
  ...graph,
  stacks: stacks.map(({ key, path, external, plan_output }) => ({
    key,
    path,
    ...(external === undefined ? {} : { external }),
    ...(plan_output === undefined ? {} : { plan_output }),
  })),
  modules: [],
  edges: [],
})
