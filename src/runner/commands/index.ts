import type { Listed } from '../listed.ts'

/** The commands of the client, in the order of its help. */
export const commands: readonly Listed[] = [
  {
    name: 'scan',
    says: 'Print the graph of a checkout: its stacks, modules and what depends on what.',
    load: async () => (await import('./scan.ts')).scan,
  },
  {
    name: 'resolve',
    says: 'Register the run of a pull request or a merge group, upload its graph, and give the job matrix of the affected stacks.',
    load: async () => (await import('./resolve.ts')).resolve,
  },
  {
    name: 'plan',
    says: "Plan the job's stacks, run the checks that svc.yml names, and report.",
    load: async () => (await import('./plan.ts')).plan,
  },
  {
    name: 'apply',
    says: 'Apply the stack of a dispatched job, once the service has allowed it, and report.',
    load: async () => (await import('./apply.ts')).apply,
  },
  {
    name: 'drift',
    says: "Check whether the job's stacks still are as the checkout says, and report.",
    load: async () => (await import('./drift.ts')).drift,
  },
  {
    name: 'run',
    says: 'Run a dispatched job: plan, apply or check its stack for drift. With RUN, show or watch a run.',
    load: async () => (await import('./run.ts')).run,
  },
  {
    name: 'check',
    says: "Post a verdict on the job's stacks: from a program run on each plan, or as given.",
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'report',
    says: 'Report the results that svc plan, apply or drift kept with --hold.',
    load: async () => (await import('./report.ts')).report,
  },
  {
    name: 'order',
    says: 'Print, without the service, the affected stacks in the waves they would run in.',
    load: async () => (await import('./order.ts')).order,
  },
  {
    name: 'explain',
    says: 'Say why a change affects a stack, or why not, without the service.',
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'validate',
    says: 'Check svc.yml and print its problems, and what in it names nothing, with line and column.',
    load: async () => (await import('./validate.ts')).validate,
  },
  {
    name: 'init',
    says: 'Write the two workflows and a first svc.yml into the repository; existing files are left as they are.',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'doctor',
    says: 'Say what is missing for this repository to be planned and applied, and what to do about it.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'runs',
    says: 'List runs, newest first.',
    load: async () => (await import('../people/runs.ts')).runs,
  },
  {
    name: 'stacks',
    says: 'List stacks, with their status, drift and locks.',
    load: async () => (await import('../people/stacks.ts')).stacks,
  },
  {
    name: 'locks',
    says: 'List the locks that are held, and the pull requests that wait for them.',
    load: async () => (await import('../people/locks.ts')).locks,
  },
  {
    name: 'unlock',
    says: 'Release the lock of a stack, whoever holds it.',
    load: async () => (await import('../people/unlock.ts')).unlock,
  },
  {
    name: 'gate',
    says: 'Say whether a plan could be applied now, and what stands in the way.',
    load: async () => (await import('../people/gate.ts')).gate,
  },
  {
    name: 'rerun',
    says: 'Plan every stack of a plan run again.',
    load: async () => (await import('../people/rerun.ts')).rerun,
  },
  {
    name: 'plan-text',
    says: 'Print the plan of a stack of a run.',
    load: async () => (await import('../people/plan-text.ts')).planText,
  },
  {
    name: 'audit',
    says: 'List who did what.',
    load: async () => (await import('../people/audit.ts')).audit,
  },
  {
    name: 'completion',
    says: 'Print a script by which a shell completes the words of svc.',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
]
