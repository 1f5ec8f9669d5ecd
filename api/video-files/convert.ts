import { resolve } from 'node:path'
import * as v from 'valibot'
import type { SkipReason, VersionForm } from '#shared/contract/video-versions.ts'
import type { MediaFormat } from '#shared/values/media.ts'
import { type Ended, type Limits, runLimited } from './limited-run.ts'
import type { Tools } from './tools.ts'

/** Named by us, from the content, so that a playlist or a script dressed as a video isn't read as one. */
const demuxers: Partial<Record<MediaFormat, string>> = {
  mp4: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mp3: 'mp3',
  ogg: 'ogg',
}

export type Conversion = {
  form: VersionForm
  source: { path: string; format: MediaFormat }
  target: string
  /** The largest version worth having. */
  mostBytes: number
  stopping: AbortSignal | undefined
  onPercent(percent: number): void
}

/** Null if the version is in `target`. `unable`: this ffmpeg lacks an encoder, which is no fault of the file. */
export type Outcome = Exclude<SkipReason, 'removed'> | 'stopped' | 'unable' | null

/** Makes a light version of a video, or its sound. */
export async function convert({ ffmpeg, ffprobe }: Tools, conversion: Conversion): Promise<Outcome> {
  const { form, source, target, mostBytes, stopping, onPercent } = conversion
  const demuxer = demuxers[source.format]
  if (demuxer === undefined) return 'unreadable'
  const input = ['-protocol_whitelist', 'file', '-f', demuxer, '-i', fileAt(source.path)]
  const probed = await probe([ffprobe, ...input], stopping)
  if (typeof probed === 'string') return probed
  if (!probed.has[form === 'light' ? 'film' : 'sound']) return form === 'light' ? 'unreadable' : 'no-sound'
  const command = [ffmpeg, ...quietly, ...oneThread, ...input, ...oneThread, ...outputs[form], fileAt(target)]
  const { ended, errors } = await runLimited(command, {
    limits: { seconds: secondsFor(probed.seconds), bytes: mostBytes },
    stopping,
    onLine: (line) => {
      const done = progressIn(line)
      if (done !== null && probed.seconds !== null) onPercent(Math.min(99, Math.floor((done / probed.seconds) * 100)))
    },
  })
  return ended === 'failed' && /Unknown encoder/.test(errors) ? 'unable' : outcomes[ended]
}

const outcomes: Record<Ended, Outcome> = {
  done: null,
  failed: 'unreadable',
  'too-slow': 'too-slow',
  'too-large': 'no-smaller',
  stopped: 'stopped',
}

/** The data folder may be a relative path. */
const fileAt = (path: string) => `file:${resolve(path)}`

const quietly = ['-nostdin', '-hide_banner', '-v', 'error', '-nostats', '-progress', 'pipe:1', '-y']
const oneThread = ['-threads', '1', '-filter_threads', '1']

/** No subtitles, data, chapters or metadata: a phone's video says where it was shot. */
const onlyMedia = ['-sn', '-dn', '-map_metadata', '-1', '-map_chapters', '-1', '-movflags', '+faststart']
const voice = ['-c:a', 'aac', '-b:a', '64k', '-ac', '1', '-ar', '44100']

const outputs: Record<VersionForm, readonly string[]> = {
  // A cover picture counts as a video for `v`, not for `V`. 16:9 in this box is 480 lines; nothing is enlarged.
  light: [
    ...['-map', '0:V:0', '-map', '0:a:0?', ...onlyMedia],
    ...['-vf', `scale='min(854,iw)':'min(854,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'main', '-pix_fmt', 'yuv420p', '-fpsmax', '30'],
    ...['-crf', '27', '-maxrate', '340k', '-bufsize', '680k', ...voice, '-f', 'mp4'],
  ],
  sound: ['-map', '0:a:0', '-vn', ...onlyMedia, ...voice, '-f', 'ipod'],
}

const [leastSeconds, mostSeconds] = [10, 3_600]

/** Processor time: four times its length, an hour at most. A video that doesn't say how long it is gets the hour. */
const secondsFor = (length: number | null): number =>
  length === null ? mostSeconds : Math.min(mostSeconds, Math.max(leastSeconds, Math.ceil(length * 4)))

/** ffmpeg calls microseconds `out_time_us`. */
function progressIn(line: string): number | null {
  const [, microseconds] = /^out_time_us=(\d+)$/.exec(line) ?? []
  return microseconds === undefined ? null : Number(microseconds) / 1_000_000
}

const Probed = v.object({
  streams: v.array(
    v.object({ codec_type: v.optional(v.string()), disposition: v.object({ attached_pic: v.number() }) }),
  ),
  format: v.object({ duration: v.optional(v.string()) }),
})

type Found = { seconds: number | null; has: Record<'film' | 'sound', boolean> }

const probeLimits: Limits = { seconds: 60, bytes: 1 }
const mostProbedText = 1_000_000

async function probe(
  command: readonly string[],
  stopping: AbortSignal | undefined,
): Promise<Found | (Outcome & string)> {
  const [program = '', ...input] = command
  const shown = ['-show_entries', 'format=duration:stream=codec_type:stream_disposition=attached_pic', '-of', 'json']
  let text = ''
  const { ended } = await runLimited([program, '-v', 'error', ...shown, ...input], {
    limits: probeLimits,
    stopping,
    onLine: (line) => {
      if (text.length < mostProbedText) text += line
    },
  })
  if (ended !== 'done') return ended === 'stopped' ? 'stopped' : 'unreadable'
  return readProbed(text) ?? 'unreadable'
}

function readProbed(text: string): Found | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Probed), text)
  if (!read.success) return null
  const { streams, format } = read.output
  const seconds = Number(format.duration)
  const hasType = (type: string) =>
    streams.some(({ codec_type, disposition }) => codec_type === type && disposition.attached_pic === 0)
  return {
    seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    has: { film: hasType('video'), sound: hasType('audio') },
  }
}
