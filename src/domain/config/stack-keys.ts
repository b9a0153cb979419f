import { z } from 'zod'
import { PlanOutput, Tool } from '#domain/graph/graph.ts'
import { limits } from '../limits.ts'
import {
  BackendConfig,
  DependsOn,
  does,
  Environment,
  Glob,
  InstanceName,
  InstancesFrom,
  LockWait,
  type ObjectOf,
  RunnerLabels,
  StackFile,
  Tag,
  Version,
  WatchedGlob,
  Workspace,
} from './config-values.ts'
import { hookKeys } from './hook-keys.ts'

/** Settings that a stack and an instance of one share. */
const ofBoth = {
  workspace: Workspace.optional().meta(does('The workspace to select; none by default.', 'prod', '{dir}-{name}')),
  environment: Environment.optional().meta(
    does(
      "The code host's environment that the apply job runs under, with its protection rules and secrets; `default` if not set. Plans and checks for drift always run under `default`.",
      'production',
      '{instance}',
    ),
  ),
  var_files: z
    .array(StackFile)
    .optional()
    .meta(
      does('Files given as `-var-file`. A file outside the directory is watched.', [
        '../common.tfvars',
        'env/{instance}.tfvars',
      ]),
    ),
  backend_config: z
    .array(BackendConfig)
    .optional()
    .meta(
      does('Files and settings given as `-backend-config`. A file outside the directory is watched.', [
        '../s3.hcl',
        'key={path}/terraform.tfstate',
      ]),
    ),
  watch_paths: z
    .array(WatchedGlob)
    .optional()
    .meta(
      does(
        'Files outside the directory whose change affects the stack. Those that its code reads are watched anyhow, unless functions such as `format` and `join` put their paths together.',
        ['shared/{dir}/**'],
      ),
    ),
}

/** An instance may be called `from`, too: then it has a map. */
const onlyFromIsText = (instances: Record<string, unknown>, context: z.RefinementCtx): void => {
  for (const [name, value] of Object.entries(instances)) {
    if (typeof value !== 'string') continue
    const message =
      name === 'from' ? InstancesFrom.safeParse(value).error?.issues[0]?.message : 'expected a map of keys'
    if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message })
  }
}

/** An entry of `stacks`. */
export const stackKeys = (object: ObjectOf) => ({
  match: Glob.meta(
    does(
      'The directories that the entry applies to. Every matching entry counts, and key by key the last one wins.',
      'aws/**',
    ),
  ),
  ...ofBoth,
  tags: z
    .array(Tag)
    .max(limits.tags)
    .optional()
    .meta(
      does(
        'Words to name the stacks by: `tag:network` in commands, filters and `depends_on`. Those of all matching entries count.',
        ['network', 'critical'],
      ),
    ),
  depends_on: z
    .array(DependsOn)
    .optional()
    .meta(
      does(
        'Stacks that come first, of this repository or another. A stack that a glob matches waits for none of the others, and neither does one that has the tag.',
        ['aws/network', 'acme/dns//zones'],
        ['platform/**', 'tag:network'],
      ),
    ),
  instances: z
    .record(
      InstanceName,
      z.union([z.string(), z.null(), object(ofBoth)]).transform((value) => value ?? {}),
    )
    .superRefine(onlyFromIsText)
    .optional()
    .meta(
      does(
        'One stack for each name, with the key `path:name`, in place of the stack that the directory would be. An instance has the settings of the entry, and its own files after them. `from` makes one of each file that it matches.',
        { eu: { workspace: 'eu', var_files: ['eu.tfvars'] } },
        { from: 'env/*.tfvars' },
      ),
    ),
  ...hookKeys,
  plan_output: PlanOutput.optional().meta(does('As `plan.output`, for these stacks.', 'summary')),
  tool: Tool.optional().meta(does('As `tool`, for these stacks.', 'tofu')),
  tool_version: Version.optional().meta(does('As `tool_version`, for these stacks.', '1.9.0')),
  runs_on: RunnerLabels.optional().meta(does('As `runs_on`, for these stacks.', ['self-hosted', 'production'])),
  lock_timeout: LockWait.optional().meta(does('As `lock_timeout`, for these stacks.', '30m')),
})
