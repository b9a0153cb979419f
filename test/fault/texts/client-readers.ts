import type { Run } from '#api/runs/run.ts'
import type { RunStack } from '#api/runs/run-stack.ts'
import { defaultConfig } from '#domain/config/config-file.ts'
import { boundVerdict } from '#runner/check/verdict.ts'
import { workflowProblems } from '#runner/doctor/examine-workflow.ts'
import { comparedWithShipped } from '#runner/doctor/same-as-shipped.ts'
import { workflowWarnings } from '#runner/doctor/workflow-warnings.ts'
import { findIn } from '#runner/hcl/calls.ts'
import { composed } from '#runner/hcl/composed.ts'
import { cursorOf } from '#runner/hcl/cursor.ts'
import { beginningOf, evaluate, literal, textOf } from '#runner/hcl/evaluate.ts'
import { type Names, readExpression } from '#runner/hcl/expression.ts'
import { positionOf } from '#runner/hcl/hcl-error.ts'
import { heredocBody, heredocName } from '#runner/hcl/heredoc.ts'
import { jsonFault } from '#runner/hcl/json-fault.ts'
import { readLoop } from '#runner/hcl/loop.ts'
import { negated, operate } from '#runner/hcl/operators.ts'
import { parseHcl } from '#runner/hcl/parse-hcl.ts'
import { readQuoted } from '#runner/hcl/quoted.ts'
import { indentOf, isBlank } from '#runner/hcl/spaces.ts'
import { bare, enclosed, splitEntries, splitItems, uncommented } from '#runner/hcl/split.ts'
import { splitHeredoc, splitTemplate } from '#runner/hcl/template.ts'
import { templateAt } from '#runner/hcl/template-mark.ts'
import { parseTfJson } from '#runner/hcl/tf-json.ts'
import { noNames, traverse } from '#runner/hcl/traverse.ts'
import { isComment, takes } from '#runner/hcl/trivia.ts'
import { readListing } from '#runner/listing/read-listing.ts'
import { withinBase64 } from '#runner/mask/base64.ts'
import { maskAddress } from '#runner/mask/mask-address.ts'
import { createMasks } from '#runner/mask/masks.ts'
import { cutBeginning, cutEnd, printable } from '#runner/mask/sendable-text.ts'
import { variableArguments } from '#runner/mask/variable-arguments.ts'
import { annotation, groupStart, withoutCommands } from '#runner/output/workflow-commands.ts'
import { ago } from '#runner/people/cells.ts'
import { colouredPlan } from '#runner/people/coloured-plan.ts'
import { drawingOf } from '#runner/people/drawing.ts'
import { stackColumns, titleOf } from '#runner/people/run-columns.ts'
import { cutTo, fittedTable } from '#runner/print/fitted-table.ts'
import { printTable, shown, widthOf } from '#runner/print/table.ts'
import { submoduleOf, watchesOf } from '#runner/scan/edges/linked-files.ts'
import { moduleSource, withoutUser } from '#runner/scan/edges/module-source.ts'
import { readPath } from '#runner/scan/edges/read-path.ts'
import { readFacts } from '#runner/scan/facts/file-facts.ts'
import { toolVersion } from '#runner/scan/state/tool-version.ts'
import { absolute, directoryOf, isOfMachine, placeFrom, relativePath } from '#runner/scan/terragrunt/places.ts'
import { callPlain } from '#runner/scan/terragrunt/plain-functions.ts'
import { codeSource, isRemote } from '#runner/scan/terragrunt/unit-source.ts'
import { encryptedBy } from '#runner/scan/tree/encrypted.ts'
import { linksOf } from '#runner/scan/tree/links.ts'
import { nameTree } from '#runner/validate/name-tree.ts'
import { unmetChecks } from '#runner/validate/required-checks.ts'
import type { Readers } from './growth.ts'

const attempted = (read: () => unknown): unknown => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const plain = (_: unknown, text: string): string => text

/** A run in which everything that others name is this text, and as many stacks as it has lines. */
const runNaming = (text: string) => {
  const began = '2026-01-31T12:00:00Z'
  const told = { reasons: [text], via: [text], blocked_by: [text], checks: [{ name: text, status: 'fail' }] }
  const stack = { stack_id: 'x', path: 'a', wave: 0, status: 'applying', started_at: began } as const
  const stacks = [{ ...stack, ...told, key: text }, ...text.split('\n').map((key) => ({ ...stack, key }))]
  return {
    ...{ id: 'x', repo: text, sha: text, trigger: 'comment', mode: 'apply', status: 'applying', requested_by: text },
    ...{ created_at: began, waves: 1, current_wave: 0, html_url: text, stacks },
  } as Run & { stacks: RunStack[] }
}

const anyOf = { call: () => true, string: /"/y }

const noKnownNames: Names = { name: () => undefined, call: (_, args) => args.map((arg) => arg())[0] }

/** The same of the client: what it finds in a checkout, and what the tool prints. */
export const clientReaders: Readonly<Record<string, Readers>> = {
  'runner/doctor/examine-workflow.ts': {
    workflowProblems: (text) => workflowProblems('svc-plan.yml', text),
    'workflowProblems: a run': (text) =>
      workflowProblems(
        'svc-run.yml',
        `on: push\nrun-name: ${JSON.stringify(text)}\njobs: { a: { steps: [{ run: ${JSON.stringify(text)} }] } }`,
      ),
  },
  'runner/doctor/same-as-shipped.ts': { comparedWithShipped: (text) => comparedWithShipped(text, 'jobs:\n') },
  'runner/doctor/workflow-warnings.ts': {
    'workflowWarnings: an action': (text) =>
      workflowWarnings('svc-run.yml', `jobs: { a: { steps: [{ uses: ${JSON.stringify(`a/svc${text}`)} }] } }`, '1.0.0'),
  },
  'runner/hcl/calls.ts': {
    findIn: (text) => findIn(text, anyOf),
    'findIn: an argument': (text) => findIn(`file(${text}`, anyOf),
    'findIn: arguments': (text) => findIn(`file(${text})`.repeat(8), anyOf),
    'findIn: a heredoc': (text) => findIn(`<<X\n${text}`, anyOf),
    'findIn: strings': (text) => findIn(`["${text}", "${text}"]`, anyOf),
  },
  'runner/hcl/composed.ts': { composed },
  'runner/hcl/evaluate.ts': {
    evaluate: (text) => evaluate(text, noNames),
    'evaluate: a list': (text) => evaluate(`[${text}]`, noNames),
    'evaluate: a loop': (text) => evaluate(`[for x${text}`, noNames),
    literal,
    beginningOf: (text) => beginningOf(`"${text}"`, noNames),
    textOf: (text) => textOf(`"${text}"`, noNames),
  },
  'runner/hcl/expression.ts': {
    readExpression: (text) => readExpression(text)(noKnownNames),
    'readExpression: a string': (text) => readExpression(`"${text}"`)(noKnownNames),
    'readExpression: a list': (text) => readExpression(`[${text}]`)(noKnownNames),
    'readExpression: an object': (text) => readExpression(`{${text}}`)(noKnownNames),
    'readExpression: a loop': (text) => readExpression(`[for x in [1, 2] : [${text}]]`)(noKnownNames),
    'readExpression: a condition in a string': (text) => readExpression(`"%{ if ${text} }"`)(noKnownNames),
    'readExpression: a heredoc with a directive': (text) => readExpression(`<<X\n%{ else }\n${text}\nX`)(noKnownNames),
    'readExpression: a heredoc': (text) => readExpression(`<<-X\n${text}\nX`)(noKnownNames),
  },
  'runner/hcl/operators.ts': {
    operate: (text) => operate('==', text, `${text}x`),
    negated: (text) => negated('!', text),
  },
  'runner/hcl/loop.ts': {
    readLoop: (text) => readLoop({ text: `for x in ${text}]`, at: 0, depth: 0 }, () => undefined, ']'),
  },
  'runner/hcl/quoted.ts': { readQuoted: (text) => readQuoted({ text: `"${text}"`, at: 0, depth: 0 }, () => undefined) },
  'runner/hcl/hcl-error.ts': { positionOf: (text) => positionOf(text, text.length) },
  'runner/hcl/heredoc.ts': { heredocBody, heredocName: (text) => heredocName(`<<${text}\n`, 0) },
  'runner/hcl/json-fault.ts': { jsonFault, 'jsonFault: a list': (text) => jsonFault(`[${text}`) },
  'runner/hcl/parse-hcl.ts': {
    parseHcl: (text) => parseHcl(text),
    'parseHcl: a value': (text) => parseHcl(`a = ${text}`),
    'parseHcl: a heredoc': (text) => parseHcl(`a = <<-X\n${text}\nX\n`),
    'parseHcl: a comment': (text) => parseHcl(`/*${text}`),
  },
  'runner/hcl/spaces.ts': { indentOf, isBlank },
  'runner/hcl/split.ts': {
    bare,
    uncommented,
    enclosed,
    'enclosed: [': (text) => enclosed(`[${text}]`),
    splitItems,
    splitEntries,
  },
  'runner/hcl/template.ts': {
    splitTemplate: (text) => splitTemplate(text, true),
    splitHeredoc: (text) => splitHeredoc(`<<-X\n${text}\nX\n`),
  },
  'runner/hcl/template-mark.ts': { templateAt: (text) => templateAt(text, 0) },
  'runner/hcl/tf-json.ts': { parseTfJson: (text) => parseTfJson(text) },
  'runner/hcl/traverse.ts': {
    traverse: (text) => traverse(text, noNames),
    'traverse: steps': (text) => traverse(`local.a${text}`, () => ({})),
  },
  'runner/hcl/trivia.ts': { isComment: (text) => isComment(text, 0), takes: (text) => takes(cursorOf(text), '}') },
  'runner/check/verdict.ts': {
    boundVerdict: (text) => boundVerdict({ status: 'fail', summary: text, details: text }, { warn: () => {} } as never),
  },
  'runner/mask/base64.ts': { withinBase64 },
  'runner/mask/variable-arguments.ts': {
    variableArguments: (text) => variableArguments({ TF_CLI_ARGS: text }),
  },
  'runner/listing/read-listing.ts': {
    readListing: (text) => attempted(() => readListing(text, 'it')),
    'readListing: a path': (text) =>
      attempted(() => readListing(JSON.stringify({ version: 1, stacks: [{ path: text, instance: text }] }), 'it')),
    'readListing: an edge': (text) =>
      attempted(() => readListing(JSON.stringify({ version: 1, edges: [{ from: text, to: text }] }), 'it')),
  },
  'runner/mask/mask-address.ts': {
    maskAddress: (text) => {
      const masks = createMasks()
      masks.add(['secret-one', 'abc'])
      return maskAddress(masks, text)
    },
  },
  'runner/mask/masks.ts': {
    createMasks: (text) => {
      const masks = createMasks()
      masks.add(['secret-one', 'abc', '{"a":"secret-two"}'])
      return masks.hide(text)
    },
  },
  'runner/mask/sendable-text.ts': {
    printable,
    cutEnd: (text) => cutEnd(text, 1000),
    cutBeginning: (text) => cutBeginning(text, 1000),
  },
  'runner/output/workflow-commands.ts': {
    annotation: (text) => annotation('error', text),
    groupStart,
    withoutCommands,
  },
  'runner/people/cells.ts': { ago: (text) => ago(text, 0) },
  'runner/people/coloured-plan.ts': { colouredPlan: (text) => colouredPlan(text, plain) },
  'runner/people/drawing.ts': {
    drawingOf: (text) => drawingOf(runNaming(text), { columns: 80, rows: 24 }, plain, 0),
  },
  'runner/people/run-columns.ts': {
    titleOf: (text) => titleOf(runNaming(text)),
    stackColumns: (text) => fittedTable(stackColumns, runNaming(text).stacks, { width: 80, paint: plain }),
  },
  'runner/print/fitted-table.ts': { cutTo: (text) => cutTo(text, 80) },
  'runner/print/table.ts': {
    shown,
    widthOf,
    printTable: (text) => printTable(text.split('\n').map((line) => line.split(' '))),
  },
  'runner/scan/edges/module-source.ts': {
    withoutUser,
    moduleSource: (text) => moduleSource(text, 'github.com'),
    'moduleSource: git': (text) => moduleSource(`git::https://${text}`, 'github.com'),
  },
  'runner/scan/tree/encrypted.ts': {
    encryptedBy,
    'encryptedBy: a value of sops': (text) => encryptedBy(`ENC[AES256_GCM,${text}`),
  },
  'runner/scan/tree/links.ts': {
    follow: (text) => linksOf(new Map([['a', text]])).follow(`a/${text}`),
    'follow: a link to here': (text) => linksOf(new Map([['a', `./${text}a`]])).follow('a'),
  },
  'runner/scan/edges/linked-files.ts': {
    submoduleOf: (text) => submoduleOf(new Set(['a']), text),
    watchesOf: (text) =>
      watchesOf({ links: linksOf(new Map([['a', 'b']])), submodules: new Set(['c']) }, `a/${text}`, '**'),
  },
  'runner/scan/edges/read-path.ts': {
    readPath: (text) => readPath({ path: `"${text}"` }, 'a', noNames),
    'readPath: a pattern': (text) => readPath({ path: '"../a"', pattern: `"${text}"` }, 'a', noNames),
  },
  'runner/scan/facts/file-facts.ts': {
    readFacts: (text) => readFacts(text, 'hcl'),
    'readFacts: JSON': (text) => readFacts(text, 'json'),
    'readFacts: a place': (text) => readFacts(`"\${path.module}/${text}" "${text}\${path.module}"`, 'hcl'),
  },
  'runner/scan/terragrunt/places.ts': {
    absolute,
    directoryOf,
    isOfMachine,
    placeFrom: (text) => placeFrom('a', text),
    'placeFrom: absolute': (text) => placeFrom('a', absolute(text)),
    relativePath: (text) => relativePath('a/b', text),
  },
  'runner/scan/terragrunt/plain-functions.ts': Object.fromEntries(
    Object.entries({
      ...{ basename: [''], dirname: [''], abspath: [''], format: [''], lower: [''], chomp: [''], trimspace: [''] },
      ...{ split: ['', ''], replace: ['', '/', '.'], trim: ['', ' a'], trimprefix: ['', 'a'], trimsuffix: ['', 'a'] },
      ...{ substr: ['', 1, 5], tonumber: [''], jsondecode: [''], yamldecode: [''], endswith: ['', 'a'], length: [''] },
      ...{ startswith: ['', 'a'], strcontains: ['', 'ab'] },
    }).map(([name, args]) => [
      `callPlain: ${name}`,
      (text: string) => callPlain(name, [name === 'split' ? ',' : text, ...args.slice(1).map((arg) => arg || text)]),
    ]),
  ),
  'runner/scan/terragrunt/unit-source.ts': {
    isRemote,
    codeSource: (text) => codeSource('a', text, 'github.com'),
    'codeSource: a registry': (text) => codeSource('a', `tfr://${text}`, 'github.com'),
    'codeSource: git': (text) => codeSource('a', `git::${text}`, 'github.com'),
  },
  'runner/scan/state/tool-version.ts': {
    toolVersion: (text) => toolVersion({ path: 'a', tool: 'terraform' }, [text], () => undefined),
  },
  'runner/validate/name-tree.ts': {
    'nameTree: a path': (text) => nameTree([text]).nearest('a/**/b/**/c'),
    'nameTree: a glob': (text) => nameTree(['aa/bb/ab', 'ab/ba/aa']).nearest(text),
  },
  'runner/validate/policy-names.ts': {
    unmetChecks: (text) =>
      unmetChecks(
        { ...defaultConfig, apply: { ...defaultConfig.apply, checks: ['a'] } },
        { paths: () => ['.github/workflows/a.yml'], text: () => `svc check ${text}` },
      ),
  },
}
