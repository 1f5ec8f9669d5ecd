/// <reference lib="webworker" />

import { headBytes, type PhotoHead, readPhotoHead } from './photo-head.ts'
import type { MadeSmall, PhotoFailure, PhotoLimits } from './small-photos.ts'

declare const self: DedicatedWorkerGlobalScope

/** A camera of 108 megapixels is the largest we meet; a picture of more fills a phone's memory. */
const mostPixels = 120_000_000

type Small = MadeSmall | { failure: PhotoFailure }

async function makeSmall(file: Blob, limits: PhotoLimits): Promise<Small> {
  if (file.size === 0) return { failure: 'empty' }
  const head = readPhotoHead(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()))
  if (head.kind === 'other') return { failure: 'unknown' }
  if (head.size && head.size.width * head.size.height > mostPixels) return { failure: 'huge' }
  const bitmap = await decode(file, head, limits.side)
  if (bitmap === null) return { failure: head.kind === 'heic' ? 'heic' : 'broken' }
  try {
    return (await encode(bitmap, limits)) ?? { failure: 'huge' }
  } finally {
    bitmap.close()
  }
}

/**
 * Once, straight to the size that's wanted, where the browser can: the whole picture of a good camera takes 48 MB. Only one side is
 * given, so that none is ever stretched. Browsers that know no such option are drawn smaller later.
 */
async function decode(file: Blob, { size, isTurned }: PhotoHead, side: number): Promise<ImageBitmap | null> {
  const upright = size && (isTurned ? { width: size.height, height: size.width } : size)
  const fits = upright === null || Math.max(upright.width, upright.height) <= side
  const scaled: ImageBitmapOptions = fits
    ? {}
    : { ...(upright.width >= upright.height ? { resizeWidth: side } : { resizeHeight: side }), resizeQuality: 'medium' }
  return createImageBitmap(file, { imageOrientation: 'from-image', ...scaled }).catch(() => null)
}

/** By area, so that one encoding is usually enough: a photo of 2 megapixels at 0.74 takes 250 to 380 kB. */
const firstQuality = (pixels: number) => (pixels > 1_400_000 ? 0.74 : pixels > 700_000 ? 0.8 : 0.85)

/** A second encoding is within the limit but for noise, and a third is within it in any case. */
const mostEncodings = 3

async function encode(bitmap: ImageBitmap, { side, bytes }: PhotoLimits): Promise<MadeSmall | null> {
  let scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  let quality = firstQuality(bitmap.width * bitmap.height * scale * scale)
  for (let tried = 0; tried < mostEncodings; tried += 1) {
    const width = Math.max(1, Math.round(bitmap.width * scale))
    const height = Math.max(1, Math.round(bitmap.height * scale))
    const blob = await draw(bitmap, width, height).convertToBlob({ type: 'image/jpeg', quality })
    if (blob.size <= bytes) return { blob, width, height }
    // A little too large is put right by the quality, more by fewer pixels.
    const excess = blob.size / bytes
    if (excess < 1.25) quality -= 0.2
    else {
      scale *= Math.sqrt(0.8 / excess)
      quality = 0.68
    }
  }
  return null
}

function draw(bitmap: ImageBitmap, width: number, height: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) throw new Error('There’s no canvas.')
  // What a screenshot leaves see-through is paper.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.drawImage(bitmap, 0, 0, width, height)
  return canvas
}

self.addEventListener('message', ({ data }: MessageEvent<{ file: Blob; limits: PhotoLimits }>) => {
  makeSmall(data.file, data.limits).then(
    (small) => self.postMessage(small),
    () => self.postMessage({ failure: 'broken' } satisfies Small),
  )
})
