import { readFile } from 'node:fs/promises'
import { AppError } from '#api/errors.ts'
import { programFile } from '#api/project.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** What is made of a picture. */
export type Drawing =
  /** As it goes into the store; `format` is that of the picture whose place it takes. */
  | { as: 'stored'; format: string | null }
  | { as: 'face'; side: number }
  | { as: 'logo'; side: number }
  /** Without a height it keeps its own shape, and is made no larger than it is. */
  | { as: 'resized'; width: number; height?: number; format: 'avif' | 'webp' }
  | { as: 'png'; isOpaque: boolean }
  | { as: 'size' }

/** What the other process is told; a file is read there. It says first that it is ready. */
export type DrawingTask = { source: Uint8Array | string; drawing: Drawing; mostPixels: number }
export type DrawingResponse = { bytes: Bytes } | { failure: string }
export type DecoderMessage = 'ready' | DrawingResponse

/** 50 megapixels: more is no photograph, and would fill the memory. */
export const mostPixels = 50_000_000

/**
 * What a picture may take. Seconds are those of the processor, so that no picture is refused because the machine is busy with
 * others; the wait ends a decoder that does nothing.
 */
const limits = { processorMs: 5_000, waitMs: 60_000, bytes: 512 * 1024 ** 2 }
const lookMs = 50

/** The bytes are no picture that can be read; `message` is the decoder's. */
export class UnreadablePicture extends Error {}

let last: Promise<unknown> = Promise.resolve()

/**
 * Makes a picture from bytes that came from outside, in a process of its own: some two hundred bytes keep a decoder busy for
 * minutes, or fill the memory, and no thread can be stopped in its midst. One at a time, so that a core is left for everything
 * else.
 */
export function draw(source: Uint8Array | string, drawing: Drawing, most = mostPixels): Promise<Bytes> {
  const own = last.then(() => drawAlone({ source, drawing, mostPixels: most }))
  last = own.catch(() => {})
  return own
}

/** The size of a picture as it is stored. */
export async function pictureSize(file: string): Promise<{ width: number; height: number }> {
  return JSON.parse(new TextDecoder().decode(await draw(file, { as: 'size' })))
}

type Message = DecoderMessage | 'ended'
type Decoder = { child: Bun.Subprocess; next: PromiseWithResolvers<Message>; idle?: ReturnType<typeof setTimeout> }

let decoder: Decoder | null = null

/** Starting one takes 0.1 s, and it holds some 60 MB. */
const idleMs = 30_000
/** What is left in its memory would count against the next picture. */
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
    // It needs none of our secrets.
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

/** A program that has nothing else to do may end. */
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

const tooSlow = `We couldn't draw that picture in 5 seconds. Make it simpler, or save it as a PNG and upload that.`
const tooLarge = `We couldn't draw that picture with 512 MB of memory. Make it smaller and upload that.`

/** Ends a process that takes more than a picture may. `excess` says what it has taken too much of. */
function watchLimits(child: Bun.Subprocess, before: Spent | null) {
  let excess: string | null = null
  const beganAt = performance.now()
  const timer = setInterval(async () => {
    const spent = await spentBy(child.pid)
    const waited = performance.now() - beganAt
    // Elsewhere than on Linux the time alone is known.
    const worked = spent === null ? waited : spent.processorMs - (before?.processorMs ?? 0)
    const isSlow = worked > limits.processorMs || waited > limits.waitMs
    if (!isSlow && (spent?.bytes ?? 0) <= limits.bytes) return
    excess ??= isSlow ? tooSlow : tooLarge
    child.kill('SIGKILL')
  }, lookMs)
  return { excess: () => excess, end: () => clearInterval(timer) }
}

type Spent = { processorMs: number; bytes: number }

/** A tick of the processor's clock, in which Linux counts: a hundredth of a second on every machine. */
const tickMs = 10
const pageBytes = 4096

/** What a process has taken of processor and memory; null where the system does not tell. */
async function spentBy(pid: number): Promise<Spent | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // Its second field is the name of the program, in brackets. The third is the first one here.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]].map(Number)
  return { processorMs: (user + system) * tickMs, bytes: pages * pageBytes }
}
