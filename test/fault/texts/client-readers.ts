import { boundVerdict } from '#runner/check/verdict.ts'
import { workflowProblems } from '#runner/doctor/examine-workflow.ts'
import { evaluate, literal, textOf } from '#runner/hcl/evaluate.ts'
import { positionOf } from '#runner/hcl/hcl-error.ts'
import { heredocBody } from '#runner/hcl/heredoc.ts'
import { jsonFault } from '#runner/hcl/json-fault.ts'
import { parseHcl } from '#runner/hcl/parse-hcl.ts'
import { bare, enclosed, splitEntries, splitItems, uncommented } from '#runner/hcl/split.ts'
import { splitHeredoc, splitTemplate } from '#runner/hcl/template.ts'
import { templateAt } from '#runner/hcl/template-mark.ts'
import { parseTfJson } from '#runner/hcl/tf-json.ts'
import { noNames, traverse } from '#runner/hcl/traverse.ts'
import { isComment } from '#runner/hcl/trivia.ts'
import { createMasks } from '#runner/mask/masks.ts'
import { cutBeginning, cutEnd, printable } from '#runner/mask/sendable-text.ts'
import { annotation, groupStart, withoutCommands } from '#runner/output/workflow-commands.ts'
import { moduleSource, withoutUser } from '#runner/scan/edges/module-source.ts'
import { readFacts } from '#runner/scan/facts/file-facts.ts'
import { toolVersion } from '#runner/scan/state/tool-version.ts'
import type { Readers } from './growth.ts'

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
  'runner/hcl/evaluate.ts': {
    evaluate: (text) => evaluate(text, noNames),
    'evaluate: a list': (text) => evaluate(`[${text}]`, noNames),
    'evaluate: a loop': (text) => evaluate(`[for x${text}`, noNames),
    literal,
    textOf: (text) => textOf(`"${text}"`, noNames),
  },
  'runner/hcl/hcl-error.ts': { positionOf: (text) => positionOf(text, text.length) },
  'runner/hcl/heredoc.ts': { heredocBody },
  'runner/hcl/json-fault.ts': { jsonFault, 'jsonFault: a list': (text) => jsonFault(`[${text}`) },
  'runner/hcl/parse-hcl.ts': {
    parseHcl: (text) => parseHcl(text),
    'parseHcl: a value': (text) => parseHcl(`a = ${text}`),
    'parseHcl: a heredoc': (text) => parseHcl(`a = <<-X\n${text}\nX\n`),
    'parseHcl: a comment': (text) => parseHcl(`/*${text}`),
  },
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
  'runner/hcl/trivia.ts': { isComment: (text) => isComment(text, 0) },
  'runner/check/verdict.ts': {
    boundVerdict: (text) => boundVerdict({ status: 'fail', summary: text, details: text }, { warn: () => {} } as never),
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
  'runner/scan/edges/module-source.ts': {
    withoutUser,
    moduleSource: (text) => moduleSource(text, 'github.com'),
    'moduleSource: git': (text) => moduleSource(`git::https://${text}`, 'github.com'),
  },
  'runner/scan/facts/file-facts.ts': {
    readFacts: (text) => readFacts(text, 'hcl'),
    'readFacts: JSON': (text) => readFacts(text, 'json'),
  },
  'runner/scan/state/tool-version.ts': {
    toolVersion: (text) => toolVersion({ path: 'a', tool: 'terraform' }, [text], () => undefined),
  },
}
