import type { Readable, Writable } from 'node:stream'
import { toSafeLine } from './control-characters.ts'

/** The part of a stream that is used. */
export type ByteOutput = { write(data: string | Uint8Array, done: (error?: Error | null) => void): void }

/** Everything a command touches outside the process, injected so that a test can be a terminal, a pipe or a cron job. */
export type Io = {
  stdin: Readable
  stdout: ByteOutput
  stderr: Writable
  env: Record<string, string | undefined>
  isTTY: { stdin: boolean; stdout: boolean }
  /** Width of the terminal. */
  columns: number
  cwd: string
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  now(): Date
}

/** Resolves once everything is written. A reader that closes the pipe early (`| head`) is not an error. */
export function write(stream: ByteOutput, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(data, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()))
  })
}

/** A sentence on stderr, so that stdout holds nothing but data. */
export const notify = (io: Io, sentence: string) => write(io.stderr, `${wrapForTerminal(io, sentence)}\n`)

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
