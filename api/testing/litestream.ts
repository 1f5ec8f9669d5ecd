import { existsSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { parseStoreAddress } from '#api/object-store/store.ts'

/**
 * Stands in for Litestream, which can't be had here, by the same rules: it holds a read lock, so no one restarts the log,
 * and is the only one that checkpoints. It copies the file after each checkpoint and the log several times a second, and `restore`
 * puts both together. Arguments as Litestream's own; the settings come from the environment, not from `-config`.
 */
const { positionals, values } = parseArgs({
  args: process.argv.slice(2).map((word) => word.replace(/^-(?=[a-z]{2})/, '--')),
  options: { config: { type: 'string' }, o: { type: 'string', short: 'o' }, timestamp: { type: 'string' } },
  allowPositionals: true,
})
const [verb, file = ''] = positionals
const { LITESTREAM_URL = '', LITESTREAM_MACHINE = 'here', CHECKPOINT_PAGES = '1000', COPY_MS = '200' } = process.env
const keys = {
  accessKeyId: process.env.LITESTREAM_ACCESS_KEY_ID ?? '',
  secretAccessKey: process.env.LITESTREAM_SECRET_ACCESS_KEY ?? '',
}
const address = parseStoreAddress(LITESTREAM_URL, keys)
const store = address === null ? null : new Bun.S3Client(address)
const prefix = `${address?.prefix ?? ''}copies/${LITESTREAM_MACHINE}/`

/** `marks`: how much of the log was copied when, in ms since 1970. */
type Copy = { number: number; marks: [number, number][] }

async function replicate(): Promise<never> {
  const sqlite = new Database(file, { fileMustExist: true })
  sqlite.pragma('wal_autocheckpoint = 0')
  sqlite.exec('create table if not exists _litestream_seq (id integer primary key, seq integer)')
  sqlite.exec('create table if not exists _litestream_lock (id integer)')
  const hold = () => {
    sqlite.exec('begin')
    sqlite.prepare('select count(*) from _litestream_seq').get()
  }
  hold()
  let copy = await begin((await newest())?.number ?? 0)
  process.stdout.write('holds the lock\n')
  let longest = 0
  for (let last = performance.now(); ; ) {
    await Bun.sleep(Number(COPY_MS))
    const log = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
    if (log > Number(CHECKPOINT_PAGES) * 4096) {
      sqlite.exec('rollback')
      sqlite.exec('insert into _litestream_seq values (1, 1) on conflict do update set seq = seq + 1')
      const [done] = sqlite.pragma('wal_checkpoint(PASSIVE)') as { busy: number; log: number; checkpointed: number }[]
      hold()
      process.stdout.write(`checkpoint ${done?.log} ${done?.checkpointed}\n`)
      copy = await begin(copy.number)
    }
    await copyLog(copy)
    const took = performance.now() - last
    last += took
    // On a busy machine it may fall behind.
    if (took > longest) process.stdout.write(`longest ${Math.ceil(took)}\n`)
    longest = Math.max(longest, took)
  }
}

/** The file only changes by our own checkpoints, so it can be read as it is. */
async function begin(last: number): Promise<Copy> {
  const copy: Copy = { number: last + 1, marks: [] }
  await store?.write(`${prefix}${name(copy)}/database`, await Bun.file(file).bytes())
  await copyLog(copy)
  return copy
}

async function copyLog(copy: Copy): Promise<void> {
  const at = Date.now()
  const log = existsSync(`${file}-wal`) ? await Bun.file(`${file}-wal`).bytes() : new Uint8Array()
  copy.marks.push([at, log.length])
  await store?.write(`${prefix}${name(copy)}/log`, log)
  await store?.write(`${prefix}${name(copy)}/marks.json`, JSON.stringify(copy))
}

const name = ({ number }: Copy) => String(number).padStart(8, '0')

async function copies(): Promise<Copy[]> {
  const found = (await store?.list({ prefix }))?.contents ?? []
  const marks = found.map(({ key }) => key).filter((key) => key.endsWith('/marks.json'))
  const read = await Promise.all(marks.map(async (key): Promise<Copy> => (await store?.file(key).json()) ?? null))
  return read.sort((one, other) => one.number - other.number)
}

const newest = async () => (await copies()).at(-1)

async function restore(): Promise<void> {
  const { o: to = '', timestamp } = values
  if (existsSync(to)) throw new Error('cannot restore, output path already exists')
  const until = timestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(timestamp)
  const copy = (await copies()).findLast(({ marks }) => (marks[0]?.[0] ?? until) <= until)
  if (copy === undefined || store === null) throw new Error('no matching backups found')
  const length = copy.marks.findLast(([at]) => at <= until)?.[1] ?? 0
  await Bun.write(to, await store.file(`${prefix}${name(copy)}/database`).bytes())
  const log = await store.file(`${prefix}${name(copy)}/log`).bytes()
  if (length > 0) await Bun.write(`${to}-wal`, log.subarray(0, length))
  const sqlite = new Database(to)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

try {
  await (verb === 'restore' ? restore() : replicate())
} catch (error) {
  process.stderr.write(`${String(error)}\n`)
  process.exit(1)
}
