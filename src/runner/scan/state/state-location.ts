import { join } from 'node:path/posix'
import type { Backend } from '#domain/graph/graph.ts'
import { isObject, type Partly } from '../../hcl/value.ts'

/** A backend's fields. A field that is set but cannot be known is present, as undefined. */
export type Fields = Readonly<Record<string, Partly>>

/**
 * Where a state is kept. `identity` is equal for the same state, and missing if a part of it is not given or cannot be known;
 * `unresolved` names the parts that cannot be known.
 */
export type StateLocation = { backend: Backend; identity?: string; unresolved: string[] }

export type Where = {
  workspace: string
  /** The stack's directory. Local paths are taken from the repository's root, so two stacks can be compared. */
  directory: string
}

type Place = { bucket: string | undefined; key: string | undefined }
type Text = (name: string, fallback?: string) => string | undefined
type Locate = (text: Text, fields: Fields, where: Where) => Place

const isDefault = ({ workspace }: Where): boolean => workspace === 'default'

const inDirectory = ({ directory }: Where, path: string): string =>
  path.startsWith('/') ? path : join(directory, path)

/** Remote state and HCP Terraform: the workspace's name, or the prefix and the name of the selected workspace. */
const remote: Locate = (text, fields, where) => {
  const host = text('hostname', 'app.terraform.io')
  const organization = text('organization')
  const given = fields.workspaces
  const workspaces = Array.isArray(given) ? given[0] : given
  const bucket = host === undefined || organization === undefined ? undefined : `${host}/${organization}`
  if (!isObject(workspaces)) return { bucket, key: undefined }
  const { name, prefix } = workspaces
  if (typeof name === 'string') return { bucket, key: name }
  if (typeof prefix === 'string') return { bucket, key: isDefault(where) ? undefined : prefix + where.workspace }
  const byTags = !('name' in workspaces) && !('prefix' in workspaces)
  return { bucket, key: byTags && !isDefault(where) ? where.workspace : undefined }
}

/*
 * How a workspace changes the place of a state, backend by backend, as their documentation says ('workspace_key_prefix' of s3,
 * 'prefix' of gcs, 'workspace_dir' of local) and, for local, as Terraform 1.11.4 does it: `path` counts for the default workspace
 * only. Other backends keep states too, but are not compared.
 */
const locateBy: Readonly<Record<string, Locate>> = {
  s3: (text, _fields, where) => {
    const key = text('key')
    if (key === undefined || isDefault(where)) return { bucket: text('bucket'), key }
    const prefix = text('workspace_key_prefix', 'env:')
    return { bucket: text('bucket'), key: prefix === undefined ? undefined : join(prefix, where.workspace, key) }
  },
  gcs: (text, _fields, { workspace }) => {
    const prefix = text('prefix', '')
    return { bucket: text('bucket'), key: prefix === undefined ? undefined : join(prefix, `${workspace}.tfstate`) }
  },
  azurerm: (text, _fields, where) => {
    const [account, container, key] = [text('storage_account_name'), text('container_name'), text('key')]
    return {
      bucket: account === undefined || container === undefined ? undefined : `${account}/${container}`,
      key: key === undefined || isDefault(where) ? key : `${key}env:${where.workspace}`,
    }
  },
  local: (text, _fields, where) => {
    if (isDefault(where)) {
      const path = text('path', 'terraform.tfstate')
      return { bucket: '', key: path === undefined ? undefined : inDirectory(where, path) }
    }
    const base = text('workspace_dir', 'terraform.tfstate.d')
    return { bucket: '', key: base && inDirectory(where, `${base}/${where.workspace}/terraform.tfstate`) }
  },
  http: (text) => ({ bucket: '', key: text('address')?.replace(/:\/\/[^@/]*@/, '://') }),
  remote,
}

const asBoolean = (value: Partly): boolean | undefined =>
  value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined

/** Cloud blocks and the remote backend keep state in the same place, so both are read as `remote`. */
const typeOf = (type: string): string => (type === 'cloud' ? 'remote' : type)

export const isComparable = (type: string): boolean => Object.hasOwn(locateBy, typeOf(type))

/** Where a backend of this type and with these fields keeps the state of a workspace. */
export const stateLocation = (backendType: string, fields: Fields, where: Where): StateLocation => {
  const type = typeOf(backendType)
  const unresolved: string[] = []
  const text: Text = (name, fallback) => {
    if (!Object.hasOwn(fields, name) || fields[name] === null) return fallback
    const value = fields[name]
    if (typeof value === 'string') return value
    unresolved.push(name)
    return undefined
  }
  const locate = Object.hasOwn(locateBy, type) ? locateBy[type] : undefined
  const { bucket, key } = locate?.(text, fields, where) ?? {}
  const region = typeof fields.region === 'string' ? fields.region : undefined
  const lockfile = asBoolean(fields.use_lockfile)
  if (type === 'remote' && key === undefined && Object.hasOwn(fields, 'workspaces') && hasUnknown(fields.workspaces))
    unresolved.push('workspaces')
  return {
    backend: {
      type,
      ...(bucket ? { bucket } : {}),
      ...(key === undefined ? {} : { key }),
      ...(region === undefined ? {} : { region }),
      ...(lockfile === undefined ? {} : { use_lockfile: lockfile }),
    },
    ...(bucket === undefined || key === undefined ? {} : { identity: `${type}\0${bucket}\0${key}` }),
    unresolved,
  }
}

const hasUnknown = (value: Partly): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.values(value).some(hasUnknown))
