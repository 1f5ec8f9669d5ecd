import drawings from './drawings.svg'

type DrawingName =
  | `riser-${'pipes' | 'circuit' | 'measures'}`
  | `row-${'pipe' | 'gauge' | 'valve'}`
  | `signature-${1 | 2 | 3}`
  | 'van'
  | 'level'
  | 'tape-measure'

type Props = { name: DrawingName; x?: number; y?: number }

/**
 * A drawing out of the one file of them, inside an svg of the page, whose colours it takes: `currentColor`, `--draw-fill`
 * and `--draw-hot`. So its paths cost no script, and every page shares one download.
 */
export const Drawing = ({ name, ...place }: Props) => <use href={`${drawings}#${name}`} {...place} />

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
