import type { Locator, Page } from 'playwright-core'
import type { Story } from './story.ts'

/** A page, or a state of one, that has a picture: how to get there, and what is seen once it is whole. */
export type Pictured = {
  name: string
  address: string
  /** What is done on it before the picture. */
  act?: (page: Page) => Promise<void>
  isWhole: (page: Page) => Locator
}

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first()
const text = (of: string | RegExp) => (page: Page) => page.getByText(of).first()
const grid = (name: string) => (page: Page) => page.getByRole('grid', { name }).locator('[data-row]').first()
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first().click()

const ofRun = ({ applyId, planId, dispatchId }: Story): Pictured[] => {
  const run = `/runs/${applyId}`
  return [
    { name: 'board', address: run, isWhole: text('data/database') },
    { name: 'board-stack', address: `${run}?stack=data/database`, isWhole: text('StorageQuotaExceeded') },
    { name: 'board-unknown', address: `${run}?stack=platform/registry`, isWhole: heading('What can be done') },
    { name: 'board-filtered', address: `${run}?status=failed,unknown`, isWhole: text('data/database') },
    { name: 'board-no-match', address: `${run}?q=nothing`, isWhole: (page) => page.locator('.empty') },
    { name: 'board-plan', address: `/runs/${planId}`, isWhole: text('data/database') },
    {
      name: 'release',
      address: `${run}?stack=data/database`,
      act: press('Release lock…'),
      isWhole: heading('What does not'),
    },
    { name: 'plan-again', address: `/runs/${planId}`, act: press('Plan again…'), isWhole: heading('What happens') },
    { name: 'timeline', address: `${run}/timeline`, isWhole: text('asked for the apply in a comment') },
    { name: 'timeline-table', address: `${run}/timeline?as=table`, isWhole: (page) => page.getByRole('grid') },
    { name: 'changes', address: `${run}/changes`, isWhole: text('aws_db_instance.main') },
    { name: 'gate-apply', address: `${run}/gate`, isWhole: heading(/^Let through an apply of/) },
    { name: 'machine-run', address: `${run}/machine`, isWhole: text('applying.draining') },
    { name: 'machine-past', address: `${run}/machine?seq=2`, isWhole: (page) => page.locator('.scrubber') },
    {
      name: 'machine-dispatch',
      address: `${run}/machine?kind=dispatch&of=${dispatchId}`,
      isWhole: text('workflow.bound'),
    },
    { name: 'warnings', address: `${run}/warnings`, isWhole: (page) => page.getByRole('link', { name: 'Warnings' }) },
  ]
}

const ofOthers = ({ applyId, pull, databaseId, waitingPlanId, moduleId }: Story): Pictured[] => {
  const plan = `/runs/${waitingPlanId}/stacks/data%2Fdatabase`
  return [
    { name: 'gate-plan', address: `/runs/${waitingPlanId}/gate`, isWhole: heading(/^Would be refused/) },
    { name: 'plan', address: plan, isWhole: text('- resource "aws_security_group_rule" "legacy" {') },
    {
      name: 'plan-find',
      address: `${plan}?find=storefront#L42`,
      isWhole: text('8 matches'),
    },
    {
      name: 'stack-failed',
      address: `/runs/${applyId}/stacks/data%2Fdatabase`,
      isWhole: text('StorageQuotaExceeded'),
    },
    { name: 'machine-lock', address: `/machines/lock/${databaseId}`, isWhole: text('held.changed') },
    { name: 'machine-stack', address: `/machines/stack/${applyId}:${databaseId}`, isWhole: text('failed') },
    { name: 'stack-page', address: `/stacks/${databaseId}`, isWhole: text('Half of them took up to') },
    { name: 'pull', address: `/repos/acme/infra/pulls/${pull}`, isWhole: heading(/^Would /) },
    { name: 'module', address: `/modules/${moduleId}`, isWhole: grid('Stacks') },
    { name: 'overview', address: '/', isWhole: text('All drift') },
    {
      name: 'shortcuts',
      address: '/',
      act: (page) => page.keyboard.press('?'),
      isWhole: heading('Keyboard shortcuts'),
    },
    {
      name: 'account',
      address: '/',
      act: (page) => page.getByRole('button', { name: 'account of ada' }).click(),
      isWhole: text('Sign out'),
    },
    { name: 'not-there', address: '/nothing/here', isWhole: (page) => page.getByRole('combobox') },
    { name: 'setup-done', address: '/setup', isWhole: heading('An app is configured') },
    { name: 'installed', address: '/setup/installed', isWhole: heading('The app is installed') },
    { name: 'sign-in', address: '/sign-in', isWhole: heading('Sign in to svc') },
  ]
}

const search = (of: string) => async (page: Page) => {
  await page.keyboard.press('/')
  await page.keyboard.type(of)
}

const lists: Pictured[] = [
  { name: 'runs', address: '/runs', isWhole: grid('Runs') },
  { name: 'runs-filtered', address: '/runs?status=failed&repo=acme/infra', isWhole: text('Listed by') },
  { name: 'runs-no-match', address: '/runs?status=superseded&actor=nobody', isWhole: text('None of the runs') },
  { name: 'repositories', address: '/repos', isWhole: grid('Repositories') },
  { name: 'repository', address: '/repos/acme/infra', isWhole: grid('Stacks') },
  { name: 'repository-runs', address: '/repos/acme/infra/runs', isWhole: grid('Runs') },
  { name: 'repository-graph', address: '/repos/acme/infra/graph', isWhole: (page) => page.locator('.graph-canvas') },
  {
    name: 'repository-graph-stack',
    address: '/repos/acme/infra/graph?stack=data/database',
    isWhole: heading(/need it$/),
  },
  { name: 'repository-graph-table', address: '/repos/acme/infra/graph?as=table', isWhole: grid('Stacks of the graph') },
  { name: 'repository-locks', address: '/repos/acme/infra/locks', isWhole: grid('Locks') },
  { name: 'stacks', address: '/stacks', isWhole: grid('Stacks') },
  { name: 'stacks-filtered', address: '/stacks?apply=failed,unknown&locked=true', isWhole: text('Listed by') },
  { name: 'locks', address: '/locks', isWhole: grid('Locks') },
  {
    name: 'locks-release',
    address: '/locks',
    act: (page) => page.getByRole('button', { name: 'Release…' }).first().click(),
    isWhole: heading('What does not'),
  },
  { name: 'drift', address: '/drift', isWhole: heading(/in 3 stacks$/) },
  { name: 'drift-no-match', address: '/drift?q=nothing', isWhole: (page) => page.locator('.empty') },
  { name: 'modules', address: '/modules', isWhole: grid('Modules') },
  { name: 'audit', address: '/audit', isWhole: grid('Audit log') },
  { name: 'queue', address: '/queue', isWhole: grid('Queue') },
  {
    name: 'queue-retry',
    address: '/queue',
    act: (page) => page.getByRole('button', { name: 'Retry…' }).first().click(),
    isWhole: heading('What does not'),
  },
  { name: 'search', address: '/search?q=data', isWhole: (page) => page.getByRole('option').first() },
  { name: 'search-dialog', address: '/', act: search('in'), isWhole: (page) => page.getByRole('option').first() },
]

/** Every page, in the order of the design. */
export const pagesOf = (story: Story): Pictured[] => [...ofRun(story), ...ofOthers(story), ...lists]
