import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '#dev/postgres/cluster.ts'
import { until } from '#test/helpers/until.ts'
import { listens, scratch } from './programs.ts'

const shipped = new URL('../../../deploy/nginx/svc.conf', import.meta.url)

/** The shipped example for this service: at a free port and without TLS, and otherwise word for word. */
const fitted = async (port: number, services: readonly string[]): Promise<string> => {
  const text = await readFile(shipped, 'utf8')
  const replaced: [RegExp, string][] = [
    [/server 127\.0\.0\.1:8080;/, services.map((service) => `server ${new URL(service).host};`).join(' ')],
    [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
    [/ssl_certificate .*;\n/, ''],
    [/ssl_certificate_key .*;\n/, ''],
  ]
  return replaced.reduce((fitting, [what, by]) => {
    if (!what.test(fitting)) throw new Error(`deploy/nginx/svc.conf has no ${what} any more`)
    return fitting.replace(what, by)
  }, text)
}

/** nginx with the shipped example in front of the service's instances, until the test ends; returns its address. */
export const startNginx = async (t: Test, ...services: string[]): Promise<string> => {
  const dir = await scratch(t)
  const port = await freePort()
  await mkdir(join(dir, 'logs'))
  const example = join(dir, 'svc.conf')
  await writeFile(example, await fitted(port, services))
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`)
  const main = join(dir, 'nginx.conf')
  await writeFile(
    main,
    `pid ${dir}/nginx.pid; worker_processes 1; daemon off; user root; error_log ${dir}/logs/error.log;
     events {} http { access_log off; ${kept.join(' ')} include ${example}; }`,
  )
  const nginx = spawn('nginx', ['-p', dir, '-c', main, '-e', join(dir, 'logs/error.log')], { stdio: 'inherit' })
  const ended = once(nginx, 'exit')
  t.teardown(async () => {
    nginx.kill('SIGTERM')
    await ended
  })
  await until(() => listens(port))
  return `http://127.0.0.1:${port}`
}
