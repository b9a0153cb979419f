import t from 'tap'
import { initTrying, isPassing } from '#runner/tool/init-retries.ts'

const ended = (stderr: string, code = 1) => ({ code, signal: null, stdout: '', stderr })

const fetching = ended(
  'Error: Failed to query available provider packages\n\nCould not retrieve the list of available versions for provider hashicorp/aws: could not connect to registry.terraform.io: Get "https://registry.terraform.io/.well-known/terraform.json": dial tcp: i/o timeout',
)
const wrong = ended(
  'Error: Failed to query available provider packages\n\nprovider registry registry.terraform.io does not have a provider named registry.terraform.io/acme/nothing',
)
const good = ended('', 0)

t.test('what may pass is told from what a stack must mend', async (t) => {
  for (const [text, passes] of [
    ['Get "https://x/v1": net/http: TLS handshake timeout', true],
    ['read tcp 10.0.0.1:443: connection reset by peer', true],
    ['dial tcp: lookup registry.opentofu.org on 127.0.0.53:53: no such host', true],
    ['unexpected status code 503 Service Unavailable', true],
    ['error: RPC failed; curl 56', true],
    ['fatal: unable to access: The requested URL returned error: 502', true],
    ['fatal: unable to access: The requested URL returned error: 404', false],
    ['Error: Unsupported block type', false],
    ['Error: Failed to get existing workspaces: AccessDenied', false],
  ] as const)
    t.equal(isPassing(ended(text)), passes, text)
  t.notOk(isPassing(ended('i/o timeout', 0)), 'a success is none, whatever it says')
})

const play = async (ends: (typeof good)[], retries: number, stopsAfter = Infinity) => {
  const waited: number[] = []
  const told: string[] = []
  let runs = 0
  const last = await initTrying({
    run: async () => ends[Math.min(runs++, ends.length - 1)] ?? good,
    retries,
    goesOn: () => waited.length < stopsAfter,
    pause: async (ms) => void waited.push(ms / 1000),
    tell: (message) => told.push(message),
  })
  return { code: last.code, runs, waited, told: told.length }
}

t.test('init is tried again after an error of the network, as often as svc.yml says', async (t) => {
  for (const [what, given, wanted] of [
    ['at once', [[good], 2], { code: 0, runs: 1, waited: [], told: 0 }],
    ['the second time', [[fetching, good], 2], { code: 0, runs: 2, waited: [5], told: 1 }],
    ['never', [[fetching], 2], { code: 1, runs: 3, waited: [5, 15], told: 2 }],
    ['no retries', [[fetching, good], 0], { code: 1, runs: 1, waited: [], told: 0 }],
    ['another error', [[wrong, good], 2], { code: 1, runs: 1, waited: [], told: 0 }],
    ['another error the second time', [[fetching, wrong, good], 5], { code: 1, runs: 2, waited: [5], told: 1 }],
    ['a signal while it waits', [[fetching, good], 2, 1], { code: 1, runs: 1, waited: [5], told: 1 }],
    ['a signal before it waits', [[fetching, good], 2, 0], { code: 1, runs: 1, waited: [], told: 0 }],
  ] as const)
    t.same(await play(...(given as unknown as Parameters<typeof play>)), wanted, what)
})
