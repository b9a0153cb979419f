import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Scripts of the head, by the names of their files in the build. */
const headScripts = { reload: 'reload-once.ts', theme: 'theme/before-paint.ts' }

/**
 * Scripts that the parser waits for, before anything is painted or asked for: a module would run too late, and a script in the document would
 * need a hole in its policy. Each is a file of its own, named by its content like the others.
 */
const scriptsOfHead = (): Plugin => ({
  name: 'scripts-of-head',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) =>
      Object.entries(headScripts).map(([name, source]) => {
        const built = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === name)
        const src = built ? `./${built.fileName}` : `/${source}`
        return { tag: 'script', attrs: { src }, injectTo: 'head-prepend' }
      }),
  },
})

/** Pages are all called Page: their chunks have the names of their folders. */
const nameOf = (name: string, module = ''): string =>
  name === 'Page' ? (/([\w-]+)\/Page\.tsx$/.exec(module)?.[1] ?? name) : name

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

/** What the first page is made of, itself included; not what it asks for later. */
const ofFirstPage = (modules: Modules): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (id: string): void => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  add(join(import.meta.dirname, 'overview/Page.tsx'))
  return found
}

/** What the first page shares with some others is one file too: it has a budget, and by themselves they are 2 KB more. */
const firstPart = () => {
  let found: ReadonlySet<string> | undefined
  return (id: string, modules: Modules): string | null => {
    found ??= ofFirstPage(modules)
    return found.has(id) ? 'first' : null
  }
}

/** Relative addresses: the service writes its base path into the document (src/http/ui/index-document.ts). */
export default defineConfig({
  base: './',
  plugins: [react(), scriptsOfHead()],
  // docs/errors.md is shown with errors
  server: { fs: { allow: ['..'] } },
  build: {
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    emptyOutDir: true,
    reportCompressedSize: false,
    // each has light-dark(), popovers and the other things that style/ relies on
    target: ['chrome125', 'firefox129', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // a warning fails the build, and this one says only that the machine was slow
      checks: { bundlerTimings: false },
      input: { main: 'index.html', ...headScripts },
      output: {
        chunkFileNames: ({ name, moduleIds }) => `assets/${nameOf(name, moduleIds.at(-1))}-[hash].js`,
        // what most pages have, in one file: a dozen of a few hundred bytes are larger together, and as many requests
        codeSplitting: {
          groups: [
            { name: 'common', minShareCount: 16, priority: 1 },
            { name: firstPart(), minShareCount: 2 },
          ],
        },
      },
    },
  },
})
