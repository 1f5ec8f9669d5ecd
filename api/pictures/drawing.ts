import { readFile } from 'node:fs/promises'
import { AppError } from '#api/errors.ts'
import { programFile } from '#api/project.ts'

type Bytes = Uint8Array<ArrayBuffer>

export type Drawing =
  /** As the library stores it. `format` is the format of the picture it replaces. */
  | { as: 'stored'; format: string | null }
  | { as: 'face'; side: number }
  /** On white: in a square, or in its own shape. */
  | { as: 'logo'; side: number; isSquare: boolean }
  /** Without a height it keeps its aspect ratio, and it's never enlarged. */
  | { as: 'resized'; width: number; height?: number; format: 'avif' | 'webp' }
  | { as: 'png'; isOpaque: boolean }
  | { as: 'size' }

/** The message to the process. A path is read over there. The process first reports that it's ready. */
export type DrawingTask = { source: Uint8Array | string; drawing: Drawing; mostPixels: number }
export type DrawingResponse = { bytes: Bytes } | { failure: string }
export type DecoderMessage = 'ready' | DrawingResponse

/** 50 megapixels. More is no photograph, and would fill the memory. */
export const mostPixels = 50_000_000

/** Limits per picture. CPU time, so a busy machine doesn't reject pictures. The timeout ends a decoder that hangs. */
const limits = { processorMs: 5_000, waitMs: 60_000, bytes: 512 * 1024 ** 2 }
const lookMs = 50

/** The bytes aren't a picture we can read. `message` is the decoder's. */
export class UnreadablePicture extends Error {}

let last: Promise<unknown> = Promise.resolve()

/**
 * Processes an untrusted picture in a process of its own: a few hundred bytes can keep a decoder busy for minutes or fill the
 * memory, and a thread can't be stopped halfway. One at a time, which leaves a core for everything else.
 */
export function draw(source: Uint8Array | string, drawing: Drawing, most = mostPixels): Promise<Bytes> {
  const own = last.then(() => drawAlone({ source, drawing, mostPixels: most }))
  last = own.catch(() => {})
  return own
}

export async function pictureSize(source: Uint8Array | string): Promise<{ width: number; height: number }> {
  return JSON.parse(new TextDecoder().decode(await draw(source, { as: 'size' })))
}

type Message = DecoderMessage | 'ended'
type Decoder = { child: Bun.Subprocess; next: PromiseWithResolvers<Message>; idle?: ReturnType<typeof setTimeout> }

let decoder: Decoder | null = null

/** How long an idle decoder lives. Starting one takes 0.1 s, and it uses some 60 MB. */
const idleMs = 30_000
/** Restart a decoder above this size, because memory it kept would count against the next picture. */
const tidyBytes = limits.bytes / 2

async function drawAlone(task: DrawingTask): Promise<Bytes> {
  const used = decoder ?? (await startDecoder())
  clearTimeout(used.idle)
  used.child.ref()
  used.next = Promise.withResolvers()
  const watch = watchLimits(used.child, await spentBy(used.child.pid))
  used.child.send(task)
  const response = await used.next.promise
  watch.end()
  rest(used, await spentBy(used.child.pid))
  const excess = watch.excess()
  if (excess !== null) throw new AppError('too_large', excess)
  if (typeof response === 'string') throw new UnreadablePicture('The decoder itself has failed.')
  if ('failure' in response) throw new UnreadablePicture(response.failure)
  return response.bytes
}

async function startDecoder(): Promise<Decoder> {
  const next = Promise.withResolvers<Message>()
  const child = Bun.spawn([process.execPath, '--no-env-file', programFile('api/pictures/decoder')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // Keep our secrets out of it.
    env: {},
    serialization: 'advanced',
    ipc: (message: DecoderMessage) => started.next.resolve(message),
    onExit: () => {
      if (decoder === started) decoder = null
      started.next.resolve('ended')
    },
  })
  const started: Decoder = { child, next }
  decoder = started
  if ((await next.promise) !== 'ready') throw new Error('The process that draws pictures did not start.')
  return started
}

function rest(used: Decoder, spent: Spent | null): void {
  if ((spent?.bytes ?? 0) > tidyBytes) end(used)
  used.idle = setTimeout(() => end(used), idleMs)
  used.idle.unref()
  used.child.unref()
}

function end(used: Decoder): void {
  if (decoder === used) decoder = null
  used.child.kill('SIGKILL')
}

const tooSlow = `We couldn’t draw that picture in 5 seconds. Make it simpler, or save it as a PNG and upload that.`
const tooLarge = `We couldn’t draw that picture with 512 MB of memory. Make it smaller and upload that.`

/** Kills a process that exceeds a picture's limits. `excess` says which. */
function watchLimits(child: Bun.Subprocess, before: Spent | null) {
  let excess: string | null = null
  const beganAt = performance.now()
  const timer = setInterval(async () => {
    const spent = await spentBy(child.pid)
    const waited = performance.now() - beganAt
    // Outside Linux we only know the elapsed time.
    const worked = spent === null ? waited : spent.processorMs - (before?.processorMs ?? 0)
    const isSlow = worked > limits.processorMs || waited > limits.waitMs
    if (!isSlow && (spent?.bytes ?? 0) <= limits.bytes) return
    excess ??= isSlow ? tooSlow : tooLarge
    child.kill('SIGKILL')
  }, lookMs)
  return { excess: () => excess, end: () => clearInterval(timer) }
}

type Spent = { processorMs: number; bytes: number }

/** One tick of Linux's CPU time counter: 10 ms on every machine. */
const tickMs = 10
const pageBytes = 4096

async function spentBy(pid: number): Promise<Spent | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The second field is the program's name in brackets, so index 0 here is the third.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]].map(Number)
  return { processorMs: (user + system) * tickMs, bytes: pages * pageBytes }
}
