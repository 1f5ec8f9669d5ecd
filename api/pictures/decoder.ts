import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { readVoiceNote } from '#shared/rules/voice-note.ts'
import type { DecoderMessage, Drawing, DrawingTask } from './drawing.ts'

// The process `drawing.ts` starts, and kills if a picture takes too much. One thread leaves the other core to the server. Without
// a cache, no picture leaves anything behind for the next.
sharp.concurrency(1)
sharp.cache(false)

process.on('message', async (task: DrawingTask) => tell(await respondTo(task)))
// When the server has gone, nothing else would stop a running job.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
tell('ready')

function tell(message: DecoderMessage): void {
  process.send?.(message)
}

async function respondTo({ source, drawing, mostPixels }: DrawingTask): Promise<DecoderMessage> {
  try {
    return { bytes: new Uint8Array(await make(source, drawing, { limitInputPixels: mostPixels })) }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

type Options = { limitInputPixels: number }

async function make(source: string | Uint8Array, wanted: Drawing, options: Options): Promise<Uint8Array> {
  switch (wanted.as) {
    case 'size': {
      const { width, height } = await sharp(source, options).metadata()
      return new TextEncoder().encode(JSON.stringify({ width, height }))
    }
    case 'stored':
      return toStored(source, wanted.format, options)
    case 'face': {
      const { side } = wanted
      const face = sharp(source, options).rotate().resize(side, side, { position: 'attention' })
      return face.webp({ quality: 80 }).toBuffer()
    }
    case 'logo': {
      const fit = { fit: wanted.isSquare ? 'contain' : 'inside', background: '#ffffff' } as const
      const logo = sharp(source, options).resize(wanted.side, wanted.side, fit)
      return logo.flatten({ background: '#ffffff' }).png().toBuffer()
    }
    case 'photo': {
      const fit = { fit: 'inside', withoutEnlargement: true } as const
      const photo = sharp(source, options).rotate().resize(wanted.side, wanted.side, fit)
      return photo.flatten({ background: '#ffffff' }).jpeg({ quality: 80, mozjpeg: true }).toBuffer()
    }
    case 'voice': {
      const bytes = typeof source === 'string' ? new Uint8Array(await readFile(source)) : source
      return new TextEncoder().encode(JSON.stringify(readVoiceNote(bytes)))
    }
    case 'resized':
      return toFormat(resize(sharp(source, options), wanted), wanted.format)
    case 'png': {
      const image = sharp(source, options)
      return (wanted.isOpaque ? image.flatten({ background: '#ffffff' }) : image).png().toBuffer()
    }
  }
}

/** Longest side we store. */
const longestSide = 2560
/** Small vector drawings are rendered at this size, up to 300 dpi. Larger takes too long, as filters work pixel by pixel. */
const drawnSide = 1600
const dots = { usual: 72, most: 300 }

/** Upright, no larger than a screen, and without the camera's metadata or anything hidden behind the picture. */
async function toStored(source: string | Uint8Array, wanted: string | null, options: Options): Promise<Uint8Array> {
  const { format: found, width, height } = await sharp(source, options).metadata()
  const side = Math.max(width, height)
  const density = Math.min(dots.most, (dots.usual * Math.min(longestSide, Math.max(side, drawnSide))) / side)
  const image = sharp(source, found === 'svg' ? { ...options, density } : options)
  const upright = image.rotate().resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
  const format = (wanted === 'jpg' ? 'jpeg' : wanted) ?? found
  if (format === 'jpeg') return upright.jpeg({ quality: 88, mozjpeg: true }).toBuffer()
  // AVIF among them: sharp names it by its container. Few programs that people have take one.
  if (format === 'webp' || found === 'heif') return upright.webp({ quality: 88 }).toBuffer()
  if (format === 'png' || format === 'svg') return upright.png().toBuffer()
  throw new Error(`${found} isn’t a format we store.`)
}

const resize = (image: Sharp, { width, height }: Extract<Drawing, { as: 'resized' }>) =>
  height === undefined
    ? image.resize({ width, withoutEnlargement: true })
    : image.resize(width, height, { fit: 'cover', position: 'attention' })

const toFormat = (image: Sharp, format: 'avif' | 'webp') =>
  (format === 'avif' ? image.avif({ quality: 55, effort: 2 }) : image.webp({ quality: 78 })).toBuffer()
