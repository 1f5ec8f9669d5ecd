import { resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { toSafeLine } from './control-characters.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Plan } from './plan-file.ts'

/** The part of a stream that is used. */
export type ByteOutput = { write(data: string | Uint8Array, done: (error?: Error | null) => void): void }

/** Everything a command touches outside the process, injected so that a test can be a terminal, a pipe or a cron job. */
export type Io = {
  stdin: Readable
  stdout: ByteOutput
  stderr: Writable
  env: Record<string, string | undefined>
  isTTY: { stdin: boolean; stdout: boolean; stderr?: boolean }
  /** Size of the terminal. */
  columns: number
  rows?: number | undefined
  /** The terminal itself, for what draws on it again and again. */
  screen?: { stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream }
  /** Where the command was typed: paths on its line begin there. */
  cwd: string
  /** What `.env` and DATA_DIR belong to, where the launcher runs the program in another folder than the command was typed in. */
  projectDir?: string
  /** Aborted by Ctrl-C, or where the program is told to end. */
  signal: AbortSignal
  now(): Date
  /** Shows a text that is longer than the terminal; without it such a text is written as it is. */
  page?(text: string): Promise<void>
  /** What was typed, for a plan that repeats it. */
  argv?: readonly string[]
  /** Runs another command line in the same environment, changed by these. */
  run?(argv: readonly string[], changed: PropertyDescriptorMap): Promise<ExitCode>
  /** The plan that `apply` is doing. */
  plan?: Plan
  /** `apply --yes`: whatever the plan's own command would ask is answered. Not all plans ask, and so have no option for it. */
  isConfirmed?: boolean
  /** Told of a change that has begun, for which Ctrl-C waits. */
  underway?(work: Promise<unknown>): void
}

/** A path of the settings, whole. */
export const projectPath = (io: Pick<Io, 'cwd' | 'projectDir'>, path: string) => resolve(io.projectDir ?? io.cwd, path)

/** Resolves once everything is written. A reader that closes the pipe early (`| head`) is not an error. */
export function write(stream: ByteOutput, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()))
  })
}

/** What is said beside the data. Where nobody can hear it, the command has done the same, and its exit code says so. */
export function writeBeside(io: Pick<Io, 'stderr'>, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stderr.write(text, () => resolve())
  })
}

/** A sentence on stderr, so that stdout holds nothing but data. */
export const notify = (io: Io, sentence: string) => writeBeside(io, `${wrapForTerminal(io, sentence)}\n`)

/**
 * On a terminal, lines break between words. A word wider than the terminal, such as a link, stays whole.
 * Widths, wrapping and cutting are Bun's own (`stringWidth`, `wrapAnsi`, `sliceAnsi`), so no package is needed for them.
 */
export function wrapForTerminal({ isTTY, columns }: Io, sentence: string): string {
  const safe = toSafeLine(sentence)
  return isTTY.stdout ? Bun.wrapAnsi(safe, columns) : safe
}

export const isClosedPipe = (error: Error) =>
  'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')

/** For a pager or a log that shows colours: a pipe is written to as a terminal is. */
export const isColourForced = ({ env }: Pick<Io, 'env'>) => !env.NO_COLOR && (env.CLICOLOR_FORCE || '0') !== '0'

/** Shows a long text a screen at a time by PAGER, or by less where there is one; PAGER=cat or an empty one writes it as it is. */
export async function showInPager(io: Io, text: string): Promise<void> {
  const pager = io.env.ALLIANCE_PAGER ?? io.env.PAGER ?? 'less'
  if (pager === '' || pager === 'cat' || Bun.which(pager.split(' ')[0] ?? '') === null) return write(io.stdout, text)
  const child = Bun.spawn(['sh', '-c', pager], {
    stdio: [new Blob([text]), 'inherit', 'inherit'],
    // Colours pass, a text that fits is left on the screen, and the screen stays as it was.
    env: { ...io.env, LESS: io.env.LESS ?? 'FRX' },
  })
  await child.exited
}
