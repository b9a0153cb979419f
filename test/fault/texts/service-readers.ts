import { cronFields } from '#domain/calendar/cron-fields.ts'
import { datesProblem, looksLikeDates, timeRange } from '#domain/calendar/time-range.ts'
import { isTimeZone } from '#domain/calendar/time-zone.ts'
import { checkRunName } from '#domain/checks/check-run.ts'
import { fnv1a } from '#domain/checks/hash.ts'
import { stackCheckRuns } from '#domain/checks/stack-check-runs.ts'
import { afterMatch } from '#domain/comments/after-match.ts'
import { closesFence, endsItem, fenceIn, isBlank } from '#domain/comments/code-fence.ts'
import {
  forbiddenAnswer,
  givenUpAnswer,
  mergeGivenUpAnswer,
  mergeWaitsAnswer,
  notAllowedAnswer,
  unreadableAnswer,
} from '#domain/comments/command-answers.ts'
import { findCommand, readCommand } from '#domain/comments/comment-command.ts'
import { saidLines } from '#domain/comments/comment-lines.ts'
import { startsHidden } from '#domain/comments/hidden-text.ts'
import { autolinkEnd, beginsHtml, declaredUntil, tagAt } from '#domain/comments/html-tag.ts'
import { definitionEnd, titledTargets } from '#domain/comments/link-title.ts'
import { unlockedComment } from '#domain/comments/lock-comments.ts'
import { isMarked } from '#domain/comments/open-elements.ts'
import { pullComment } from '#domain/comments/pull-comment.ts'
import { markAt, rawHtml } from '#domain/comments/raw-html.ts'
import { unmatchedComment } from '#domain/comments/unmatched-comment.ts'
import { checkRepoConfig, parseRepoConfig, placesOfConfig } from '#domain/config/config-file.ts'
import { isWorkspaceName } from '#domain/config/config-values.ts'
import { cronProblem, lastTick, nextTick } from '#domain/config/cron.ts'
import {
  compileGlob,
  compileGlobs,
  escapedForGlob,
  globBase,
  globPlace,
  globProblem,
  isLiteral,
} from '#domain/config/glob.ts'
import { fileOfInstance, filePattern, instancesFromProblem, makesInstance } from '#domain/config/instances-from.ts'
import { filled, placeholderProblem, withSamples } from '#domain/config/placeholders.ts'
import { matchesText, patternOf } from '#domain/config/wildcard.ts'
import { readYaml } from '#domain/config/yaml-text.ts'
import { parseDuration } from '#domain/duration.ts'
import { nearest } from '#domain/edit-distance.ts'
import { parseCodeOwners } from '#domain/gate/code-owners.ts'
import { patternProblem, segmentsOf } from '#domain/gate/code-owners-pattern.ts'
import { coveredPaths } from '#domain/gate/covered-paths.ts'
import { listed, listedStacks } from '#domain/gate/listed.ts'
import { sameLogin, teamOf } from '#domain/gate/people.ts'
import { compileAddressGlobs } from '#domain/gate/rules/address-globs.ts'
import { storedGraph } from '#domain/graph/graph.ts'
import { isNestedDeeper, parseJsonText } from '#domain/json-text.ts'
import * as keys from '#domain/keys.ts'
import { mergeGroupOf, readMergeGroup } from '#domain/merge-group.ts'
import * as versions from '#domain/module-version.ts'
import { parentOf, watcherOf } from '#domain/resolution/changed-paths.ts'
import { parseGraphUpload } from '#domain/resolution/graph-upload.ts'
import { namesTag, selectKeys } from '#domain/resolution/select-keys.ts'
import { readRunName } from '#domain/run-name.ts'
import { shortSha } from '#domain/run-report.ts'
import { finish } from '#domain/steps.ts'
import { firstLine } from '#domain/texts/first-line.ts'
import * as markdown from '#domain/texts/markdown.ts'
import { planBeginning, wholeCharacters } from '#domain/texts/plan-beginning.ts'
import { planDiff } from '#domain/texts/plan-diff.ts'
import { trimEndOf, trimOf } from '#domain/texts/trim.ts'
import { compileRefGlob } from '#domain/workflow-ref-glob.ts'
import { everyCheckRun } from '#test/domain/checks/every-check-run.ts'
import { run, stack } from '#test/domain/comments/sample-reports.ts'
import type { Readers } from './growth.ts'

const shown = (fields: Parameters<typeof stack>[1]) => stackCheckRuns(run(), stack('network', fields))

const all = (read: (text: string, at: number) => unknown) => (text: string) => {
  for (let at = 0; at < text.length; at += 1) read(text, at)
}

const path = 'aws/a/b/c/main.tf'
const at = new Date(0)

/** The service's functions that read or show others' text, by file and name; after a colon, another way to call one. */
export const serviceReaders: Readonly<Record<string, Readers>> = {
  'domain/checks/check-run.ts': { checkRunName: (text) => checkRunName('plan', text) },
  'domain/checks/hash.ts': { fnv1a },
  'domain/checks/stack-check-runs.ts': {
    'stackCheckRuns: error': (text) => shown({ error_text: text }),
    'stackCheckRuns: plan': (text) => shown({ plan_text: text }),
    'stackCheckRuns: key': (text) => shown({ key: text, path: text, via: [text], job_url: text, environment: text }),
    'stackCheckRuns: check': (text) =>
      shown({ checks: [{ name: 'c', status: 'fail', summary: text, details: text, details_url: text }] }),
    'stackCheckRuns: addresses': (text) =>
      shown({ plan_text: '', summary: { adds: 1, changes: 0, destroys: 0, replaces: 0, added: [text] } }),
  },
  'domain/checks/wanted-check-runs.ts': {
    'runCheckRuns: failure': (text) =>
      everyCheckRun({ run: run({ status: 'failed', failure: { reason: text, cycles: [text] } }), stacks: [] }),
    'runCheckRuns: warnings': (text) =>
      everyCheckRun({ run: run({ warnings: [{ code: 'x', message: text }] }), stacks: [] }),
  },
  'domain/comments/after-match.ts': { afterMatch: (text) => afterMatch(/\s+/y, text, 0) },
  'domain/comments/command-answers.ts': {
    unreadableAnswer: (text) => unreadableAnswer('plan', text),
    forbiddenAnswer: (text) => forbiddenAnswer('plan', text),
    givenUpAnswer: (text) => givenUpAnswer('plan', text),
    notAllowedAnswer: (text) => notAllowedAnswer('plan', text),
    mergeGivenUpAnswer,
    mergeWaitsAnswer: (text) => mergeWaitsAnswer([text]),
  },
  'domain/comments/code-fence.ts': {
    isBlank,
    'isBlank: spaces': (text) => isBlank(` ${text}`),
    fenceIn: (text) => fenceIn(text, text, { inItem: true, inParagraph: true }),
    'fenceIn: an item': (text) => fenceIn(`${text}~~~`, '~~~', { inItem: false, inParagraph: true }),
    'fenceIn: a mark': (text) => fenceIn(`~~~${text}`, `~~~${text}`, { inItem: false, inParagraph: false }),
    endsItem: (text) => endsItem({ kind: 'fence', mark: '~', length: 3, within: 2 }, text),
    closesFence: (text) => closesFence({ kind: 'fence', mark: '~', length: 3, within: 0 }, `~~~${text}`),
  },
  'domain/comments/comment-command.ts': {
    findCommand,
    'findCommand: svc': (text) => findCommand(`svc apply\n${text}`),
    'findCommand: after svc': (text) => findCommand(`svc ${text}`),
    readCommand: (text) => readCommand({ verb: 'apply', text }),
    'readCommand: a': (text) => readCommand({ verb: 'apply', text: ` a${text}` }),
  },
  'domain/comments/comment-lines.ts': { saidLines, 'saidLines: text': (text) => saidLines(`text\n${text}\nsvc apply`) },
  'domain/comments/hidden-text.ts': {
    startsHidden: (text) => startsHidden(text.split('\n')),
    'startsHidden: [': (text) => startsHidden(['[', text]),
  },
  'domain/comments/open-elements.ts': { isMarked },
  'domain/comments/html-tag.ts': {
    declaredUntil: all(declaredUntil),
    autolinkEnd: all(autolinkEnd),
    tagAt: (text) => tagAt(`<a ${text}`, 0),
    beginsHtml: (text) => beginsHtml(text, false),
  },
  'domain/comments/link-title.ts': {
    titledTargets: (text) => {
      const end = titledTargets(text)
      for (let place = 0; place < text.length; place += 1) end(place)
    },
    definitionEnd: (text) => definitionEnd(`[a]: ${text}`, 0),
  },
  'domain/comments/raw-html.ts': {
    rawHtml,
    'rawHtml: <': (text) => rawHtml(`<a ${text}`),
    markAt: all(markAt),
  },
  'domain/comments/lock-comments.ts': {
    unlockedComment: (text) =>
      unlockedComment({ keys: [text], actor: text, reason: text, forceState: true, run: { id: '1', html_url: text } }),
  },
  'domain/comments/pull-comment.ts': {
    'pullComment: error': (text) => pullComment({ run: run(), stacks: [stack('a', { error_text: text })] }),
    'pullComment: plan': (text) => pullComment({ run: run(), stacks: [stack('a', { plan_text: text })] }),
    'pullComment: key': (text) => pullComment({ run: run(), stacks: [stack(text)] }),
  },
  'domain/comments/unmatched-comment.ts': {
    unmatchedComment: (text) => unmatchedComment('plan', [{ glob: text, why: text }], [text]),
  },
  'domain/config/config-values.ts': { isWorkspaceName },
  'domain/config/config-file.ts': {
    placesOfConfig: (text) => placesOfConfig(text)(['stacks', 0, 'match']),
    parseRepoConfig,
    'parseRepoConfig: a glob': (text) => parseRepoConfig(`version: 1\nignore:\n- ${JSON.stringify(text)}`),
    checkRepoConfig: (text) => checkRepoConfig({ version: 1, tool: text, ignore: [text], drift: { schedule: text } }),
  },
  'domain/calendar/cron-fields.ts': { cronFields },
  'domain/calendar/time-range.ts': { datesProblem, looksLikeDates, timeRange },
  'domain/calendar/time-zone.ts': { isTimeZone },
  'domain/gate/rules/address-globs.ts': {
    compileAddressGlobs: (text) => compileAddressGlobs([text.slice(0, 300)])('module.a["b"].c.d'),
    'compileAddressGlobs: of an address': (text) => compileAddressGlobs(['*a*b*'])(`module.${text}`),
  },
  'domain/config/cron.ts': {
    cronProblem,
    nextTick: (text) => nextTick(text, at),
    lastTick: (text) => lastTick(text, at),
  },
  'domain/config/glob.ts': {
    globProblem,
    isLiteral,
    escapedForGlob,
    globBase,
    globPlace,
    compileGlob: (text) => compileGlob(text)(path),
    'compileGlob: of a path': (text) => compileGlob('**/*a*a/**/x{a,b}*')(text),
    compileGlobs: (text) => compileGlobs([text, 'a'])(path),
  },
  'domain/workflow-ref-glob.ts': {
    compileRefGlob,
    'compileRefGlob: of a ref': (text) => {
      const glob = compileRefGlob('a/**/*x*@refs/*a*b')
      return glob.ok && glob.matches(`a/${text}@${text}`)
    },
  },
  'domain/config/instances-from.ts': {
    instancesFromProblem,
    filePattern: (text) => filePattern(text, path),
    'filePattern: of a path': (text) => filePattern('../{path}/*.tfvars', text),
    makesInstance: (text) => makesInstance('../*.json', path, text),
    fileOfInstance: (text) => fileOfInstance(text, { path, instance: 'eu' }),
  },
  'domain/config/placeholders.ts': {
    placeholderProblem,
    withSamples,
    filled: (text) => filled(text, { path, instance: 'eu' }),
    'filled: of a path': (text) => filled('{path}/{name}/{dir}/{instance}', { path: text, instance: text }),
  },
  'domain/config/wildcard.ts': {
    matchesText: (text) => matchesText(patternOf('*a*a?b') ?? [], text),
    patternOf,
    'patternOf: [': (text) => patternOf(`[${text}]`),
  },
  'domain/config/yaml-text.ts': {
    readYaml,
    'readYaml: quoted': (text) => readYaml(`a: "${text}`),
    'readYaml: block': (text) => readYaml(`a: |\n  ${text}`),
    'readYaml: in a list': (text) => readYaml(`a: [1, ${text}`),
  },
  'domain/duration.ts': { parseDuration },
  'domain/edit-distance.ts': { nearest: (text) => nearest(text, ['version', 'tool']) },
  'domain/gate/code-owners.ts': { parseCodeOwners: (text) => finish(parseCodeOwners(text)) },
  'domain/gate/covered-paths.ts': {
    coveredPaths: (text) => finish(coveredPaths(text, ['a/b'])),
    'coveredPaths: of paths': (text) => finish(coveredPaths('*a*/**/*b* @a', [text])),
  },
  'domain/gate/code-owners-pattern.ts': { patternProblem, segmentsOf },
  'domain/gate/listed.ts': { listed: (text) => listed([text]), listedStacks: (text) => listedStacks([text]) },
  'domain/gate/people.ts': { sameLogin: (text) => sameLogin(text, text), teamOf: (text) => teamOf('acme', text) },
  'domain/graph/graph.ts': { storedGraph },
  'domain/json-text.ts': {
    isNestedDeeper: (text) => isNestedDeeper(text, 100),
    parseJsonText,
    'parseJsonText: a text': (text) => parseJsonText(`"${text}\\u0000`),
  },
  'domain/keys.ts': {
    isInstanceName: keys.isInstanceName,
    isCheckName: keys.isCheckName,
    repositoryPath: keys.repositoryPath,
    pathFrom: (text) => keys.pathFrom('a/b', text),
    isInside: (text) => keys.isInside(text, 'a'),
    formatStackKey: (text) => keys.formatStackKey(text, text),
    isTag: keys.isTag,
    tagIn: keys.tagIn,
    'tagIn: tag:': (text) => keys.tagIn(`tag:${text}`),
    namedByKey: (text) => keys.namedByKey({ key: text, path: 'a' }),
    parseStackKey: keys.parseStackKey,
    formatQualifiedKey: (text) => keys.formatQualifiedKey('a/b', text),
    parseQualifiedKey: keys.parseQualifiedKey,
  },
  'domain/module-version.ts': {
    homeOf: versions.homeOf,
    splitPin: (text) => versions.splitPin(text, 'git'),
    holdsVersion: versions.holdsVersion,
    refPrecedence: (text) => versions.refPrecedence('modules/a', text),
    'refPrecedence: a version': (text) => versions.refPrecedence('modules/a', `v1.2.3-${text}`),
    moduleVersions: (text) => versions.moduleVersions('modules/a', [text, `v1.0.${text}`]),
  },
  'domain/resolution/changed-paths.ts': {
    parentOf,
    watcherOf: (text) => watcherOf([path], new Set())(text),
  },
  'domain/resolution/graph-upload.ts': {
    parseGraphUpload: (text) =>
      parseGraphUpload({
        graph: { repo: text, sha: text, tree_hash: 't', stacks: [{ key: text, path: text, workspace: text }] },
        changed_paths: [text],
        config: { version: 1, tool: 'tofu', stacks: [{ match: text }] },
      }),
  },
  'domain/resolution/select-keys.ts': {
    selectKeys: (text) => finish(selectKeys([text], ['aws/a', 'aws/b:eu'])),
    namesTag: (text) => namesTag([text]),
  },
  'domain/merge-group.ts': { readMergeGroup, mergeGroupOf },
  'domain/run-name.ts': { readRunName },
  'domain/run-report.ts': { shortSha },
  'domain/texts/first-line.ts': { firstLine },
  'domain/texts/markdown.ts': {
    code: markdown.code,
    htmlCode: markdown.htmlCode,
    plain: markdown.plain,
    link: (text) => markdown.link('x', `https://${text}`),
    isWebAddress: (text) => markdown.isWebAddress(`https://${text}`),
    clip: (text) => markdown.clip(text, 1000),
    cutAtLine: (text) => markdown.cutAtLine(text, 1000, 'cut'),
    fenced: (text) => markdown.fenced(text),
    fencedPlan: (text) => markdown.fencedPlan(text),
    'fenced: cut': (text) => markdown.fenced(text, 1000, 'cut'),
    fewer: (text) => markdown.fewer(text.split('\n'), 5),
  },
  'domain/texts/plan-beginning.ts': {
    planBeginning: (text) => planBeginning(text),
    wholeCharacters: (text) => wholeCharacters(text, 1000),
  },
  'domain/texts/plan-diff.ts': { planDiff: (text) => planDiff(text) },
  'domain/texts/trim.ts': { trimEndOf: (text) => trimEndOf(text, '\n /'), trimOf: (text) => trimOf(text, '\n -') },
}
