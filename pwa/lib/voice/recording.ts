import { lockRecording } from './recording-lock.ts'

/** Where what is said goes while it's being said, so that a call coming in, a reload or a flat battery leaves it. */
export type VoiceKeeper = {
  /** A new voice note, of this type; what was there before is gone. Fails where there's no room. */
  begin(type: string): Promise<VoiceWriter>
  /** Throws away what's kept. */
  discard(): Promise<unknown>
}

export type VoiceWriter = {
  /** A second of it, in order. `ms`: how long it is with this one. Fails where there's no room for it. */
  add(chunk: Blob, ms: number): Promise<unknown>
  finish(): Promise<unknown>
  discard(): Promise<unknown>
}

/** A voice note as it can be heard. */
export type VoiceNote = { blob: Blob; ms: number }

/**
 * Why there's no recording. `elsewhere`: another tab records. `refused`: the person or the browser's setting said no. `busy`: another app has the
 * microphone. `empty`: nothing was said.
 */
export type VoiceProblem = 'unsupported' | 'elsewhere' | 'refused' | 'absent' | 'busy' | 'failed' | 'empty'

/** `taken`: a call, or another app. `left`: the page was left or the screen locked. */
export type PauseReason = 'asked' | 'taken' | 'left'

/** `lost`: the microphone went, such as one that's unplugged. */
export type EndReason = 'asked' | 'discarded' | 'full' | 'lost'

export type RecordingEvents = {
  paused(why: PauseReason): void
  resumed(): void
  /** What was said up to here can't be written to this device any more. It's in `ended`'s note. */
  unkept(): void
  /** Null if nothing was said: then nothing is kept either. */
  ended(note: VoiceNote | null, why: EndReason): void
}

export type Recording = {
  pause(): void
  resume(): void
  end(): void
  /** Ends it and keeps nothing. */
  discard(): void
  elapsedMs(): number
  /** From 0 to 1. */
  loudness(): number
}

export type VoiceLimits = { ms: number; bytes: number }

/** Safari's first, which every phone plays. Chromium has it since 126. */
const types = ['audio/mp4;codecs=mp4a.40.2', 'audio/webm;codecs=opus', 'audio/mp4', 'audio/webm']

const chunkMs = 1_000
const bitsPerSecond = 32_000
const tickMs = 100
/** A press that was let go at once. */
const leastMs = 400
/** The last chunk, and the file's end. */
const spareBytes = 48 * 1024

export async function startRecording(
  keeper: VoiceKeeper,
  limits: VoiceLimits,
  events: RecordingEvents,
): Promise<Recording | VoiceProblem> {
  const type = findType()
  if (type === null) return 'unsupported'
  const unlock = await lockRecording()
  if (unlock === null) return 'elsewhere'
  try {
    const stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    })
    try {
      const options = { mimeType: type, audioBitsPerSecond: bitsPerSecond }
      const recorder = new MediaRecorder(stream, options)
      const writer = await keeper.begin(baseOf(recorder.mimeType || type)).catch(() => null)
      return record({ recorder, stream, writer, limits, events, unlock })
    } catch (error) {
      for (const track of stream.getTracks()) track.stop()
      throw error
    }
  } catch (error) {
    unlock()
    return problemOf(error)
  }
}

const baseOf = (type: string) => type.split(';')[0] ?? type

function findType(): string | null {
  if (typeof MediaRecorder === 'undefined' || !navigator.mediaDevices?.getUserMedia) return null
  return types.find((type) => MediaRecorder.isTypeSupported(type)) ?? null
}

function problemOf(error: unknown): VoiceProblem {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'absent'
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy'
  reportError(error)
  return 'failed'
}

type Parts = {
  recorder: MediaRecorder
  stream: MediaStream
  /** Null where nothing can be kept. */
  writer: VoiceWriter | null
  limits: VoiceLimits
  events: RecordingEvents
  unlock: () => void
}

function record({ recorder, stream, writer, limits, events, unlock }: Parts): Recording {
  const clock = createClock()
  const meter = createMeter(stream)
  const chunks: Blob[] = []
  let bytes = 0
  let kept = Promise.resolve()
  let isKept = writer !== null
  let why: EndReason = 'lost'
  if (!isKept) events.unkept()
  const keep = (chunk: Blob) => {
    const ms = clock.elapsed()
    kept = kept.then(async () => {
      if (!isKept || why === 'discarded') return
      try {
        await writer?.add(chunk, ms)
      } catch {
        isKept = false
        events.unkept()
      }
    })
  }
  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return
    chunks.push(data)
    bytes += data.size
    keep(data)
    if (bytes > limits.bytes - spareBytes) end('full')
  }
  const end = (reason: EndReason) => {
    if (recorder.state === 'inactive') return
    why = reason
    clock.stop()
    recorder.stop()
  }
  const pause = (reason: PauseReason) => {
    if (recorder.state !== 'recording') return
    clock.stop()
    // What was said up to here is written before the page may be put to sleep.
    recorder.requestData()
    recorder.pause()
    events.paused(reason)
  }
  const left = () => document.visibilityState === 'hidden' && pause('left')
  const tick = setInterval(() => clock.elapsed() >= limits.ms && end('full'), tickMs)
  const release = () => {
    clearInterval(tick)
    document.removeEventListener('visibilitychange', left)
    for (const track of stream.getTracks()) track.stop()
    meter.close()
    unlock()
  }
  recorder.onstop = async () => {
    clock.stop()
    release()
    await kept
    const ms = Math.min(clock.elapsed(), limits.ms)
    const isEmpty = why === 'discarded' || bytes === 0 || ms < leastMs
    await (isEmpty ? writer?.discard() : writer?.finish())?.catch(reportError)
    const note = { blob: new Blob(chunks, { type: baseOf(recorder.mimeType) }), ms }
    events.ended(isEmpty ? null : note, why)
  }
  document.addEventListener('visibilitychange', left)
  for (const track of stream.getAudioTracks()) track.onmute = () => pause('taken')
  recorder.start(chunkMs)
  clock.start()
  return {
    pause: () => pause('asked'),
    resume: () => {
      if (recorder.state !== 'paused') return
      recorder.resume()
      clock.start()
      events.resumed()
    },
    end: () => end('asked'),
    discard: () => end('discarded'),
    elapsedMs: clock.elapsed,
    loudness: meter.loudness,
  }
}

/** How long was recorded, without the pauses. */
function createClock() {
  let before = 0
  let since: number | null = null
  const elapsed = () => before + (since === null ? 0 : performance.now() - since)
  return {
    elapsed: () => Math.round(elapsed()),
    start: () => {
      since ??= performance.now()
    },
    stop: () => {
      before = elapsed()
      since = null
    },
  }
}

/** Speech is mostly between -50 and -12 dB. */
const [quietest, loudest] = [-50, -12]

/** A browser that can't measure still records. */
function createMeter(stream: MediaStream): { loudness(): number; close(): void } {
  try {
    const context = new AudioContext()
    const analyser = new AnalyserNode(context, { fftSize: 512 })
    context.createMediaStreamSource(stream).connect(analyser)
    context.resume().catch(() => {})
    const samples = new Float32Array(analyser.fftSize)
    return {
      loudness: () => {
        analyser.getFloatTimeDomainData(samples)
        const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
        const loudness = 10 * Math.log10(power + 1e-9)
        return Math.min(1, Math.max(0, (loudness - quietest) / (loudest - quietest)))
      },
      close: () => void context.close().catch(() => {}),
    }
  } catch {
    return { loudness: () => 0, close: () => {} }
  }
}
