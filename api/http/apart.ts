import { Worker } from 'node:worker_threads'
import { max } from 'drizzle-orm'
import { type Context, perContext } from '#api/context.ts'
import { cachedRead } from '#api/db/cached-read.ts'
import { isDamaged } from '#api/db/damage.ts'
import { writtenOrder } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError } from '#api/errors.ts'
import { errorMessage } from '#api/log.ts'
import { programFile } from '#api/project.ts'
import { type Room, withPlace } from '#api/serving/key-lock.ts'
import type { ForReader, FromReader, ReaderAnswer, ReaderPiece, ReadRequest } from './apart-messages.ts'
import { noteUnsent } from './request-turns.ts'

// With fewer, every question is answered within some 20 milliseconds. With 1,000 accounts, “at risk” takes 60.
const few = { accounts: 500, rows: 20_000 }
/** Of all owners together, for each of the two threads. */
const mostWaiting = 50
const longestMs = 60_000

/** Each has a thread of some 80 MB, and everything is made from a copy of the database. */
const roomForFiles: Room = {
  name: 'files apart',
  most: 3,
  retryAfter: 60,
  message: 'Other large files are downloading. Try again when one of them has finished.',
}

/** After which the server ends a connection on which nothing is sent. */
export const idleSeconds = 30

const oneMore = preparedQuery()((db) => db.select({ id: users.id }).from(users).limit(1).offset(few.accounts))

/** A few accounts may have very many of these. The number of a table's last row is known without counting. */
const lastRows = [auditEntries, mailOutbox, invoices].map((table) =>
  preparedQuery()((db) => db.select({ count: max(writtenOrder(table)) }).from(table)),
)

const isLarge = cachedRead(
  (ctx) =>
    oneMore.get(ctx) !== undefined || lastRows.some((lastRow) => Number(lastRow.get(ctx)?.count ?? 0) > few.rows),
)

/** A list is read in some milliseconds, a report may take seconds. */
export type ReadingKind = 'list' | 'report'

type Call = { request: Request; set: { headers: Record<string, string | number | undefined> } }
type TimedCall = Call & { server: Pick<Bun.Server<unknown>, 'timeout'> | null; kind: ReadingKind }

/**
 * Has the request read by a thread of its own, on a connection of its own, so that nobody waits for it. Undefined on a small site, in
 * the terminal, in that thread itself, and if the thread fails: then the server reads, and deals with what's wrong. So it does while the
 * database is damaged, which its own connection alone knows. Only for what a guard has let in, and for handlers that read and ask
 * nobody who asks.
 */
export const readApart = (ctx: Context, call: TimedCall): Promise<Response | undefined> | undefined =>
  isApart(ctx) ? readInTurn(ctx, call) : undefined

/** The same for a file that takes minutes. It has a thread to itself for as long as it lasts, and so keeps no question waiting. */
export const downloadApart = (ctx: Context, call: Call): Promise<Response | undefined> | undefined =>
  isApart(ctx) ? downloadInPlace(ctx, call) : undefined

const isApart = (ctx: Context) =>
  ctx.localActor === undefined && !ctx.sqlite.memory && !isDamaged(ctx) && isLarge(ctx, '')

/** Nothing is sent until others have been read for and this is read. */
async function readInTurn(ctx: Context, { server, kind, ...call }: TimedCall): Promise<Response | undefined> {
  server?.timeout(call.request, 0)
  try {
    return await answerBy(readerOf[kind](ctx), call)
  } finally {
    server?.timeout(call.request, idleSeconds)
  }
}

/** Its place is free once the thread has ended, and not when the file begins. */
function downloadInPlace(ctx: Context, call: Call): Promise<Response | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Response | undefined>()
  const download = async () => {
    const reader = startReader(ctx, { isForOne: true })
    resolve(answerBy(reader, call))
    await reader.ended
  }
  withPlace(ctx, roomForFiles, download).catch(reject)
  return promise
}

async function answerBy(reader: Reader, { request, set }: Call): Promise<Response | undefined> {
  const requestId = String(set.headers['x-request-id'] ?? '')
  const answer = await reader.read(request, requestId)
  if (answer === null || answer.status >= 500) return undefined
  const headers = new Headers({ ...set.headers, ...answer.headers, 'x-request-id': requestId })
  set.headers = {}
  return new Response(answer.body, { status: answer.status, headers })
}

/** Closes the threads' connections. */
export const stopReadingApart = (ctx: Context): Promise<unknown> =>
  Promise.all([...readersOf(ctx)].map((reader) => reader.stop()))

const unwanted = () => new AppError('busy', 'Nobody waited for this.')

type Answer = {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

type Waiting = ReadRequest & { request: Request; settle: PromiseWithResolvers<Answer | null> }

type Stream = { controller: ReadableStreamDefaultController<Uint8Array>; noteEnd: () => void }

type Reader = {
  read(request: Request, requestId: string): Promise<Answer | null>
  stop(): Promise<void>
  /** Once it's been stopped. */
  ended: Promise<void>
}

/** The readers whose thread is running. */
const readersOf = perContext(() => new Set<Reader>())

const readerOf: Record<ReadingKind, (ctx: Context) => Reader> = {
  list: perContext((ctx) => startReader(ctx)),
  report: perContext((ctx) => startReader(ctx)),
}

/** `isForOne`: it reads one request, however long that takes, and ends with it. */
function startReader(ctx: Context, { isForOne = false } = {}): Reader {
  const queue: Waiting[] = []
  const streams = new Map<number, Stream>()
  let thread: Worker | undefined
  let running: Waiting | undefined
  let timer: Timer | undefined
  let count = 0
  const ended = Promise.withResolvers<void>()

  const send = (message: ForReader) => thread?.postMessage(message)

  function start(): Worker {
    const { settings, sqlite } = ctx
    const started = new Worker(programFile('api/apart-reader'), {
      workerData: { settings, file: sqlite.name },
    })
    readersOf(ctx).add(reader)
    started.unref()
    started.on('message', (message: FromReader) => started === thread && take(message))
    started.on('error', (error: Error) => started === thread && end(error))
    started.on('exit', (code) => started === thread && end(new Error(`The reading thread ended with ${code}.`)))
    return started
  }

  /** The one who waited hears of it, and the next read starts another thread. */
  function end(reason: Error): void {
    thread = undefined
    breakOff(reason)
    ctx.log.warn('reading apart failed', { reason: errorMessage(reason) })
    finish()?.settle.resolve(null)
    next()
    leave()
  }

  function endStream(id: number): Stream['controller'] | undefined {
    const stream = streams.get(id)
    streams.delete(id)
    stream?.noteEnd()
    return stream?.controller
  }

  function breakOff(reason: Error): void {
    for (const id of [...streams.keys()]) endStream(id)?.error(reason)
  }

  function leave(): void {
    if (isForOne && running === undefined && streams.size === 0) void reader.stop()
  }

  function finish(): Waiting | undefined {
    const done = running
    clearTimeout(timer)
    running = undefined
    return done
  }

  function next(): void {
    if (running !== undefined) return
    running = queue.shift()
    if (running === undefined) return
    thread ??= start()
    if (!isForOne) timer = setTimeout(giveUp, longestMs)
    const { id, url, headers, requestId, at } = running
    send({ kind: 'read', id, url, headers, requestId, at })
  }

  function giveUp(): void {
    const late = finish()
    void thread?.terminate()
    late?.settle.reject(
      new AppError('busy', 'That took too long. Ask for less at a time, or try again in a few minutes.'),
    )
    end(new Error('The reading thread was stopped.'))
  }

  function take(message: FromReader): void {
    if (message.kind === 'log') ctx.log[message.level](message.message, message.fields)
    else if (message.kind === 'slow') ctx.meter.slowQuery()
    else if (message.kind === 'answer') takeAnswer(message)
    else takePiece(message)
  }

  function takeAnswer({ id, status, headers, body }: ReaderAnswer): void {
    if (running?.id !== id) return
    const { request, settle } = running
    finish()
    if (request.signal.aborted && body === null) {
      send({ kind: 'cancel', id })
      settle.reject(unwanted())
    } else settle.resolve({ status, headers, body: body ?? streamOf(id) })
    next()
    leave()
  }

  function takePiece(piece: ReaderPiece): void {
    if (piece.kind === 'piece') {
      streams.get(piece.id)?.controller.enqueue(piece.bytes)
      return
    }
    const stream = endStream(piece.id)
    if (piece.kind === 'end') stream?.close()
    else stream?.error(new Error('The file broke off.'))
    leave()
  }

  function streamOf(id: number): ReadableStream<Uint8Array> {
    const cancel = (reason?: Error) => {
      const stream = endStream(id)
      if (reason) stream?.error(reason)
      send({ kind: 'cancel', id })
      leave()
    }
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          streams.set(id, { controller, noteEnd: noteUnsent(ctx, cancel) })
        },
        pull: () => void send({ kind: 'pull', id }),
        cancel: () => cancel(),
      },
      { highWaterMark: 1 },
    )
  }

  /** What nobody waits for any more isn't begun. */
  function forget(waiting: Waiting): void {
    const at = queue.indexOf(waiting)
    if (at === -1) return
    queue.splice(at, 1)
    waiting.settle.reject(unwanted())
  }

  const reader: Reader = {
    read(request, requestId) {
      if (queue.length >= mostWaiting)
        return Promise.reject(
          new AppError('busy', 'Too many lists are being read. Try again in a few seconds.', { retryAfter: 5 }),
        )
      count += 1
      const settle = Promise.withResolvers<Answer | null>()
      const headers = { accept: request.headers.get('accept') ?? '*/*' }
      const waiting = { id: count, url: request.url, headers, requestId, at: ctx.now().getTime(), request, settle }
      queue.push(waiting)
      request.signal.addEventListener('abort', () => forget(waiting), { once: true })
      next()
      return settle.promise
    },
    async stop() {
      readersOf(ctx).delete(reader)
      ended.resolve()
      const stopped = thread
      if (stopped === undefined) return
      const { promise, resolve } = Promise.withResolvers<void>()
      stopped.once('exit', () => resolve())
      send({ kind: 'stop' })
      // Its end is no failure then.
      thread = undefined
      finish()?.settle.resolve(null)
      for (const one of queue.splice(0)) one.settle.resolve(null)
      breakOff(new Error('The file broke off.'))
      // A long statement can't be stopped, and has nothing to lose.
      await Promise.race([promise, Bun.sleep(1_000)])
    },
    ended: ended.promise,
  }
  return reader
}
