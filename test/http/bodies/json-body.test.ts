import { randomUUID } from 'node:crypto'
import t from 'tap'
import { type Answer, addKey, addRepository, serve } from '#test/scenes/served.ts'

const service = await serve(t)
await addRepository(service.databaseUrl)
const runPath = `/v1/runs/${randomUUID()}`

t.test('of a request without a body the content type does not matter', async (t) => {
  const key = await addKey(service.databaseUrl, 'no body')
  const type = 'application/x-www-form-urlencoded'
  const nothing = (path: string, authorization: string): Promise<Answer> =>
    service.send(path, {
      method: 'POST',
      body: '',
      headers: { authorization: `Bearer ${authorization}`, 'content-type': type },
    })
  for (const path of [`${runPath}/rerun`, `/v1/stacks/${randomUUID()}/unlock`])
    t.match(await nothing(path, key), { status: 404, json: { code: 'not_found' } }, path)
  for (const path of ['/v1/runs', `${runPath}/graph`])
    t.match(
      await nothing(path, await service.token()),
      { status: 400, json: { code: 'invalid', message: /body: is empty/ } },
      path,
    )
})
