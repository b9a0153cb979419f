import { configFileName } from '#domain/config/config-file.ts'
import { runWorkflowPath } from '#domain/run-name.ts'
import type { Tools } from './find-tools.ts'

const NAMED = 5

const ofOthers = ({ tool, keys }: NonNullable<Tools['others']>): string => {
  const more = keys.length > NAMED ? ` and ${keys.length - NAMED} more` : ''
  return `Say \`tool: ${tool}\` in ${configFileName} for the stacks that go by it, if they should: ${keys.slice(0, NAMED).join(', ')}${more}.`
}

/** What a person does after `svc init`, in order. */
export const nextSteps = ({ hasAction, tool, others }: { hasAction: boolean } & Tools): string[] => [
  `Look through ${configFileName}: svc order prints the waves it results in.`,
  ...(others === undefined ? [] : [ofOthers(others)]),
  ...(hasAction
    ? []
    : ["Put svc on the PATH where the workflows say so: the action of svc's own repository, or an image that has it."]),
  `Set up ${tool === 'terragrunt' ? 'terragrunt, with the terraform or tofu that it runs,' : tool} and the cloud login in both workflows, where they say so.`,
  'Turn off the wrapper of the actions setup-terraform and setup-opentofu: it hides exit statuses and keeps signals.',
  `Give the repository the variable SVC_URL, the service's address: Settings, Secrets and variables, Actions, Variables.`,
  `Install the service's app on the repository.`,
  `Commit the files and merge them: only the default branch's ${runWorkflowPath} counts.`,
  'Require the check svc/plan, and svc/apply where changes are applied before they are merged, in the branch protection.',
  'Run svc doctor, here and in a job: it says what is missing.',
]
