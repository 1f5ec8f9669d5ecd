// Separate from the other media rules, because every page loads this script.

export const photographWidths = [480, 960, 1600] as const

/** A picture's height in its slot, per 100 pixels of width. */
export const photographShapes = [56.25, 75, 100, 400 / 3] as const

type Format = 'avif' | 'webp'

/** `/media/ID.jpg`, cut to the shape of its place, is `/photographs/ID-480x360.avif`. */
export const photographAddress = (image: string, size: { width: number; height: number; format: Format }): string =>
  image.replace(/^\/media\/([\w-]+)\.\w+$/, `/photographs/$1-${size.width}x${size.height}.${size.format}`)

/** The address of something made from the brand. It changes with the look, so that no browser shows a cached older one. */
export const addressOfLook = (path: string, look: string): string =>
  look !== '' && /^\/(icons|pictures|social)\//.test(path) ? `${path}?look=${look}` : path
