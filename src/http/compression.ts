import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { App } from './app.ts'

/*
 * Compressed are answers to GET of more than 1 KB, for those who ask for it: a graph of 2.4 MB is 18 KB then. Answers to jobs' POSTs
 * are not: their results come by the hundred, and their clients sit in data centres.
 *
 * The length of a compressed answer tells who can see it on the line how much of what they put into a request the answer repeats
 * (BREACH). It takes a secret in the answer, a text of the attacker's choice beside it, and a browser that asks again and again
 * with the victim's session. Answers of the API carry no credential: keys, tokens and hashes of them are in none. Other sites'
 * pages cannot make a browser ask with the session either: its cookie is SameSite=Lax. The pages that do carry secrets, or
 * tokens against forged forms, are never compressed: setup, which prints the app's credentials, and sign-in.
 */
const isSecretive = (url: string): boolean => /^\/(auth|setup|webhooks)(\/|$)/.test(url)

type Route = { url?: string | undefined; method?: string | string[] | undefined }

const isCompressed = ({ url, method }: Route): boolean => method === 'GET' && url !== undefined && !isSecretive(url)

/** gzip and br; before the routes are added. Streamed answers are compressed as they go. */
export const compressAnswers = (app: App): void => {
  app.addHook('onRoute', (route) => {
    if (!isCompressed(route)) route.compress = false
  })
  // small answers too, and those to clients that ask for none: a cache must not take one for the other
  app.addHook('onSend', ({ routeOptions }, reply, payload, done) => {
    if (isCompressed(routeOptions)) reply.header('vary', 'accept-encoding')
    done(null, payload)
  })
  app.register(compress, {
    // bodies of requests are taken as they are: 1 MB of them could become gigabytes
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    threshold: 1024,
    customTypes: /^(text\/plain|application\/([a-z]+\+)?json)(;|$)/,
    // of the graph of 2.4 MB, 2,000 stacks: 3 makes 18 KB in 12 ms, 1 148 KB in 8 ms, 4 14 KB in 23 ms; with gzip 3 makes 114 KB in
    // 6 ms, 6 84 KB in 47 ms
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    zlibOptions: { level: 3 },
  })
}
