import { z } from 'zod'
import { CommandLine, does, ToolArgument, VariableName } from './config-values.ts'

/** An entry's hooks: what a job runs beside the tool, and gives to it. They are always the default branch's. */
export const hookKeys = {
  before_init: z
    .array(CommandLine)
    .max(10)
    .optional()
    .meta(
      does(
        "Run in the stack's directory before the tool's init, one after another; one that fails ends the work on the stack.",
        ['./generate.sh'],
      ),
    ),
  env: z
    .record(VariableName, z.string())
    .optional()
    .meta(
      does(
        'Variables for the tool and these commands. A value is plain text; `$NAME` alone is the variable of that name in the job, which is how a secret is given.',
        { TF_VAR_region: 'eu', TF_VAR_token: '$DEPLOY_TOKEN' },
      ),
    ),
  plan_args: z
    .array(ToolArgument)
    .max(20)
    .optional()
    .meta(does("More arguments of the tool's plan.", ['-parallelism=30'])),
  apply_args: z
    .array(ToolArgument)
    .max(20)
    .optional()
    .meta(does("More arguments of the tool's apply.", ['-parallelism=5'])),
}
