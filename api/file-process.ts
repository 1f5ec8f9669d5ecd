import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { AppError } from '#api/errors.ts'
import { type Excess, type ProcessLimits, spentBy, watchLimits } from '#api/process-limits.ts'
import { programFile } from '#api/project.ts'
import type { ErrorCode } from '#shared/contract/error.ts'

/** The questions to `api/intake/reader.ts`. `as` and `options` are what that opens a file as, and how. */
export type FileQuestion =
  | { ask: 'open'; file: string; as: string; options: unknown }
  /** The next rows, as JSON. Fewer than none are left at the end. */
  | { ask: 'more' }
  /** A file within a ZIP; null if it's larger than `most`. */
  | { ask: 'entry'; name: string; most: number }
  /** Writes a file within a ZIP to a new one, which mustn't become larger than `most`. */
  | { ask: 'save'; name: string; to: string; most: number }

export type FileFailure = { message: string; code?: ErrorCode; fields?: Record<string, string> | undefined }
export type FileAnswer = { value: unknown } | { failure: FileFailure }

/** A file, for all its rows. A file within a ZIP has these limits to itself. Tests set smaller ones. */
export const fileLimits: ProcessLimits = { processorMs: 120_000, waitMs: 600_000, bytes: 512 * 1024 ** 2 }
/** Ends a process whose server has gone while it was busy. */
const lastSeconds = 3_600

/** The file's process has ended before the file. `message` says why, and where. */
export class FileCutOff extends AppError {}

export type FileProcess<Head, Row> = {
  head: Head
  rows: AsyncGenerator<Row>
  entry(name: string, most: number): Promise<Uint8Array | null>
  save(name: string, where: { to: string; most: number }): Promise<void>
  close(): void
}

type Counted = 'line' | 'post' | 'row'

/**
 * Opens a file that someone else made in a process of its own, which has none of our environment and may die. Its rows come when
 * they're asked for, so neither side holds many. `what` is what its places count.
 */
export async function openInProcess<Head, Row>(
  file: string,
  { as, what, options }: { as: string; what: Counted; options: unknown },
): Promise<FileProcess<Head, Row>> {
  const reader = startReader(what)
  try {
    // The reader answers each question in the type that its program declares.
    const head = (await reader.ask({ ask: 'open', file, as, options })) as Head
    return {
      head,
      rows: readRows<Row>(reader),
      entry: async (name, most) => v.parse(Entry, await reader.askApart({ ask: 'entry', name, most })),
      async save(name, where) {
        await reader.askApart({ ask: 'save', name, ...where })
      },
      close: reader.close,
    }
  } catch (error) {
    reader.close()
    throw error
  }
}

const Entry = v.nullable(v.instance(Uint8Array))
const Rows = v.array(v.string())

async function* readRows<Row>({ ask }: Reader): AsyncGenerator<Row> {
  for (;;) {
    const rows = v.parse(Rows, await ask({ ask: 'more' }))
    if (rows.length === 0) return
    for (const row of rows) yield JSON.parse(row)
  }
}

type Reader = ReturnType<typeof startReader>
type Reply = FileAnswer | 'ended'

function startReader(what: Counted) {
  const position = openPositionFile()
  let next = Promise.withResolvers<Reply>()
  const child = spawnReader(position.descriptor, (reply) => next.resolve(reply))
  let [apartMs, isClosed] = [0, false]
  let last: ReturnType<typeof watchLimits> | undefined
  async function watched(question: FileQuestion, beforeMs: number): Promise<unknown> {
    next = Promise.withResolvers()
    if (child.exitCode !== null || child.signalCode !== null) next.resolve('ended')
    else child.send(question)
    const before = last
    const watch = watchLimits(child, fileLimits, { processorMs: beforeMs, bytes: 0 })
    last = watch
    const reply = await next.promise
    watch.end()
    if (reply !== 'ended') return answerIn(reply)
    // It may have been killed between two questions.
    const excess = before?.excess() ?? watch.excess()
    throw new FileCutOff(excess === null ? 'invalid' : 'too_large', cutOff(excess, what, position.read()))
  }
  const spentMs = async () => (await spentBy(child.pid))?.processorMs ?? 0
  return {
    ask: (question: FileQuestion) => watched(question, apartMs),
    async askApart(question: FileQuestion) {
      const before = await spentMs()
      const value = await watched(question, before)
      apartMs += (await spentMs()) - before
      return value
    },
    close() {
      if (isClosed) return
      isClosed = true
      child.kill('SIGKILL')
      position.close()
    },
  }
}

function spawnReader(position: number, onReply: (reply: Reply) => void) {
  const command = [process.execPath, '--no-env-file', '--smol', programFile('api/intake/reader')]
  return Bun.spawn(['/bin/sh', '-c', `ulimit -t ${lastSeconds}; exec "$@"`, 'sh', ...command], {
    stdio: ['ignore', position, 'inherit'],
    // Keep our secrets out of it.
    env: {},
    serialization: 'advanced',
    ipc: (answer: FileAnswer) => onReply(answer),
    onExit: () => onReply('ended'),
  })
}

function answerIn(answer: FileAnswer): unknown {
  if ('value' in answer) return answer.value
  const { code, message, fields } = answer.failure
  throw code === undefined ? new Error(message) : new AppError(code, message, fields === undefined ? {} : { fields })
}

function cutOff(excess: Excess | null, what: string, at: string): string {
  const where = at === '' ? '' : `We stopped at ${what} ${at}. `
  if (excess === null) return `We couldn’t read this file to its end. ${where}Export it again and choose the new one.`
  const much = excess === 'time' ? '2 minutes' : '512 MB of memory'
  return `Reading this file takes more than ${much}. ${where}Take out anything large there, or split the file.`
}

/**
 * Where the process writes the line or post it's at. A file, because a process that's killed in the middle of its work has sent
 * nothing of that work.
 */
function openPositionFile() {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-reader-'))
  const descriptor = openSync(join(folder, 'place'), 'wx+', 0o600)
  rmSync(folder, { recursive: true })
  return {
    descriptor,
    read() {
      const buffer = Buffer.alloc(32)
      return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0)).trim()
    },
    close: () => closeSync(descriptor),
  }
}
