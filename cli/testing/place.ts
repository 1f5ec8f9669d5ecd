import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '#api/db/open.ts'
import { hashPassword } from '#api/features/auth/passwords.ts'
import { startOfTime, startWorld, type World } from '#api/testing/world.ts'
import { type Ran, runAs, type Setting } from './terminal.ts'

export const password = 'tape-and-level-42'
export const ownerEmail = 'olive@alliance.test'

export type Place = {
  world: World
  dataDir: string
  /** Of the server that listens on the same database. */
  url: string
  env: Record<string, string>
  /** On the data folder. */
  local(argv: string, setting?: Setting): Promise<Ran>
  /** Over HTTP, as the owner. */
  remote(argv: string, setting?: Setting): Promise<Ran>
  close(): void
}

const pathTo = (name: string) => mkdtempSync(join(tmpdir(), name))

/** A data folder with an owner in it, a server on it, and a terminal that is logged in there. Time stands still. */
export async function openPlace(): Promise<Place> {
  const dataDir = pathTo('alliance-data-')
  const home = pathTo('alliance-home-')
  const env = { DATA_DIR: dataDir, PORT: '0', XDG_CONFIG_HOME: home }
  const world = startWorld({ file: databaseFile(dataDir), env })
  world.addUser({ email: ownerEmail, isAdmin: true, firstName: 'Olive', passwordHash: await hashPassword(password) })
  world.app.listen({ port: 0, hostname: '127.0.0.1' })
  const url = `http://127.0.0.1:${world.app.server?.port}`
  const local = (argv: string, setting: Setting = {}) => runAs(words(argv), { env, now: () => startOfTime, ...setting })
  const remote = (argv: string, setting: Setting = {}) => local(`${argv} --api ${url}`, setting)
  await remote(`login --email ${ownerEmail} --password-stdin`, { input: `${password}\n` })
  const close = () => {
    world.app.server?.stop(true)
    world.ctx.sqlite.close()
    for (const folder of [dataDir, home]) rmSync(folder, { recursive: true })
  }
  return { world, dataDir, url, env, local, remote, close }
}

const words = (argv: string) => argv.split(' ').filter((word) => word !== '')
