import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '#api/db/data-dir.ts'
import { addWithPassword, password } from '#api/testing/passwords.ts'
import { startOfTime, startWorld, type World } from '#api/testing/world.ts'
import { type RunOptions, type RunResult, runCommand } from './run-command.ts'

export const ownerEmail = 'olive@alliance.test'

export type DataFolder = {
  world: World
  dataDir: string
  env: Record<string, string>
  local(argv: string, options?: RunOptions): Promise<RunResult>
  close(): void
}

const createTemporaryFolder = (name: string) => mkdtempSync(join(tmpdir(), name))

/** A data folder with its own database and a clock that stands still. */
export function openDataFolder(more: Record<string, string> = {}): DataFolder {
  const dataDir = createTemporaryFolder('alliance-data-')
  const home = createTemporaryFolder('alliance-home-')
  const env = { DATA_DIR: dataDir, PORT: '0', XDG_CONFIG_HOME: home, ...more }
  const world = startWorld({ file: databaseFile(dataDir), env })
  const local = (argv: string, options: RunOptions = {}) =>
    runCommand(splitWords(argv), { env, now: () => startOfTime, ...options })
  const close = () => {
    world.ctx.sqlite.close()
    for (const folder of [dataDir, home]) rmSync(folder, { recursive: true })
  }
  return { world, dataDir, env, local, close }
}

export type TestServer = DataFolder & {
  url: string
  remote(argv: string, options?: RunOptions): Promise<RunResult>
}

export async function startServer(): Promise<TestServer> {
  const folder = openDataFolder()
  const { world, local } = folder
  addWithPassword(world, { email: ownerEmail, isAdmin: true, firstName: 'Olive' })
  world.wholeApp().listen({ port: 0, hostname: '127.0.0.1', development: false })
  const url = `http://127.0.0.1:${world.wholeApp().server?.port}`
  const remote = (argv: string, options: RunOptions = {}) => local(`${argv} --api ${url}`, options)
  await remote(`login --email ${ownerEmail} --password-stdin`, { input: `${password}\n` })
  const close = () => {
    world.wholeApp().server?.stop(true)
    folder.close()
  }
  return { ...folder, url, remote, close }
}

const splitWords = (argv: string) => argv.split(' ').filter((word) => word !== '')
