import { type ChildProcess, spawn } from 'node:child_process'
import { surroundings } from './engine.ts'

/** A screen no one sees, with a window manager: without one, no window has the focus. */
export async function openDisplay(): Promise<{ name: string; close(): Promise<void> }> {
  const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '1', '-screen', '0', '1600x2400x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const name = `:${(await firstLine(screen)).trim()}`
  const manager = spawn('/usr/bin/openbox', ['--startup', 'echo ready'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...surroundings, DISPLAY: name },
  })
  await firstLine(manager)
  return {
    name,
    async close() {
      await endProcess(manager)
      await endProcess(screen)
    },
  }
}

function firstLine({ stdout, spawnfile }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    stdout?.on('data', (bytes) => {
      printed += bytes
      if (printed.includes('\n')) resolve(printed)
    })
    stdout?.once('close', () => reject(new Error(`${spawnfile} ended.`)))
  })
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill()
  await ended
}
