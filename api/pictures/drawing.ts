import { AppError } from '#api/errors.ts'
import { type Excess, type ProcessLimits, type Spent, spentBy, watchLimits } from '#api/process-limits.ts'
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
  /** One that a member sends: upright, without metadata. */
  | { as: 'photo'; side: number }
  | { as: 'size' }
  /** Not drawn: what a recording is, which nobody reads in a process that has anything to lose. The answer is JSON. */
  | { as: 'voice' }

/** The message to the process. A path is read over there. The process first reports that it's ready. */
export type DrawingTask = { source: Uint8Array | string; drawing: Drawing; mostPixels: number }
export type DrawingResponse = { bytes: Bytes } | { failure: string }
export type DecoderMessage = 'ready' | DrawingResponse

/** 50 megapixels. More is no photograph, and would fill the memory. */
export const mostPixels = 50_000_000

/** Per picture. */
const limits: ProcessLimits = { processorMs: 5_000, waitMs: 60_000, bytes: 512 * 1024 ** 2 }

/** The bytes aren't a picture we can read. `message` is the decoder's. */
export class UnreadablePicture extends Error {}

/** Something else ended the decoder, such as a stop of the server. The same bytes may well be read another time. */
export class DecoderEnded extends UnreadablePicture {}

/** How a process ends that was ended, as opposed to one that its own work brought down. */
const endings: readonly unknown[] = [null, 'SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']

/** Who asked for a picture, and when they no longer want it. Without one it's the site itself. */
export type Asked = { by: string; signal: AbortSignal }

const ofSite: Asked = { by: 'site', signal: new AbortController().signal }

/** What each one waits for, in the order in which they have their turn. */
const lines = new Map<string, (() => Promise<void>)[]>()
let isDrawing = false

/**
 * Processes an untrusted picture in a process of its own: a few hundred bytes can keep a decoder busy for minutes or fill the
 * memory, and a thread can't be stopped halfway. One at a time, which leaves a core for everything else. Everyone who asked has
 * their turn, however many another sent. What its sender no longer waits for isn't drawn.
 */
export function draw(
  source: Uint8Array | string,
  drawing: Drawing,
  { most = mostPixels, asked: { by, signal } = ofSite }: { most?: number; asked?: Asked } = {},
): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const line = lines.get(by) ?? []
    lines.set(by, line)
    line.push(() => drawAlone({ source, drawing, mostPixels: most }, signal).then(resolve, reject))
    void drawInTurns()
  })
}

async function drawInTurns(): Promise<void> {
  if (isDrawing) return
  isDrawing = true
  for (const [by, line] of lines) {
    await line.shift()?.()
    lines.delete(by)
    // At the end of the map, where this loop comes to it once the others have had their turn.
    if (line.length > 0) lines.set(by, line)
  }
  isDrawing = false
}

export async function pictureSize(
  source: Uint8Array | string,
  asked?: Asked,
): Promise<{ width: number; height: number }> {
  return JSON.parse(new TextDecoder().decode(await draw(source, { as: 'size' }, { asked })))
}

type Message = DecoderMessage | 'ended'
type Decoder = { child: Bun.Subprocess; next: PromiseWithResolvers<Message>; idle?: ReturnType<typeof setTimeout> }

let decoder: Decoder | null = null

/** How long an idle decoder lives. Starting one takes 0.1 s, and it uses some 60 MB. */
const idleMs = 30_000
/** Restart a decoder above this size, because memory it kept would count against the next picture. */
const tidyBytes = limits.bytes / 2

async function drawAlone(task: DrawingTask, signal: AbortSignal): Promise<Bytes> {
  if (signal.aborted) throw abandoned()
  const used = decoder ?? (await startDecoder())
  clearTimeout(used.idle)
  used.child.ref()
  used.next = Promise.withResolvers()
  const watch = watchLimits(used.child, limits, await spentBy(used.child.pid))
  const leave = () => end(used)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  else used.child.send(task)
  const response = await used.next.promise
  signal.removeEventListener('abort', leave)
  watch.end()
  rest(used, await spentBy(used.child.pid))
  const excess = watch.excess()
  if (signal.aborted) throw abandoned()
  if (excess !== null) throw new AppError('too_large', excesses[excess])
  if (typeof response === 'string') throw failureOf(used.child)
  if ('failure' in response) throw new UnreadablePicture(response.failure)
  return response.bytes
}

const failureOf = ({ signalCode }: Bun.Subprocess): UnreadablePicture =>
  endings.includes(signalCode)
    ? new DecoderEnded('The decoder was ended.')
    : new UnreadablePicture('The decoder itself has failed.')

/** Hardly anyone reads it. Sent again, it's drawn. */
const abandoned = () =>
  new AppError('busy', 'You left before this picture was drawn. Send it again.', { retryAfter: 1 })

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

const excesses: Record<Excess, string> = {
  time: 'We couldn’t draw that picture in 5 seconds. Make it simpler, or save it as a PNG and upload that.',
  memory: 'We couldn’t draw that picture with 512 MB of memory. Make it smaller and upload that.',
}
