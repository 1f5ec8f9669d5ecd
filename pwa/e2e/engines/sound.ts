import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

let opened: Promise<string> | undefined

/** Loudspeakers no one hears, until this process ends: without any, Firefox may call a sound broken as it begins to play. */
export async function openLoudspeakers(): Promise<string> {
  opened ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alliance-sound-'))
    const socket = join(folder, 'socket')
    const modules = ['module-null-sink', `module-native-protocol-unix socket=${socket} auth-anonymous=1`]
    const own = [
      '-n',
      '--daemonize=no',
      '--use-pid-file=no',
      '--exit-idle-time=-1',
      ...modules.flatMap((one) => ['-L', one]),
    ]
    const server = spawn('/usr/bin/pulseaudio', own, {
      stdio: 'ignore',
      env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder },
    })
    server.unref()
    process.once('exit', () => {
      server.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    while (!existsSync(socket)) {
      if (server.exitCode !== null) throw new Error('pulseaudio ended.')
      await setTimeout(20)
    }
    return `unix:${socket}`
  })()
  return await opened
}
