/** The thread that reads what owners ask of a large site. It runs the site's own routes, on a connection that can't write. */
import { getPriority, setPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createApp } from './app.ts'
import { createContext } from './context.ts'
import { ofOneMoment, openReader } from './db/open.ts'
import type { ForReader, FromReader, ReadRequest } from './http/apart-messages.ts'
import type { Log, LogLevel } from './log.ts'
import { silentMeter } from './meter.ts'
import type { Settings } from './settings.ts'

const port = parentPort
if (port === null) throw new Error('This is a thread of the server.')
const send = (message: FromReader, ...moved: ArrayBuffer[]) => port.postMessage(message, moved)

const { settings, file }: { settings: Settings; file: string } = workerData
const { sqlite, db } = openReader(file)
const logAs =
  (level: LogLevel): Log['warn'] =>
  (message, fields) =>
    send({ kind: 'log', level, message, fields })
/** The request's own time, by the server's clock. */
let current = { at: Date.now(), requestId: '' }
const ctx = createContext({
  settings: { ...settings, showsApiDocs: false },
  sqlite,
  db,
  now: () => new Date(current.at),
  newId: () => current.requestId,
  log: { debug: () => {}, info: logAs('info'), warn: logAs('warn'), error: logAs('error') },
  meter: { ...silentMeter, slowQuery: () => send({ kind: 'slow' }) },
  localActor: 'reader',
})
const app = createApp(ctx, { hasPages: false })

// Members go first where there's a core too few. Elsewhere than on Linux this would hold for the whole server.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + 5))

const streams = new Map<number, ReadableStreamDefaultReader<Uint8Array>>()

async function read({ id, url, headers: sent, requestId, at }: ReadRequest): Promise<void> {
  // What was read of the database in the turn before is forgotten: an owner must find what they've just changed.
  await setImmediate()
  current = { at, requestId }
  // A file is read piece by piece afterwards, as it always was.
  await ofOneMoment(sqlite, async () => {
    const response = await app.handle(new Request(url, { headers: sent }))
    const { status, body } = response
    const headers = Object.fromEntries(response.headers)
    if (body === null || headers['content-type']?.startsWith('application/json')) {
      const bytes = new Uint8Array(await response.arrayBuffer())
      send({ kind: 'answer', id, status, headers, body: bytes }, bytes.buffer)
    } else {
      streams.set(id, body.getReader())
      send({ kind: 'answer', id, status, headers, body: null })
    }
  })
}

async function pull(id: number): Promise<void> {
  const stream = streams.get(id)
  if (stream === undefined) return
  try {
    const { value, done } = await stream.read()
    if (!done) return send({ kind: 'piece', id, bytes: new Uint8Array(value) })
    streams.delete(id)
    send({ kind: 'end', id })
  } catch {
    // The app has logged why.
    streams.delete(id)
    send({ kind: 'broken', id })
  }
}

/** A file that's left half-way puts away what it has made. */
const leaving = new Set<Promise<void>>()

async function leave(id: number): Promise<void> {
  const left = streams.get(id)?.cancel()
  streams.delete(id)
  if (left === undefined) return
  leaving.add(left)
  await left.finally(() => leaving.delete(left))
}

async function stop(): Promise<void> {
  await Promise.allSettled([...streams.keys()].map(leave))
  await Promise.allSettled(leaving)
  sqlite.close()
  port?.close()
}

port.on('message', (message: ForReader) => {
  if (message.kind === 'read') void read(message)
  else if (message.kind === 'pull') void pull(message.id)
  else if (message.kind === 'cancel') void leave(message.id)
  else void stop()
})
