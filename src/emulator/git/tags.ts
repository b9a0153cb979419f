import type { Person } from './commits.ts'
import { git, tryGit } from './run-git.ts'

/** A tag as git stores it: `object` is the tag object of an annotated tag, else the commit itself. */
export type Tag = { name: string; object: string; type: 'tag' | 'commit'; commit: string }

const format = '--format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)'

/** Tags whose full name begins with the prefix, by name. */
export const listTags = async (dir: string, prefix = 'refs/tags/'): Promise<Tag[]> => {
  const text = await git(dir, ['for-each-ref', format, 'refs/tags/'])
  return text.split('\n').flatMap((line) => {
    const [ref = '', object = '', type = '', peeled = ''] = line.split('\0')
    if (!ref.startsWith(prefix)) return []
    const isAnnotated = type === 'tag'
    const name = ref.slice('refs/tags/'.length)
    return [{ name, object, type: isAnnotated ? 'tag' : 'commit', commit: isAnnotated ? peeled : object }]
  })
}

/** An annotated tag's own object. */
export type TagObject = {
  sha: string
  name: string
  commit: string
  tagger: Person & { date: string }
  message: string
}

export const readTagObject = async (dir: string, sha: string): Promise<TagObject | undefined> => {
  if (!/^[0-9a-f]{40}$/.test(sha)) return undefined
  const { code, output } = await tryGit(dir, ['cat-file', 'tag', sha])
  if (code !== 0) return undefined
  const [head = '', ...message] = output.toString().split('\n\n')
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1] ?? ''
  const [, name = '', email = '', seconds = '0'] = /^(.*) <(.*)> (\d+)/.exec(field('tagger')) ?? []
  const date = new Date(Number(seconds) * 1000).toISOString().replace('.000Z', 'Z')
  return {
    sha,
    name: field('tag'),
    commit: field('object'),
    tagger: { name, email, date },
    message: message.join('\n\n').trimEnd(),
  }
}

/**
 * Makes a tag at a commit, or moves it there: an annotated one if there is a message. Returns the object that the ref then
 * names.
 */
export const putTag = async (
  dir: string,
  wanted: { name: string; commit: string; message?: string | undefined; tagger: Person; at: Date },
): Promise<string> => {
  const { name, commit, message, tagger, at } = wanted
  const ref = `refs/tags/${name}`
  if (message === undefined) {
    await git(dir, ['update-ref', ref, commit])
    return commit
  }
  const who = `${tagger.name} <${tagger.email}> ${Math.floor(at.getTime() / 1000)} +0000`
  const input = `object ${commit}\ntype commit\ntag ${name}\ntagger ${who}\n\n${message}\n`
  const sha = (await git(dir, ['mktag'], { input })).trim()
  await git(dir, ['update-ref', ref, sha])
  return sha
}

export const dropTag = async (dir: string, name: string): Promise<void> => {
  await git(dir, ['update-ref', '-d', `refs/tags/${name}`])
}
