import { CreateRunResponse } from '#api/runs/create-run.ts'
import { defineCommand } from '../command.ts'
import { exit } from '../exit.ts'
import { shown } from '../print/table.ts'
import { apiFlags, apiFor } from './api.ts'
import { findRunId } from './find-run.ts'
import { titleOf } from './run-columns.ts'

/** `svc rerun`. */
export const rerun = defineCommand({
  name: 'rerun',
  usage: 'RUN [flags]',
  text: `Plans every stack of a plan run again, in a new run on the same commit. RUN is the id of a run, or its beginning.
A run that a newer commit superseded, or that is still under way, is refused. The API takes no reason: the audit log says who
asked. With --json it prints the API's own answer to POST /v1/runs/{id}/rerun; 'svc run ID --watch' then draws the new run.`,
  flags: apiFlags,
  operands: 1,
  among: [],
  run: async ({ values, operands: [named] }, context) => {
    const { output } = context
    const api = apiFor(values, context)
    const id = await findRunId(api, 'rerun', named)
    const { content, raw } = await api.post(`/v1/runs/${id}/rerun`, CreateRunResponse, {})
    output.answer(raw)
    if (output.isJson) return exit.ok
    const { run } = content
    output.print(`${output.paint('green', 'begun')} run ${run.id}, which plans again: ${shown(titleOf(run))}\n`)
    output.print(`${output.paint('dim', shown(run.html_url))}\n`)
    return exit.ok
  },
})
