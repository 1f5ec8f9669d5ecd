import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { toSafeLine } from './control-characters.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Plan } from './plan-file.ts'

export type ByteOutput = { write(data: string | Uint8Array, done: (error?: Error | null) => void): void }

/** Everything a command touches outside the process, injected so that a test can be a terminal, a pipe or a cron job. */
export type Io = {
  stdin: Readable
  stdout: ByteOutput
  stderr: Writable
  env: Record<string, string | undefined>
  isTTY: { stdin: boolean; stdout: boolean; stderr?: boolean }
  columns: number
  rows?: number | undefined
  /** The terminal itself, for views that redraw it. */
  screen?: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream }
  /** The folder the command was typed in; its paths are relative to this. */
  cwd: string
  /** The folder for `.env` and DATA_DIR, if the launcher runs the program in a folder other than the command's. */
  projectDir?: string
  /** Aborted by Ctrl-C, or by a request to terminate. */
  signal: AbortSignal
  now(): Date
  /** Shows a text that's longer than the terminal. If absent, we write it as it is. */
  page?(text: string): Promise<void>
  argv?: readonly string[]
  run?(argv: readonly string[], changed: PropertyDescriptorMap): Promise<ExitCode>
  plan?: Plan
  /**
   * `apply --yes`: answers anything the plan's command would ask. It's separate because commands that don't ask have no `--yes`.
   */
  isConfirmed?: boolean
  /** Called with each change that has begun, so that Ctrl-C waits for it. */
  underway?(work: Promise<unknown>): void
}

export const projectPath = (io: Pick<Io, 'cwd' | 'projectDir'>, path: string) => resolve(io.projectDir ?? io.cwd, path)

/** Resolves once everything's written. A reader that closes the pipe early (`| head`) isn't an error. */
export function write(stream: ByteOutput, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()))
  })
}

/** Writes something other than data. If stderr is closed the command still does the same, and its exit code says so. */
export function writeBeside(io: Pick<Io, 'stderr'>, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stderr.write(text, () => resolve())
  })
}

/** A sentence on stderr, so that stdout has only data. */
export const notify = (io: Io, sentence: string) => writeBeside(io, `${wrapForTerminal(io, sentence)}\n`)

/**
 * On a terminal, wraps between words. A word wider than the terminal, such as a link, stays whole. Bun measures, wraps and cuts
 * text itself (`stringWidth`, `wrapAnsi`, `sliceAnsi`), so we need no package.
 */
export function wrapForTerminal({ isTTY, columns }: Io, sentence: string): string {
  const safe = toSafeLine(sentence)
  return isTTY.stdout ? Bun.wrapAnsi(safe, columns) : safe
}

export const isClosedPipe = (error: Error) =>
  'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')

/** For a pager or log that shows colours: treats a pipe as a terminal. */
export const isColourForced = ({ env }: Pick<Io, 'env'>) => !env.NO_COLOR && (env.CLICOLOR_FORCE || '0') !== '0'

/** Shows a long text a screen at a time in PAGER, or in less if it's installed. PAGER=cat or an empty one writes it as it is. */
export async function showInPager(io: Io, text: string): Promise<void> {
  const pager = io.env.ALLIANCE_PAGER ?? io.env.PAGER ?? 'less'
  if (pager === '' || pager === 'cat' || Bun.which(pager.split(' ')[0] ?? '') === null) return write(io.stdout, text)
  const child = Bun.spawn(['sh', '-c', pager], {
    stdio: [new Blob([text]), 'inherit', 'inherit'],
    // Lets colours through, leaves a text that fits on the screen, and doesn't clear it afterwards.
    env: { ...io.env, LESS: io.env.LESS ?? 'FRX' },
  })
  await child.exited
}
