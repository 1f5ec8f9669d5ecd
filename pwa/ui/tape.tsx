import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'
import './styles/tape.css'

type Props = {
  label: string
  value: number
  max: number
  /** The distance between heavy marks; `minor` is for the others (below 1 draws sub-marks). */
  major?: number
  minor?: number
  isSmall?: boolean
  /** The blade runs out when it's first visible. */
  isLive?: boolean
  /** About a hundred marks: a phone shows every second one. */
  isLong?: boolean
  hasNumbers?: boolean
}

/** Custom properties for a style; React's type for styles doesn't list them. */
export const measures = (values: Record<`--${string}`, number | string | undefined>): CSSProperties => ({ ...values })

/** A tape measure as a progress bar: "9 of 24". Client-only, because it sets a style. */
export function Tape({ hasNumbers, ...bar }: Props) {
  if (!hasNumbers) return <Bar {...bar} />
  return (
    <div>
      <Bar {...bar} />
      <Numbers {...bar} />
    </div>
  )
}

type BarProps = Omit<Props, 'hasNumbers'>

const Bar = ({ label, value, max, major = 1, minor, isSmall, isLive, isLong }: BarProps) => (
  <span
    className={classNames('tape', isSmall && 'tape--sm', isLive && 'tape--live', isLong && 'tape--long')}
    style={measures({
      '--v': value,
      '--max': Math.max(max, 1),
      '--major': major,
      '--minor': minor,
      '--tw': isSmall ? '1.5px' : undefined,
    })}
    role="progressbar"
    aria-label={`${label}, ${value} of ${max}`}
    aria-valuemin={0}
    aria-valuemax={max}
    aria-valuenow={value}
  >
    <span className="tape__run">
      <span className="tape__blade" />
      <span className="tape__case" aria-hidden="true">
        {value}
      </span>
    </span>
  </span>
)

function Numbers({ max, major = 1, isLong }: BarProps) {
  const marks = Array.from({ length: Math.floor(max / major) + 1 }, (_, index) => index * major)
  return (
    <div
      className={classNames('tape__nos', isLong && 'tape__nos--long')}
      style={measures({ '--max': Math.max(max, 1) })}
      aria-hidden="true"
    >
      {marks.map((mark) => (
        <span key={mark} style={measures({ '--at': mark })}>
          {mark}
        </span>
      ))}
    </div>
  )
}
