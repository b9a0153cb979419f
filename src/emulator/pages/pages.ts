import type { FastifyInstance, FastifyReply } from 'fastify'
import { reviewsOf } from '#emulator/people/approvers.ts'
import type { Issue, ReactionContent, Review } from '#emulator/people-records.ts'
import type { CheckRun, Comment, PullRequest, Repository, WorkflowRun } from '#emulator/records.ts'
import { findPull, findRepository, fullName, reactionsTo } from '#emulator/store.ts'
import { pendingApprovals } from '#emulator/workflows/approvals.ts'
import { latestJobs } from '#emulator/workflows/start.ts'
import type { World } from '#emulator/world.ts'
import { type Html, html, mark, page } from './html.ts'
import { markdown } from './markdown.ts'

type Params = { owner: string; repo: string; id: string; job: string }

/** The pages behind html_url, bare: enough to see in a browser what the app did. */
export const addPages = (server: FastifyInstance, world: World): void => {
  const add = (
    path: string,
    show: (repository: Repository, params: Params) => { title: string; body: Html } | undefined,
  ) =>
    server.get<{ Params: Params }>(`/:owner/:repo${path}`, async ({ params }, reply) => {
      const repository = findRepository(world.store, params.owner, params.repo)
      const shown = repository && show(repository, params)
      return send(reply, shown ? 200 : 404, shown ?? { title: 'Not found', body: html`<h1>Not found</h1>` })
    })

  server.get('/', async (_request, reply) => send(reply, 200, home(world)))
  add('', (repository) => repositoryPage(world, repository))
  add('/pull/:id', (repository, { id }) => {
    const pull = findPull(world.store, repository, Number(id))
    return pull && pullPage(world, pull)
  })
  add('/issues/:id', (repository, { id }) => {
    const issue = [...world.store.issues.values()].find(
      (one) => one.repository === repository && one.number === Number(id) && one.moved === undefined,
    )
    return issue && issuePage(issue)
  })
  add('/runs/:id', (repository, { id }) => {
    const check = world.store.checkRuns.get(Number(id))
    return check?.repository === repository ? checkPage(check) : undefined
  })
  for (const path of ['/actions/runs/:id', '/actions/runs/:id/attempts/:attempt']) {
    add(path, (repository, { id }) => {
      const run = world.store.workflowRuns.get(Number(id))
      return run?.repository === repository ? runPage(world, run) : undefined
    })
  }
  add('/actions/runs/:id/job/:job', (repository, params) => {
    const job = world.store.jobs.get(Number(params.job))
    if (job?.run.repository !== repository) return undefined
    return { title: job.name, body: html`<h1>${job.name}</h1><p>${mark(job)}</p><pre>${job.log}</pre>` }
  })
}

/** No part of a page may run or load anything: its texts come from repositories. */
const send = (reply: FastifyReply, status: number, shown: { title: string; body: Html }): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(page(shown.title, shown.body))

const home = (world: World) => ({
  title: 'Repositories',
  body: html`<h1>Repositories</h1><ul>${[...world.store.repositories.values()].map(
    (repository) => html`<li><a href="/${fullName(repository)}">${fullName(repository)}</a></li>`,
  )}</ul>`,
})

const repositoryPage = (world: World, repository: Repository) => {
  const pulls = [...world.store.pulls.values()].filter((pull) => pull.repository === repository).reverse()
  const runs = [...world.store.workflowRuns.values()].filter((run) => run.repository === repository).reverse()
  return {
    title: fullName(repository),
    body: html`<h1>${fullName(repository)}</h1><h2>Pull requests</h2><ul>${pulls.map(
      (pull) =>
        html`<li><a href="/${fullName(repository)}/pull/${pull.number}">#${pull.number} ${pull.title}</a> ${pull.state}</li>`,
    )}</ul><h2>Workflow runs</h2><ul>${runs.map(runLine)}</ul>`,
  }
}

const runLine = (run: WorkflowRun): Html =>
  html`<li>${mark(run)}<a href="/${fullName(run.repository)}/actions/runs/${run.id}">${run.workflow.name} #${run.number}:
${run.displayTitle}</a></li>`

const pullPage = (world: World, pull: PullRequest) => {
  const { repository } = pull
  const ofHead = [...world.store.checkRuns.values()].filter(
    (check) => check.repository === repository && check.headSha === pull.headSha,
  )
  const checks = [...new Map(ofHead.map((check) => [`${check.suite.id} ${check.name}`, check])).values()]
  return {
    title: `${pull.title} #${pull.number}`,
    body: html`<h1>${pull.title} <small>#${pull.number}</small></h1>
<p>${pull.mergedAt ? 'merged' : pull.state}: ${pull.author.login} wants to merge ${pull.headRef} into ${pull.baseRef}
at <code>${pull.headSha.slice(0, 7)}</code> in <a href="/${fullName(repository)}">${fullName(repository)}</a></p>
${checkLists(checks)}<h2>Conversation</h2>${conversation(world, pull)}`,
  }
}

const issuePage = (issue: Issue) => ({
  title: `${issue.title} #${issue.number}`,
  body: html`<h1>${issue.title} <small>#${issue.number}</small></h1>
<p>${issue.state}: opened by ${issue.author.login} in <a href="/${fullName(issue.repository)}">${fullName(issue.repository)}</a></p>
<article>${markdown(issue.body ?? '')}</article>`,
})

/** A list for each app, as on GitHub: Actions' checks are its jobs. */
const checkLists = (checks: CheckRun[]): Html[] =>
  (['app', 'actions'] as const).map((app) => {
    const ofApp = checks.filter((check) => check.suite.app === app)
    const title = app === 'app' ? 'Checks' : 'Checks of GitHub Actions'
    return ofApp.length === 0 ? html`` : html`<h2>${title}</h2><ul>${ofApp.map(checkLine)}</ul>`
  })

/** A pull request's comments and reviews, oldest first. */
const conversation = (world: World, pull: PullRequest): Html[] => {
  const comments = [...world.store.comments.values()].filter(
    (comment) => comment.repository === pull.repository && comment.number === pull.number,
  )
  const boxes = [
    ...comments.map((comment) => ({ at: comment.createdAt, box: commentBox(world, comment) })),
    ...reviewsOf(world, pull).map((review) => ({ at: review.submittedAt, box: reviewBox(review) })),
  ]
  return boxes.sort((a, b) => a.at.getTime() - b.at.getTime()).map(({ box }) => box)
}

const faces: Record<ReactionContent, string> = {
  ...{ '+1': '👍', '-1': '👎', laugh: '😄', confused: '😕', heart: '❤️', hooray: '🎉', rocket: '🚀', eyes: '👀' },
}

const commentBox = (world: World, comment: Comment): Html => {
  const reactions = reactionsTo(world.store, comment).map(
    ({ author, content }) => html`<span title="${author.login}">${faces[content]}</span>`,
  )
  return html`<article id="issuecomment-${comment.id}">
<div class="by">${comment.author.login}, ${comment.updatedAt.toISOString()}</div>${markdown(comment.body)}${
    reactions.length > 0 ? html`<p>${reactions}</p>` : undefined
  }</article>`
}

const said: Record<Review['state'], string> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'asked for changes to',
  COMMENTED: 'reviewed',
  DISMISSED: 'reviewed (dismissed)',
}

const reviewBox = (review: Review): Html => html`<article id="pullrequestreview-${review.id}">
<div class="by">${review.author.login} ${said[review.state]} <code>${review.commitId.slice(0, 7)}</code>,
${review.submittedAt.toISOString()}</div>${markdown(review.body)}</article>`

const checkLine = (check: CheckRun): Html =>
  html`<li>${mark(check)}<span><a href="/${fullName(check.repository)}/runs/${check.id}">${check.name}</a> ${check.title ?? ''}</span></li>`

const checkPage = (check: CheckRun) => ({
  title: check.name,
  body: html`<h1>${check.name}</h1><p>${mark(check)} at <code>${check.headSha}</code> ${
    check.detailsUrl === null ? undefined : html`<a rel="noreferrer" href="${check.detailsUrl}">Details</a>`
  }</p><h2>${check.title ?? ''}</h2>${markdown(check.summary ?? '')}${markdown(check.text ?? '')}`,
})

const runPage = (world: World, run: WorkflowRun) => {
  const jobs = latestJobs(world, run)
  const waiting = [...new Set(pendingApprovals(world, run).map(({ environment }) => environment))]
  return {
    title: run.displayTitle,
    body: html`<h1>${run.displayTitle}</h1><p>${mark(run)} ${run.workflow.path}, attempt ${run.attempt}</p>${run.problem === undefined ? undefined : html`<pre>${run.problem}</pre>`}
${waiting.map(
  ({ name, reviewers }) => html`<p>Waits for ${reviewers.join(' or ')} to let it into <strong>${name}</strong>.</p>`,
)}<h2>Jobs</h2><ul>${jobs.map(
      (job) =>
        html`<li>${mark(job)}<a href="/${fullName(run.repository)}/actions/runs/${run.id}/job/${job.id}">${job.name}</a></li>`,
    )}</ul>`,
  }
}
