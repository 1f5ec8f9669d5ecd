import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

export type Ran = { code: number | null; stdout: string; stderr: string }

/** Runs a command in a terminal with its own home folder; types `input` into it. */
export const alliance = (home: string, args: readonly string[], input = ''): Promise<Ran> =>
  allianceIn({ PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: home }, args, input)

/** The same in an environment, such as that of a server whose data folder it should use. */
export async function allianceIn(env: Record<string, string>, args: readonly string[], input = ''): Promise<Ran> {
  const bun = process.env.BUN ?? 'node_modules/.bin/bun'
  const child = spawn(bun, ['--no-env-file', 'dist/cli/main.js', ...args], { env })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, stdout, stderr }
}
