import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { AppError } from '#api/errors.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import { problemOfTracks, readTracks } from '#shared/rules/video-tracks.ts'
import { normaliseCaptions, readCaptions } from '#shared/values/captions.ts'
import { kindOfMedia, type MediaFormat, maxBytesOfKind, mediaFormats } from '#shared/values/media.ts'
import { isMp3 } from './mp3-rules.ts'

/** Types the package reports, and ours for them. What an iPhone records (.mov) is an MP4 in all but its first line. */
const foundAs: Partial<Record<string, MediaFormat>> = {
  m4v: 'mp4',
  mov: 'mp4',
  f4v: 'mp4',
  m4b: 'm4a',
  opus: 'ogg',
  oga: 'ogg',
  ogv: 'ogg',
}

const videoAdvice = (name: string) => `This video is ${name}. Export it as MP4 and upload that.`
const soundAdvice = (name: string) => `This audio is ${name}. Export it as MP3 and upload that.`
const pictureAdvice = (name: string) => `This picture is ${name}. Save it as a JPEG or PNG and upload that.`
const still = 'Save it as MP4 to upload it as a video, or as a still picture.'

/** Formats people have on their phones and computers, and what to do with them. */
const advice: Partial<Record<string, string>> = {
  heic: 'This is an iPhone photo (HEIC). Save it as a JPEG and upload that.',
  gif: 'You can’t upload a GIF. Save a moving one as MP4, a still one as PNG.',
  apng: `This is an animated PNG, and we can only show it still. ${still}`,
  'moving webp': `This is an animated WebP, and we can only show it still. ${still}`,
  'moving avif': `This is an animated AVIF, and we can only show it still. ${still}`,
  svg: 'This is a drawing (SVG). Save it as a PNG and upload that.',
  heif: pictureAdvice('a HEIF'),
  bmp: pictureAdvice('a BMP'),
  tif: pictureAdvice('a TIFF'),
  jxl: pictureAdvice('a JPEG XL'),
  psd: pictureAdvice('a Photoshop file'),
  zip: 'You can’t upload a ZIP, because members’ phones can’t open it. Upload the files in it one by one.',
  cfb: 'This is an old Office document. Open it and save it as .docx, .xlsx or .pptx, or as a PDF.',
  docm: 'This document has macros, which can harm a computer. Save it as .docx without them.',
  xlsm: 'This workbook has macros, which can harm a computer. Save it as .xlsx without them.',
  pptm: 'This presentation has macros, which can harm a computer. Save it as .pptx without them.',
  avi: videoAdvice('an AVI'),
  mkv: videoAdvice('an MKV'),
  '3gp': videoAdvice('a 3GP, from an older phone'),
  '3g2': videoAdvice('a 3GP, from an older phone'),
  flv: videoAdvice('an FLV'),
  mpg: videoAdvice('an MPEG'),
  mts: videoAdvice('an MTS, from a camcorder'),
  asf: 'This is Windows Media. Export a video as MP4 or audio as MP3, and upload that.',
  wav: 'This audio is a WAV, which is very large. Export it as MP3 and upload that.',
  aif: 'This audio is an AIFF, which is very large. Export it as MP3 and upload that.',
  aac: soundAdvice('an AAC'),
  amr: soundAdvice('an AMR'),
  flac: soundAdvice('a FLAC'),
  caf: soundAdvice('a CAF'),
  mp2: soundAdvice('an MP2'),
}

const refused = (message: string) => new AppError('unsupported_media_type', message)

async function typeOf(content: Blob): Promise<string> {
  const { fileTypeFromBlob } = await import('file-type')
  const found = (await fileTypeFromBlob(content))?.ext ?? ''
  const head = Buffer.from(await content.slice(0, 256).arrayBuffer())
  if (found === 'webp') return isMovingWebp(head) ? 'moving webp' : found
  if (found === 'avif') return head.toString('latin1', 8, 12) === 'avis' ? 'moving avif' : found
  if (found !== '' && found !== 'xml') return found
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg/i.test(decodeText(head))
    ? 'svg'
    : found
}

/** https://developers.google.com/speed/webp/docs/riff_container#extended_file_format */
const isMovingWebp = (head: Buffer) => head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0

const refusalOf = (type: string): AppError => refused(advice[type] ?? `You can upload ${mediaFormats.join(', ')}.`)

/** Decides a file's type from its content only, whatever its name. Refuses types not on our list, and files of two types. */
export async function detectFormat(content: Blob): Promise<MediaFormat> {
  if (content.size === 0) throw refused('This file is empty. Save or export it again, and upload that.')
  const found = await typeOf(content)
  const format =
    foundAs[found] ?? mediaFormats.find((one) => one === found) ?? (found === '' && (await unnamedFormat(content)))
  if (!format) throw refusalOf(found)
  await assertOneThing(content, format)
  return format
}

/** Captions, also as .srt and .sbv, and MP3s that begin with something else. */
async function unnamedFormat(content: Blob): Promise<MediaFormat | null> {
  const start = normaliseCaptions(decodeText(await content.slice(0, 256).bytes()))
  if (start.startsWith('WEBVTT')) return 'vtt'
  return (await isMp3(content)) ? 'mp3' : null
}

/** The format to store an uploaded video in: one without a picture is sound. Refuses what no browser shows. */
export async function assertShown(content: Blob, format: MediaFormat): Promise<MediaFormat> {
  if (format !== 'mp4') return format
  const tracks = await readTracks(content)
  const problem = problemOfTracks(tracks)
  if (problem !== null && !problem.mayGo) throw refused(problem.sentence)
  return tracks.pictures.length === 0 && tracks.sounds.length > 0 ? 'm4a' : format
}

/** What its pictures are in, as `media` keeps it. */
export async function codecOf(content: Blob, format: MediaFormat): Promise<string | null> {
  const { pictures } = format === 'mp4' ? await readTracks(content) : { pictures: [] }
  return pictures[0] ?? null
}

/** Checks the first bytes, so that no one uploads two gigabytes we'd refuse anyway. Other checks need the whole file. */
export async function assertWorthSending(start: Blob): Promise<void> {
  const found = await typeOf(start)
  const isUndecided = found === '' || found === 'zip' || found === 'xml'
  if (!isUndecided && foundAs[found] === undefined && !mediaFormats.some((one) => one === found)) throw refusalOf(found)
}

/** What a browser or PDF reader might find in a file that starts as something else. */
const pageMarks = /<(?:script|html|svg|iframe|body|!doctype html|\?php)[\s>]/i
const sniffedBytes = 4096
const pdfHeadBytes = 1024

/** A comment of this size may follow the end of a ZIP directory. */
const zipEndBytes = 22
const zipTailBytes = zipEndBytes + 0xffff

/** A file that one program reads as a picture and another as a page or archive was made to deceive. */
async function assertOneThing(content: Blob, format: MediaFormat): Promise<void> {
  const head = Buffer.from(await content.slice(0, sniffedBytes).arrayBuffer()).toString('latin1')
  const isPdfToo = format !== 'pdf' && head.slice(0, pdfHeadBytes).includes('%PDF-')
  const isZip = /^(docx|xlsx|pptx)$/.test(format)
  if (pageMarks.test(head) || isPdfToo || (!isZip && (await readZipEnd(content)) !== null))
    throw refused('This file is two kinds of file in one, like harmful ones. Export it again and upload that.')
}

type ZipEnd = { entries: number; size: number; start: number }

async function readZipEnd(content: Blob): Promise<ZipEnd | null> {
  const tail = Buffer.from(await content.slice(Math.max(0, content.size - zipTailBytes)).arrayBuffer())
  for (let at = tail.length - zipEndBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== 0x06054b50 || at + zipEndBytes + tail.readUInt16LE(at + 20) !== tail.length) continue
    return { entries: tail.readUInt16LE(at + 10), size: tail.readUInt32LE(at + 12), start: tail.readUInt32LE(at + 16) }
  }
  return null
}

/** Refuses a file that's too large, truncated, or would fill a phone once unpacked. Resizing checks pictures. */
export async function assertSound(content: Blob, format: MediaFormat): Promise<void> {
  const kind = kindOfMedia(format)
  const most = maxBytesOfKind[kind]
  if (content.size > most)
    throw new AppError(
      'too_large',
      `A ${kind === 'captions' ? 'captions file' : kind} can have up to ${most / 1024 ** 2} MB.`,
    )
  if (format === 'mp4' || format === 'm4a') await assertWholeVideoFile(content)
  if (kind === 'document' && format !== 'pdf') await assertUnpacks(content)
  if (format === 'vtt') {
    const read = readCaptions(decodeText(await content.bytes()))
    if ('problem' in read) throw refused(`We can’t read these captions. ${read.problem}`)
  }
}

const cutShort = () =>
  refused('This recording is cut short, or has something added at the end. Export it again and upload that.')

/** A video is a row of boxes with their lengths, ending where the file does. Without the box `moov` no browser plays it. */
async function assertWholeVideoFile(content: Blob): Promise<void> {
  let [at, hasIndex] = [0, false]
  for (let boxes = 0; at < content.size; boxes += 1) {
    const head = Buffer.from(await content.slice(at, at + 16).arrayBuffer())
    if (head.length < 8 || boxes > 100_000) throw cutShort()
    const short = head.readUInt32BE(0)
    const size =
      short === 0 ? content.size - at : short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short
    if (head.toString('latin1', 4, 8) === 'moov') hasIndex = true
    if (size < 8 || at + size > content.size) throw cutShort()
    at += size
  }
  if (!hasIndex) throw cutShort()
}

/** Limits for an unpacked document, which ordinary ones stay below. */
const maxUnpackedBytes = 256 * 1024 ** 2
const maxEntries = 10_000

/** Unpacks an Office document part by part, whatever sizes it claims, and stops over the limit. */
async function assertUnpacks(content: Blob): Promise<void> {
  const bytes = Buffer.from(await content.arrayBuffer())
  const end = await readZipEnd(content)
  if (end === null || end.entries > maxEntries || end.start + end.size > bytes.length) throw damaged()
  let [at, left] = [end.start, maxUnpackedBytes]
  for (let entry = 0; entry < end.entries; entry += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw damaged()
    left -= await unpackedBytes(bytes, at, left)
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}

const damaged = () => refused('We can’t open this document. Save it again and upload that.')

/** The unpacked size of the entry at `at` in the ZIP directory. */
async function unpackedBytes(bytes: Buffer, at: number, left: number): Promise<number> {
  const [method, packed, local] = [
    bytes.readUInt16LE(at + 10),
    bytes.readUInt32LE(at + 20),
    bytes.readUInt32LE(at + 42),
  ]
  if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== 0x04034b50) throw damaged()
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  if (start + packed > bytes.length) throw damaged()
  if (method === 0) return packed
  if (method !== 8 || left <= 0) throw damaged()
  try {
    const inflate = promisify(inflateRaw)
    return (await inflate(bytes.subarray(start, start + packed), { maxOutputLength: left })).length
  } catch (error) {
    if (error instanceof RangeError)
      throw refused('This document unpacks to more than a phone can hold, like harmful ones, so we haven’t kept it.')
    throw damaged()
  }
}
