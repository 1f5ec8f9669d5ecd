import { chmodSync, createReadStream, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asc } from 'drizzle-orm'
import * as v from 'valibot'
import { writeSealedFile } from '#api/archive/sealed-file.ts'
import { type ArchiveEntry, writeTar } from '#api/archive/tar.ts'
import type { Context } from '#api/context.ts'
import { copyDatabase, inspectCopy } from '#api/db/copy.ts'
import { media } from '#api/db/schema/media.ts'
import { AppError } from '#api/errors.ts'
import { mediaFile } from '#api/features/media/store-service.ts'
import { projectFolder } from '#api/project.ts'
import type { BackupManifest } from '#shared/contract/backup.ts'
import { partialMark, removeAbandonedChecks, removePartial } from './leftovers-service.ts'

export type BackupRequest = {
  /** Made where it is not there. */
  folder: string
  passphrase: string | null
  /** The files of media stay out of the backup, in `media` beside it, where the next one need not copy them again. */
  isMediaApart: boolean
  /** Replaces one of the same name, as a nightly run does that was cut off before it was noted. */
  name?: string
}

export type MadeBackup = { file: string; bytes: number; manifest: BackupManifest }

/** Copies database, media and settings of this machine into one file. The server may run, and write. */
export async function createBackup(
  ctx: Context,
  { folder, passphrase, isMediaApart, name }: BackupRequest,
): Promise<MadeBackup> {
  prepareFolder(folder)
  const createdAt = ctx.now().toISOString()
  const copy = join(folder, `${partialMark}database-${ctx.newId()}`)
  try {
    await copyDatabase(ctx.sqlite.name, copy)
    const { problems, tables, migration } = inspectCopy(copy)
    if (problems.length > 0) throw new AppError('conflict', `The database is damaged: ${problems.join(' ')}`)
    const files = mediaFiles(ctx)
    const env = join(projectFolder, '.env')
    const manifest: BackupManifest = {
      ...{ format: 1, createdAt, version: programVersion(), migration },
      database: { bytes: statSync(copy).size, sha256: await hashOf(copy), tables },
      hasSettings: existsSync(env),
      media: files.map(({ sha256, bytes }) => ({ sha256, bytes, isApart: isMediaApart })),
    }
    if (isMediaApart) await copyApart(ctx, folder, files, passphrase)
    const file = join(
      folder,
      `${name ?? `alliance-${createdAt.slice(0, 19).replaceAll(':', '-')}`}.${passphrase === null ? 'tar' : 'sealed'}`,
    )
    const entries = entriesOf({ manifest, copy, env, files: isMediaApart ? [] : files })
    await writeSealedFile(file, writeTar(entries), {
      passphrase,
      partial: join(folder, `${partialMark}${ctx.newId()}`),
    })
    return { file, bytes: statSync(file).size, manifest }
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${copy}${end}`, { force: true })
  }
}

const programVersion = () =>
  v.parse(v.object({ version: v.string() }), JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')))
    .version

function prepareFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
  removePartial(folder)
  removeAbandonedChecks(folder)
}

type MediaFile = { sha256: string; bytes: number; path: string }

/** Bytes that several rows share are there once. A file that is missing is left out here and named by `doctor`. */
function mediaFiles(ctx: Context): MediaFile[] {
  const rows = ctx.db
    .selectDistinct({ sha256: media.sha256, bytes: media.bytes })
    .from(media)
    .orderBy(asc(media.sha256))
    .all()
  return rows.map((row) => ({ ...row, path: mediaFile(ctx, row) })).filter(({ path }) => existsSync(path))
}

async function copyApart(ctx: Context, folder: string, files: MediaFile[], passphrase: string | null): Promise<void> {
  const apart = join(folder, 'media')
  mkdirSync(apart, { recursive: true, mode: 0o700 })
  chmodSync(apart, 0o700)
  for (const { sha256, path } of files) {
    const to = join(apart, sha256)
    if (existsSync(to)) continue
    const partial = join(folder, `${partialMark}${ctx.newId()}`)
    await writeSealedFile(to, createReadStream(path), { passphrase, partial })
  }
}

type Contents = { manifest: BackupManifest; copy: string; env: string; files: MediaFile[] }

async function* entriesOf({ manifest, copy, env, files }: Contents): AsyncGenerator<ArchiveEntry> {
  yield textEntry('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
  yield { name: 'alliance.sqlite', bytes: manifest.database.bytes, content: createReadStream(copy) }
  if (manifest.hasSettings) yield textEntry('settings.env', readFileSync(env, 'utf8'))
  for (const { sha256, bytes, path } of files) {
    yield { name: `media/${sha256}`, bytes, content: createReadStream(path) }
  }
}

function textEntry(name: string, text: string): ArchiveEntry {
  const content = Buffer.from(text)
  return {
    name,
    bytes: content.length,
    content: (async function* () {
      yield content
    })(),
  }
}

export async function hashOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
