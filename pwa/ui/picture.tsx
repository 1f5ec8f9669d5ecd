import drawings from './drawings.svg'

type PictureProps = {
  /** Of a file under /pictures, without its ending. */
  name: string
  alt: string
  width: number
  height: number
  /** Seen at once when the page opens. */
  isFirst?: boolean
}

/** One of the site's drawings on its sheet of paper, which is white in both themes. */
export const Picture = ({ name, alt, isFirst, ...size }: PictureProps) => (
  <img
    {...size}
    alt={alt}
    className="picture"
    src={`/pictures/${name}.svg`}
    loading={isFirst ? undefined : 'lazy'}
    fetchPriority={isFirst ? 'high' : undefined}
    decoding="async"
  />
)

type DrawingName =
  | `riser-${'pipes' | 'circuit' | 'measures'}`
  | `row-${'pipe' | 'gauge' | 'valve'}`
  | `signature-${1 | 2 | 3}`
  | 'van'
  | 'level'
  | 'tape-measure'

type DrawingProps = { name: DrawingName; x?: number; y?: number }

/**
 * One drawing of `drawings.svg`, inside an svg of the page whose colours it takes: `currentColor`, `--draw-fill` and
 * `--draw-hot`. In a file of their own the paths cost no script, and every page shares one download.
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
