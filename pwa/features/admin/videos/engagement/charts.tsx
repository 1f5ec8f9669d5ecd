import type { ReactNode } from 'react'
import './engagement.css'

/* Hidden from screen readers: each chart has a table with the same figures. All lengths are per cent of the drawing. */

type FrameProps = { caption: string; children: ReactNode }

const Chart = ({ caption, children }: FrameProps) => (
  <figure className="chart" aria-hidden="true">
    <figcaption className="second">{caption}</figcaption>
    {children}
  </figure>
)

type Point = { label: string; value: number }

type ColumnsProps = { caption: string; points: readonly Point[] }

export function ColumnsChart({ caption, points }: ColumnsProps) {
  const tallest = Math.max(1, ...points.map(({ value }) => value))
  const width = 100 / Math.max(1, points.length)
  return (
    <Chart caption={`${caption} The tallest is ${tallest}.`}>
      <svg className="chart__columns" role="presentation">
        {points.map(({ label, value }, at) => (
          <rect
            key={label}
            x={`${at * width + width / 10}%`}
            y={`${100 - (100 * value) / tallest}%`}
            width={`${width * 0.8}%`}
            height={`${(100 * value) / tallest}%`}
          />
        ))}
      </svg>
      <p className="chart__ends label">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
    </Chart>
  )
}

type Bar = Point & {
  part?: number
}

export function BarsChart({ caption, bars }: { caption: string; bars: readonly Bar[] }) {
  const longest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <Chart caption={caption}>
      <div className="chart__bars">
        {bars.map(({ label, value, part }) => (
          <div key={label}>
            <span>{label}</span>
            <svg role="presentation">
              <rect width={`${(100 * value) / longest}%`} height="100%" />
              {part !== undefined && (
                <rect className="chart__part" width={`${(100 * part) / longest}%`} height="100%" />
              )}
            </svg>
            <span className="n">{part === undefined ? value : `${part} of ${value}`}</span>
          </div>
        ))}
      </div>
    </Chart>
  )
}

/** Values are per cent. */
export function LineChart({ caption, points }: ColumnsProps) {
  const step = 100 / Math.max(1, points.length - 1)
  const line = points.map(({ value }, at) => `${at * step},${100 - value}`).join(' ')
  return (
    <Chart caption={caption}>
      <svg className="chart__line" viewBox="0 0 100 100" preserveAspectRatio="none" role="presentation">
        <polyline points={line} vectorEffect="non-scaling-stroke" />
      </svg>
      <p className="chart__ends label">
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </p>
    </Chart>
  )
}

/** Fits in a table cell, next to text that names the tallest. */
export function TenthsChart({ tenths }: { tenths: readonly number[] }) {
  const tallest = Math.max(1, ...tenths)
  return (
    <svg className="chart__tenths" aria-hidden="true">
      {tenths.map((value, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what it is
          key={at}
          x={`${at * 10 + 1}%`}
          y={`${100 - (100 * value) / tallest}%`}
          width="8%"
          height={`${(100 * value) / tallest}%`}
        />
      ))}
    </svg>
  )
}
