import type { demoChanges } from '../demo-changes.ts'
import type { Intended } from './intended.ts'
import type { SceneName } from './scene-names.ts'

export type Scene = {
  /** What is done and why it is worth seeing. */
  title: string
  change: keyof typeof demoChanges
  author: string
  intended: Intended
  /** The change whose run this one replaces, by a push to the same pull request. */
  replaces?: keyof typeof demoChanges
}

const everything = [
  ['platform/dns', 'platform/identity', 'platform/network'],
  ['data/cache', 'data/database', 'observability/metrics', 'platform/cluster', 'platform/registry'],
  ['apps/storefront:production', 'apps/storefront:staging', 'apps/worker', 'observability/alerts'],
]

export const scenes: Record<SceneName, Scene> = {
  label: {
    title:
      'ada changes a module that every stack uses: all of them are planned, in the order they depend on each other',
    change: 'label',
    author: 'ada',
    intended: { status: 'planned', waves: everything },
  },
  push: {
    title: 'ada pushes again: the run of the commit before is superseded, and a new one takes its place',
    change: 'labelAgain',
    author: 'ada',
    replaces: 'label',
    intended: { status: 'planned', waves: everything },
  },
  storefront: {
    title: 'grace changes a variable of one instance of the storefront: nothing else is planned',
    change: 'storefront',
    author: 'grace',
    intended: { status: 'planned', waves: [['apps/storefront:staging']] },
  },
  hide: {
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
  },
  circle: {
    title:
      'linus has the network wait for the worker, which waits for the network: no order is right, and the run says so',
    change: 'circle',
    author: 'linus',
    intended: {
      status: 'failed',
      spelled: /platform\/network.* → .*apps\/worker|apps\/worker.* → .*platform\/network/,
    },
  },
}
