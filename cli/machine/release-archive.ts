import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readRelease } from '#api/release.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { isReleaseName, type Release, releaseNamespace, releaseSigner } from '#shared/contract/release.ts'
import { folderOf, type Installed, releasesOf } from './release-folders.ts'

/** A release that was checked and unpacked, but isn't among the installed ones yet. */
export type Incoming = { release: Release; folder: string; install(): void }

type Asked = Pick<Io, 'cwd' | 'signal'>

/**
 * Copies a file or address and its signature to a place only we can write, checks it by the running release's key, and unpacks it.
 * Nothing of it is read before it's checked.
 */
export async function takeIn(io: Asked, { root }: Installed, given: string): Promise<Incoming> {
  const folder = mkdtempSync(join(releasesOf(root), '.incoming-'))
  // Also after a "no" to the question, which ends the program elsewhere.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const archive = join(folder, 'archive.tar.gz')
  await bring(io, given, archive)
  await bring(io, `${given}.sig`, `${archive}.sig`, 'Copy the archive and its .sig into one folder.')
  assertSigned(root, archive, given)
  const unpacked = join(folder, 'release')
  unpack(archive, unpacked)
  const release = readRelease(unpacked)
  if (release === null) throw new CliError(exitCodes.failed, `${given} holds no release.`)
  if (!isReleaseName(release.name)) {
    const line = `This release is called “${release.name}”, which can’t be a folder’s name. Nothing has changed.`
    throw new CliError(exitCodes.failed, line)
  }
  assertRuns(unpacked, release)
  return { release, folder: unpacked, install: () => install(root, release, unpacked) }
}

function install(root: string, release: Release, unpacked: string): void {
  const place = folderOf(root, release)
  rmSync(place, { recursive: true, force: true })
  renameSync(unpacked, place)
}

async function bring(io: Asked, from: string, to: string, next = 'Check the name.'): Promise<void> {
  const missing = (why: string) =>
    new CliError(exitCodes.notFound, `We couldn’t get ${from}: ${why}. ${next} Nothing has changed.`)
  if (!/^https?:\/\//.test(from)) {
    const file = resolve(io.cwd, from)
    if (!existsSync(file)) throw missing('there’s no such file')
    copyFileSync(file, to)
    return
  }
  try {
    const response = await fetch(from, { signal: io.signal })
    if (!response.ok) throw missing(`the answer was ${response.status}`)
    await Bun.write(to, response)
  } catch (error) {
    throw error instanceof CliError ? error : missing('there was no answer')
  }
}

/** By the key of the release that runs, never by one that comes with the new one. */
function assertSigned(root: string, archive: string, given: string): void {
  const signers = join(root, 'current/allowed_signers')
  const { exitCode } = Bun.spawnSync(
    ['ssh-keygen', '-Y', 'verify', '-f', signers, '-I', releaseSigner, '-n', releaseNamespace, '-s', `${archive}.sig`],
    { stdin: Bun.file(archive) },
  )
  if (exitCode === 0) return
  throw new CliError(
    exitCodes.notAllowed,
    `${given} isn’t signed with the key this site trusts, or was cut off on its way. Nothing has changed.`,
  )
}

/** Bun's own program is in it, so the wrong kind of machine shows before anything stops. */
function assertRuns(folder: string, { target }: Release): void {
  const processor = target.split('-').at(-1)
  if (processor !== process.arch)
    throw new CliError(
      exitCodes.failed,
      `This release is for another processor (${processor}; this machine is ${process.arch}). Nothing has changed.`,
    )
  const { success } = Bun.spawnSync([join(folder, 'bin/bun'), '--version'])
  if (!success) throw new CliError(exitCodes.failed, `This release is for ${target}, and doesn’t run on this machine.`)
}

/** The site's user reads it and root runs it, so neither root's own mask nor the modes in the archive count. */
function unpack(archive: string, into: string): void {
  const flags = '--strip-components=1 --no-same-owner --no-same-permissions'
  const script = `umask 022 && mkdir "$2" && tar -xzf "$1" -C "$2" ${flags}`
  const { success, stderr } = Bun.spawnSync(['sh', '-c', script, 'unpack', archive, into])
  if (success) return
  throw new CliError(exitCodes.failed, `We couldn’t unpack the release: ${stderr.toString().trim()}`)
}
