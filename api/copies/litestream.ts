import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCodeOf } from '#api/log.ts'
import { openObjectStore, type StoreAddress } from '#api/object-store/store.ts'
import type { CopySettings } from '#api/settings.ts'
import { type CopyFormat, type CopyObject, copiedBefore, copyObjects, generationAt } from './copy-store.ts'

// Litestream itself. 0.3 and 0.5 have settings and copies of their own, and each ignores the other’s settings without a word.

export type Litestream = { version: string; format: CopyFormat }

/** Below it a checkpoint beside another connection’s write can damage the database: SQLite’s WAL-reset fault. */
export const safeVersion = '0.5.17'

const isAtLeast = ({ version }: Litestream, other: string) => Bun.semver.order(version, other) >= 0

export const isSafe = (litestream: Litestream): boolean => isAtLeast(litestream, safeVersion)

export async function findLitestream({ program }: Pick<CopySettings, 'program'>): Promise<Litestream> {
  const { out } = await run([program, 'version'])
  const version = /\d+\.\d+\.\d+/.exec(out)?.[0]
  if (version === undefined) throw new Error(`Litestream doesn’t say which version it is (${program}).`)
  return { version, format: Bun.semver.order(version, '0.5.0') < 0 ? '0.3' : '0.5' }
}

type Copied = { database: string; store: StoreAddress; machine: string; keys: CopySettings['keys'] }

/** Stands in for the keys where people see the file. */
export const namesOfKeys = { accessKeyId: '$S3_ACCESS_KEY_ID', secretAccessKey: '$S3_SECRET_ACCESS_KEY' }

/**
 * What `replicate` and `restore` are started with, with `-no-expand-env`: a key or a path may have a `$` in it.
 *
 * Looks several times a second, so that what’s older than a second has been copied. Only from a whole copy can the database go back,
 * one is made each day, and we promise a week: so they’re kept for eight days.
 */
export function settingsOfCopies({ version, format }: Litestream, { database, store, machine, keys }: Copied): string {
  const text = JSON.stringify
  const where = [
    'type: s3',
    `bucket: ${text(store.bucket)}`,
    `path: ${text(`${store.prefix}copies/${machine}`)}`,
    `endpoint: ${text(store.endpoint)}`,
    `region: ${text(store.region)}`,
    'sync-interval: 500ms',
  ]
  const [whole, kept] = ['24h', '192h']
  const old = ['replicas:', ...asItem([...where, `snapshot-interval: ${whole}`, `retention: ${kept}`])]
  const lines = [
    `# For Litestream ${version}, by “alliance copies config”. Another version may need another file: write it again.`,
    `access-key-id: ${text(keys.accessKeyId)}`,
    `secret-access-key: ${text(keys.secretAccessKey)}`,
    'logging:',
    '  stderr: true',
    ...(format === '0.3' ? [] : ['snapshot:', `  interval: ${whole}`, `  retention: ${kept}`]),
    'dbs:',
    ...asItem([
      `path: ${text(database)}`,
      'monitor-interval: 250ms',
      ...(format === '0.3' ? old : ['replica:', ...where.map((line) => `  ${line}`)]),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

const asItem = (lines: readonly string[]) => lines.map((line, at) => `  ${at === 0 ? '- ' : '  '}${line}`)

/** What a Litestream can’t read, and which can. Null if it reads these copies. */
function findUnreadable(litestream: Litestream, made: CopyFormat | undefined): string | null {
  if (made === undefined || made === litestream.format || isAtLeast(litestream, '0.5.7')) return null
  const needed = made === '0.5' ? safeVersion : '0.5.7 or later, or 0.3.13'
  return `These copies are by Litestream ${made}, and ${litestream.version} here can’t read them. Install ${needed}.`
}

/** What becomes of a machine’s copies by the other version. Null if there are none. */
export function describeChange(litestream: Litestream, machine: string, objects: readonly CopyObject[]): string | null {
  const { version, format } = litestream
  const other = objects.findLast((object) => object.format !== format)
  if (other === undefined) return null
  const unreadable = findUnreadable(litestream, other.format)
  if (unreadable !== null) return unreadable
  const kept = `Litestream ${version} begins with a whole copy, and still restores what 0.3 copied. Nothing deletes those.`
  const old = `Once you don’t need them, delete copies/${machine}/generations in the store.`
  return `${kept} ${old} Never delete the generations folder beside copies: it says which machine has the site.`
}

type Wanted = { database: string; machine: string; at: string | null }

/** Throws with a sentence if these copies can’t be read here. Returns what there is. */
export async function assertReadable(
  copies: CopySettings,
  { machine, at }: Omit<Wanted, 'database'>,
): Promise<{ litestream: Litestream; objects: CopyObject[] }> {
  const litestream = await findLitestream(copies)
  const objects = await copyObjects(storeOf(copies), machine)
  const unreadable = findUnreadable(
    litestream,
    objects.findLast(({ storedAt }) => at === null || storedAt <= at)?.format,
  )
  if (unreadable !== null) throw new Error(unreadable)
  return { litestream, objects }
}

/** Puts a database together in a new file. */
export async function restoreCopy(copies: CopySettings, wanted: Wanted & { to: string }): Promise<void> {
  const { litestream, objects } = await assertReadable(copies, wanted)
  const { code, ...said } = await withSettings(copies, { litestream, wanted }, (config) =>
    run([
      copies.program,
      'restore',
      ...config,
      '-o',
      wanted.to,
      ...pointIn(litestream, objects, wanted.at),
      wanted.database,
    ]),
  )
  if (code === 0 && existsSync(wanted.to)) return
  throw new Error(`Litestream couldn’t restore the copy: ${firstFault(said)}`)
}

/** 0.3 finds no copy for a time after the last change, or between two generations. How things ended is how they were then. */
function pointIn({ format }: Litestream, objects: readonly CopyObject[], at: string | null): string[] {
  if (at === null) return []
  const found = format === '0.3' ? generationAt(objects, at) : null
  const generation = found === null ? [] : ['-generation', found.generation]
  return [...generation, ...(found?.isOver ? [] : ['-timestamp', at])]
}

type Readable = Awaited<ReturnType<typeof assertReadable>>

/** `isReached`: whether the copies reach back to a time. Null if this Litestream can’t tell. */
export async function reachOf(copies: CopySettings, wanted: Wanted & { at: string }) {
  const readable = await assertReadable(copies, wanted)
  const isReached = await reachesBack(copies, wanted, readable)
  return { isReached, copied: copiedBefore(readable.objects, wanted.at) }
}

async function reachesBack(copies: CopySettings, wanted: Wanted & { at: string }, { litestream, objects }: Readable) {
  if (generationAt(objects, wanted.at) !== null && !isSinceOld(objects, wanted.at)) return true
  if (litestream.format === '0.3') return false
  if (!isAtLeast(litestream, '0.5.12')) return null
  const { code } = await withSettings(copies, { litestream, wanted }, (config) =>
    run([copies.program, 'restore', ...config, '-dry-run', '-timestamp', wanted.at, wanted.database]),
  )
  return code === 0
}

/** What 0.3 left isn't kept up, and 0.5 would put its end back for any time since, however long ago that was. */
function isSinceOld(objects: readonly CopyObject[], at: string): boolean {
  const lastOf = (one: CopyFormat) => objects.findLast(({ format }) => format === one)?.storedAt ?? ''
  return at > lastOf('0.3') && lastOf('0.5') > lastOf('0.3')
}

function storeOf({ store }: CopySettings) {
  if (store === null) throw new Error('LITESTREAM_URL isn’t set.')
  return openObjectStore(store)
}

type Reading = { litestream: Litestream; wanted: Omit<Wanted, 'at'> }

/** In a folder only we can read, since the keys are in it. */
async function withSettings<Result>(
  { store, keys }: CopySettings,
  { litestream, wanted: { database, machine } }: Reading,
  work: (config: string[]) => Promise<Result>,
): Promise<Result> {
  if (store === null) throw new Error('LITESTREAM_URL isn’t set.')
  const folder = mkdtempSync(join(tmpdir(), 'alliance-litestream-'))
  try {
    const file = join(folder, 'litestream.yml')
    writeFileSync(file, settingsOfCopies(litestream, { database, store, machine, keys }), { mode: 0o600 })
    return await work(['-config', file, '-no-expand-env'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(argv: string[]) {
  const child = spawn(argv)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

function spawn(argv: string[]) {
  try {
    return Bun.spawn(argv, { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  } catch (error) {
    if (!/^(ENOENT|EACCES)$/.test(errorCodeOf(error))) throw error
    throw new Error(`Litestream isn’t here (${argv[0]}). Install it, or put its path into .env: LITESTREAM_PROGRAM.`)
  }
}

/** The first line that names a fault: the last may be the end of a trace. */
export function firstFault({ out, err }: { out: string; err: string }): string {
  const lines = `${err}\n${out}`.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((one) => /\bERROR\b|^(panic|fatal error|Error):/.test(one)) ?? lines[0]
  if (line === undefined) return 'it doesn’t say why.'
  const quoted = /\berror=("(?:[^"\\]|\\.)*")/.exec(line)?.[1]
  const said = quoted === undefined ? line.replace(/^Error: /, '') : String(JSON.parse(quoted))
  return said.split('\n')[0]?.replace(/\.?$/, '.') ?? ''
}
