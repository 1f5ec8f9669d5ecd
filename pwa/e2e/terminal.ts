import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export type Ran = { code: number | null; stdout: string; stderr: string }

/** Runs a command in a terminal with a home of its own; `input` is typed into it. */
export async function alliance(home: string, args: readonly string[], input = ''): Promise<Ran> {
  const bun = process.env.BUN ?? 'node_modules/.bin/bun'
  const child = spawn(bun, ['--no-env-file', 'dist/cli/main.js', ...args], {
    env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home },
  })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}
