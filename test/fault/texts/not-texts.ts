import { limits } from '#domain/limits.ts'

/*
 * Functions that take a string and are not timed by themselves, by why not. Whoever adds one says which it is.
 */

const ours = 'a name, an id or a sentence of our own'
const passed = 'only passes texts on, or looks them up'
const timed = `walks the graph: its time depends on edges more than on letters, and its thread is ended after ${limits.resolveSeconds} s of processor time`

const reasons: readonly (readonly [why: string, names: readonly string[]])[] = [
  [
    ours,
    [
      'domain/checks/check-run-order.ts isAggregate',
      'domain/comments/command-answers.ts answerMarker',
      'domain/gate/rules/teams-approval.ts teamsApproval',
      'domain/gate/who-may.ts teamsThatMay',
      'domain/gate/who-may.ts whyNotIn',
      'domain/gate/windows.ts exceptedTeams',
      'runner/people/repository-meant.ts repositoryMeant',
      'domain/comments/command-answers.ts appliedAnswer',
      'domain/comments/drift-issue.ts driftMarker',
      'domain/comments/stacks-table.ts naming',
      'domain/config/config-json-schema.ts configJsonSchema',
      'domain/config/config-values.ts does',
      'domain/dispatch/dispatch-refusal.ts dispatchPutOff',
      'domain/dispatch/dispatch-refusal.ts dispatchUnanswered',
      'domain/month.ts idsOfMonth',
      'domain/month.ts monthAfter',
      'domain/month.ts monthOfRun',
      'domain/calendar/time-zone.ts wallClock',
      'domain/calendar/time-zone.ts clockText',
      'domain/gate/rules/rule-ref.ts placeText',
      'domain/gate/verdict.ts unlessObjected',
      'domain/gate/verdict.ts off',
      'domain/gate/verdict.ts unknown',
      'domain/run-status.ts isOpen',
      'domain/texts/app-manifest.ts appManifest',
      'runner/people/cells.ts paintOfStatus',
      'runner/people/cells.ts shortId',
      'runner/print/print-graph.ts isGraphFormat',
      'domain/texts/change-counts.ts many',
      'domain/texts/warnings.ts superseding',
    ],
  ],
  [
    passed,
    [
      'domain/checks/check-run-order.ts droppedCheckRun',
      'domain/dispatch/dispatch-inputs.ts environmentOf',
      'domain/dispatch/dispatch-inputs.ts dispatchInputs',
      'domain/explain/fates.ts fatesOf',
      'domain/gate/people.ts permissionOf',
      'domain/gate/last-push.ts pushedHead',
      'domain/gate/people.ts isMember',
      'domain/resolution/matrix.ts matrixOf',
      'domain/config/wildcard.ts isOneChar',
      'domain/texts/warnings.ts configInvalid',
      'domain/texts/warnings.ts configKeysDiffer',
      'domain/texts/warnings.ts plannedByDefaultBranchConfig',
      'domain/texts/warnings.ts stackRemoved',
      'domain/texts/warnings.ts lockReleased',
      'domain/texts/warnings.ts crossRepo',
      'domain/texts/warnings.ts driftOvertaken',
      'domain/texts/warnings.ts baseChanged',
      'runner/hcl/body.ts blocksOf',
      'runner/hcl/body.ts expressionOf',
      'runner/hcl/cursor.ts cursorOf',
      'runner/mask/values-files.ts namesIn',
      'runner/people/find-run.ts findRunId',
      'runner/people/show-run.ts showRun',
      'runner/people/watch-run.ts watchRun',
    ],
  ],
  [
    timed,
    [
      'domain/config/stack-config.ts entriesOf',
      'domain/config/stack-config.ts isStackDirectory',
      'domain/config/stack-config.ts isNamedDirectory',
      'domain/config/stack-config.ts stackConfig',
      'domain/config/stack-config.ts stackConfigInSteps',
      'domain/config/stack-variants.ts stackVariants',
      'domain/graph/dependents.ts dependentsOf',
      'domain/resolution/depends-on.ts dependencyFinder',
      'domain/graph/module-use.ts modulesOfGraph',
      'domain/resolution/choose-stacks.ts chooseStacks',
      'domain/resolution/configured-graph.ts configuredEdges',
      'domain/resolution/directly-affected.ts directlyAffected',
      'domain/resolution/wave-order.ts requestedOf',
      'runner/scan/edges/depends-on.ts dependsOnEdges',
    ],
  ],
  [
    'a function that is timed goes all its steps',
    ['domain/config/config-file.ts parseRepoConfigInSteps', 'domain/config/yaml-text.ts readYamlInSteps'],
  ],
  [
    'as long as its two words multiplied: nearest, which is timed, gives it 64 letters',
    ['domain/edit-distance.ts editDistance'],
  ],
  [
    'each directory above a path: as long as a path is deep, and a path that git knows has 4,096 letters',
    ['domain/resolution/changed-paths.ts touchedBy'],
  ],
]

export const notTexts: ReadonlyMap<string, string> = new Map(
  reasons.flatMap(([why, names]) => names.map((name) => [name, why] as const)),
)
