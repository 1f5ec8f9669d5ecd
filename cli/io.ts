import type { Readable, Writable } from 'node:stream'
import { cleanLine } from './clean.ts'

/** The outside world of a command, injected, so that a test is a terminal, a pipe or a cron job. */
export type Io = {
  stdin: Readable
  stdout: Writable
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

/** Writes all of it. A reader that has seen enough (`| head`) is no failure. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()))
  })
}

/** A sentence for the person, beside the data. */
export const say = (io: Io, sentence: string) => write(io.stderr, `${inLines(io, sentence)}\n`)

/** Fit to be shown: on a terminal a line ends between words. What has no room in a line, such as a link, stays whole. */
export function inLines({ isTTY, columns }: Io, sentence: string): string {
  const clean = cleanLine(sentence)
  if (!isTTY.stdout) return clean
  const lines: string[] = []
  for (const word of clean.split(' ')) {
    const line = lines.at(-1)
    const longer = `${line} ${word}`
    if (line !== undefined && Bun.stringWidth(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.join('\n')
}

export const isClosedPipe = (error: Error) =>
  'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED')
