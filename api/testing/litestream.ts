import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findLitestream, settingsOfCopies } from '#api/copies/litestream.ts'
import { readSettings } from '#api/settings.ts'

// Litestream itself, 0.3.13: npm has it for Linux on x64 alone.

/** Not there on other machines. */
export const litestreamProgram = resolve('node_modules/@flydotio/litestream-linux-x64/litestream')

export type Copier = { pid: number; heard(): string; stop(signal?: NodeJS.Signals): Promise<void> }

/** `checkpointPages`: how long the log may grow before it's written back. */
type CopierOptions = { env: Record<string, string>; checkpointPages?: number }

/** Copies a database into the store that `env` names, with the settings we write. It has the lock once this resolves. */
export async function startCopier(database: string, { env, checkpointPages = 1000 }: CopierOptions): Promise<Copier> {
  const { copies } = readSettings({ ...env, LITESTREAM: '1' })
  if (copies.store === null) throw new Error('There’s no store to copy into.')
  const { store, machine, keys } = copies
  const text = settingsOfCopies(await findLitestream(copies), { database: resolve(database), store, machine, keys })
  const more = `min-checkpoint-page-count: ${checkpointPages}\n    monitor-interval`
  const settings = text.replace('monitor-interval', more).replace('stderr: true', 'stderr: true\n  level: debug')
  return runCopier(settings, env, 'msg="sync: ok"')
}

/** As its service runs it. `settings`: as the site wrote them, with the keys. Resolves once it says `begun`. */
export async function runCopier(
  settings: string,
  env: Record<string, string>,
  begun = 'replicating to',
): Promise<Copier> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-copier-'))
  const config = join(folder, 'litestream.yml')
  writeFileSync(config, settings)
  const child = Bun.spawn([litestreamProgram, 'replicate', '-config', config, '-no-expand-env'], {
    env,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  let heard = ''
  const isHolding = Promise.withResolvers<void>()
  void (async () => {
    for await (const words of child.stderr.pipeThrough(new TextDecoderStream())) {
      heard += words
      if (heard.includes(begun)) isHolding.resolve()
    }
    isHolding.reject(new Error(`Litestream ended: ${heard}`))
  })()
  await isHolding.promise
  return {
    pid: child.pid,
    heard: () => heard,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
