import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '#api/db/open.ts'
import { hashPassword } from '#api/features/auth/passwords.ts'
import { startOfTime, startWorld, type World } from '#api/testing/world.ts'
import { type Ran, runAs, type Setting } from './terminal.ts'

export const password = 'tape-and-level-42'
export const ownerEmail = 'olive@alliance.test'

export type Folder = {
  world: World
  dataDir: string
  env: Record<string, string>
  /** On the data folder. */
  local(argv: string, setting?: Setting): Promise<Ran>
  close(): void
}

const temporary = (name: string) => mkdtempSync(join(tmpdir(), name))

/** A data folder and a terminal on it. Time stands still. */
export function openFolder(): Folder {
  const dataDir = temporary('alliance-data-')
  const home = temporary('alliance-home-')
  const env = { DATA_DIR: dataDir, PORT: '0', XDG_CONFIG_HOME: home }
  const world = startWorld({ file: databaseFile(dataDir), env })
  const local = (argv: string, setting: Setting = {}) => runAs(words(argv), { env, now: () => startOfTime, ...setting })
  const close = () => {
    world.ctx.sqlite.close()
    for (const folder of [dataDir, home]) rmSync(folder, { recursive: true })
  }
  return { world, dataDir, env, local, close }
}

export type Place = Folder & {
  /** Of the server that listens on the same database. */
  url: string
  /** Over HTTP, as the owner. */
  remote(argv: string, setting?: Setting): Promise<Ran>
}

/** With an owner in it, a server on it, and a terminal that is logged in there. */
export async function openPlace(): Promise<Place> {
  const folder = openFolder()
  const { world, local } = folder
  world.addUser({ email: ownerEmail, isAdmin: true, firstName: 'Olive', passwordHash: await hashPassword(password) })
  world.app.listen({ port: 0, hostname: '127.0.0.1' })
  const url = `http://127.0.0.1:${world.app.server?.port}`
  const remote = (argv: string, setting: Setting = {}) => local(`${argv} --api ${url}`, setting)
  await remote(`login --email ${ownerEmail} --password-stdin`, { input: `${password}\n` })
  const close = () => {
    world.app.server?.stop(true)
    folder.close()
  }
  return { ...folder, url, remote, close }
}

const words = (argv: string) => argv.split(' ').filter((word) => word !== '')
