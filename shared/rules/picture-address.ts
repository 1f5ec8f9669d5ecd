// Apart from the rest of the media, since every page of the site has this in its scripts.

/** The widths in which a photograph is sent, in pixels. */
export const photographWidths = [480, 960, 1600] as const

/** How high a picture may be in its place, for each 100 pixels of width. */
export const photographShapes = [56.25, 75, 100, 400 / 3] as const

type Format = 'avif' | 'webp'

/** `/media/ID.jpg`, cut to the shape of its place, is `/photographs/ID-480x360.avif`. */
export const photographAddress = (image: string, size: { width: number; height: number; format: Format }): string =>
  image.replace(/^\/media\/([\w-]+)\.\w+$/, `/photographs/$1-${size.width}x${size.height}.${size.format}`)

/** The address of something that is made from the brand, so that no browser shows what it kept of another look. */
export const addressOfLook = (path: string, look: string): string =>
  look !== '' && /^\/(icons|pictures|social)\//.test(path) ? `${path}?look=${look}` : path
