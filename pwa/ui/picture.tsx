import { useContext } from 'react'
import { type Photograph, PictureSourceContext } from '#pwa/lib/picture-source.ts'
import { addressOfLook, photographAddress, photographWidths } from '#shared/rules/picture-address.ts'
import drawings from './drawings.svg'

export function usePictureAddresses(): (name: string) => string {
  const { look, photographs } = useContext(PictureSourceContext)
  return (name) => photographs[name]?.image ?? addressOfLook(`/pictures/${name}.svg`, look)
}

type PictureProps = {
  /** A file under /pictures, without its extension. */
  name: string
  alt: string
  width: number
  height: number
  /** The photograph of this person, if the drawing is a stand-in for someone. */
  photograph?: Photograph | undefined
  /** Visible as soon as the page opens. */
  isFirst?: boolean
}

/** One of the site's drawings on its sheet of paper, which is white in both themes, or the photograph that replaces it. */
export function Picture({ name, alt, isFirst, photograph: own, ...size }: PictureProps) {
  const { look, photographs } = useContext(PictureSourceContext)
  const photograph = own ?? photographs[name]
  const sized = (format: 'avif' | 'webp') =>
    photographWidths
      .map((width) => {
        const height = Math.round((width * size.height) / size.width)
        return `${photographAddress(photograph?.image ?? '', { width, height, format })} ${width}w`
      })
      .join()
  const sizes = `(min-width: 64em) ${Math.min(size.width, 960)}px, 100vw`
  const image = (
    <img
      {...size}
      alt={photograph?.alt ?? alt}
      className="picture"
      {...(photograph && { srcSet: sized('webp'), sizes })}
      src={photograph?.image ?? addressOfLook(`/pictures/${name}.svg`, look)}
      loading={isFirst ? undefined : 'lazy'}
      fetchPriority={isFirst ? 'high' : undefined}
      decoding="async"
    />
  )
  if (!photograph) return image
  return (
    <picture>
      <source type="image/avif" srcSet={sized('avif')} sizes={sizes} />
      {image}
    </picture>
  )
}

type DrawingName =
  | `riser-${'pipes' | 'circuit' | 'measures'}`
  | `row-${'pipe' | 'gauge' | 'valve'}`
  | `signature-${1 | 2 | 3}`
  | 'van'
  | 'level'
  | 'tape-measure'

type DrawingProps = { name: DrawingName; x?: number; y?: number }

/**
 * One drawing of `drawings.svg`, inside an svg of the page whose colours it takes: `currentColor`, `--draw-fill` and `--draw-hot`.
 * In their own file the paths add nothing to the scripts, and all pages share one download.
 */
export const Drawing = ({ name, ...place }: DrawingProps) => <use href={`${drawings}#${name}`} {...place} />

/** A thing seen from the side: 3 px line, square ends, hi-vis on one part. */
export const Elevation = ({ name, className = 'art' }: { name: DrawingName; className?: string }) => (
  <svg
    className={className}
    viewBox="0 0 300 170"
    fill="none"
    stroke="currentColor"
    strokeWidth="3"
    aria-hidden="true"
    focusable="false"
  >
    <Drawing name={name} />
  </svg>
)
