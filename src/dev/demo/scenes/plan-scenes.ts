import { follow } from '../follow.ts'
import { differences, type Intended } from '../intended.ts'
import type { Observation } from '../observe.ts'
import type { Change, Stage } from '../stage.ts'
import type { Scene } from './scene.ts'

type Push = {
  title: string
  change: Change
  author: string
  intended: Intended
  /** The change whose run this one replaces, by a push to the same pull request. */
  replaces?: Change
}

/** A scene of one push and its plan. */
const pushed = ({ title, change, author, intended, replaces }: Push): Scene => ({
  title,
  change,
  play: async (stage) => {
    // Played alone, this scene makes its own first commit and replaces its run in the middle of the work.
    const isMissing = replaces && !stage.played().some((one) => one.change === replaces)
    const before = isMissing ? await stage.plan(replaces, author, { until: isPlanning }) : undefined
    const { last, problem } = await stage.plan(change, author)
    const superseded = replaces ? await replaced(stage, replaces) : []
    const problems = [before?.problem, problem].filter((each) => each !== undefined)
    return [...problems, ...differences(intended, last), ...superseded]
  },
})

const isPlanning = ({ run }: Observation): boolean => run?.status === 'planning'

const replaced = async (stage: Stage, change: Change): Promise<string[]> => {
  const earlier = stage.played().find((one) => one.change === change)
  if (!earlier) return [`${change} was not played before`]
  const { last, problem } = await follow(earlier.followed, () => {})
  earlier.seen = last
  stage.tell(`the run of the commit before is ${last.run?.status ?? 'not there'}: ${last.run?.html_url ?? ''}`)
  const otherwise = problem === undefined ? differences({ status: 'superseded' }, last) : [problem]
  return otherwise.map((text) => `of the commit before: ${text}`)
}

const everything = [
  ['platform/dns', 'platform/identity', 'platform/network'],
  ['data/cache', 'data/database', 'observability/metrics', 'platform/cluster', 'platform/registry'],
  ['apps/storefront:production', 'apps/storefront:staging', 'apps/worker', 'observability/alerts'],
]

/** What happens on a pull request before anybody applies it. */
export const planScenes = {
  label: pushed({
    title: 'ada changes a module that every stack uses: every stack is planned, in the order of its dependencies',
    change: 'label',
    author: 'ada',
    intended: { status: 'planned', waves: everything },
  }),
  push: pushed({
    title:
      'ada changes a module that every stack uses, and pushes again: the first run is superseded, the second plans every stack',
    change: 'labelAgain',
    author: 'ada',
    replaces: 'label',
    intended: { status: 'planned', waves: everything },
  }),
  storefront: pushed({
    title: 'grace changes a variable of one instance of the storefront: nothing else is planned',
    change: 'storefront',
    author: 'grace',
    intended: { status: 'planned', waves: [['apps/storefront:staging']] },
  }),
  hide: pushed({
    title:
      'mallory changes the database and has svc.yml leave it out: it is planned all the same, and the run says why',
    change: 'hide',
    author: 'mallory',
    intended: {
      status: 'planned',
      waves: [['data/database'], ['apps/storefront:production', 'apps/storefront:staging']],
      unchanged: ['apps/storefront:production', 'apps/storefront:staging'],
      warnings: /default branch's svc\.yml.+data\/database/,
    },
  }),
  cycle: pushed({
    title:
      'linus makes the network depend on the worker, which depends on the network: no order works, and the run shows the cycle',
    change: 'cycle',
    author: 'linus',
    intended: {
      status: 'failed',
      spelled: /platform\/network.* → .*apps\/worker|apps\/worker.* → .*platform\/network/,
    },
  }),
} satisfies Record<string, Scene>
