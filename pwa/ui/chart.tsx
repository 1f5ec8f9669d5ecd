import { type PointerEvent, type ReactNode, useState } from 'react'
import { ChartFills, ChartKey, fillOf } from './chart-fills.tsx'
import './styles/chart.css'

/* Plain SVG. Each chart stands above a table with the same figures, and says itself what it shows. Lengths are per cent. */

type Format = (value: number) => string

type FigureProps = {
  /** What it shows, in a sentence with the comparison, for everyone. */
  sentence: ReactNode
  /** False when there's too little to draw: a single bar is a sentence. */
  isDrawn?: boolean
  children: ReactNode
}

const ChartFigure = ({ sentence, isDrawn = true, children }: FigureProps) =>
  isDrawn ? (
    <figure className="chart">
      <figcaption>{sentence}</figcaption>
      {children}
    </figure>
  ) : (
    <p className="chart">{sentence}</p>
  )

export type Point = { label: string; value: number }

/** For those who can't see it: where it begins and ends, and the highest between. */
function spoken(points: readonly Point[], format: Format): string {
  const told = ({ label, value }: Point) => `${label} ${format(value)}`
  const [first, last] = [points[0], points.at(-1)]
  const highest = points.reduce<Point | undefined>((top, one) => (top && top.value >= one.value ? top : one), undefined)
  return first && last && highest
    ? `From ${told(first)} to ${told(last)}. The highest is ${told(highest)}.`
    : 'Nothing yet.'
}

/** `name` begins with the chart's, up to the first full stop. `labels`: its columns, and `textOf` what each of them says. */
type PlotProps = {
  name: string
  labels: readonly string[]
  textOf: (at: number) => string
  scale: readonly string[]
  children: ReactNode
}

/**
 * The scale's labels stand left of the drawing, the first and last label under it. Charts with the same labels stand column above
 * column. Pointing, pressing or the arrow keys choose the column whose value is said above.
 */
function Plot({ name, labels, textOf, scale, children }: PlotProps) {
  const last = labels.length - 1
  const [chosen, choose] = useState<number | null>(null)
  const at = Math.min(chosen ?? last, last)
  const text = `${labels[at]}: ${textOf(at)}`
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    choose(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * labels.length))))
  }
  return (
    <>
      <p className="chart__value" aria-hidden="true">
        {text}
      </p>
      <div className="chart__plot">
        <p className="chart__scale label" aria-hidden="true">
          {scale.map((label) => (
            <span key={label}>{label}</span>
          ))}
        </p>
        <div className="chart__area" onPointerMove={point} onPointerDown={point}>
          <svg role="img" aria-label={name}>
            <rect
              className="chart__chosen"
              x={`${(100 * at) / labels.length}%`}
              width={`${100 / labels.length}%`}
              height="100%"
            />
            {children}
          </svg>
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-label={`${name.split('.')[0]}, one by one`}
            aria-valuetext={text}
            onChange={({ target }) => choose(Number(target.value))}
          />
        </div>
        <p className="chart__ends label" aria-hidden="true">
          <span>{labels[0]}</span>
          <span>{labels.at(-1)}</span>
        </p>
      </div>
    </>
  )
}

type LineProps = {
  name: string
  sentence: ReactNode
  points: readonly Point[]
  format: Format
  /** The top of the scale, where it isn't the highest value. */
  top?: number
}

export function LineChart({ name, sentence, points, format, top }: LineProps) {
  const highest = top ?? Math.max(1, ...points.map(({ value }) => value))
  // In the middle of its column, as a bar of the same month is.
  const placeOf = (at: number) => (100 * (at + 0.5)) / points.length
  const heightOf = (value: number) => 100 - (100 * value) / highest
  const line = points.map(({ value }, at) => `${placeOf(at)},${heightOf(value)}`).join(' ')
  return (
    <ChartFigure sentence={sentence} isDrawn={points.length > 1}>
      <Plot
        name={`${name}. ${spoken(points, format)}`}
        labels={points.map(({ label }) => label)}
        textOf={(at) => format(points[at]?.value ?? 0)}
        scale={[format(highest), format(0)]}
      >
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          width="100%"
          height="100%"
          className="chart__line"
          role="presentation"
        >
          <polyline points={line} vectorEffect="non-scaling-stroke" />
        </svg>
        <circle
          cx={`${placeOf(points.length - 1)}%`}
          cy={`${heightOf(points.at(-1)?.value ?? 0)}%`}
          r="5"
          className="chart__now"
        />
        <line x1="0" x2="100%" y1="100%" y2="100%" className="chart__zero" />
      </Plot>
    </ChartFigure>
  )
}

export type Series = { name: string; values: readonly number[] }

type ColumnsProps = {
  name: string
  sentence: ReactNode
  labels: readonly string[]
  /** Stacked from the middle line: up for what's above nought, down for what's below. Up to five. */
  series: readonly Series[]
  format: Format
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)

export function ColumnsChart({ name, sentence, labels, series, format }: ColumnsProps) {
  const columns = labels.map((label, at) => ({ label, values: series.map(({ values }) => values[at] ?? 0) }))
  const up = Math.max(0, ...columns.map(({ values }) => sum(values.filter((one) => one > 0))))
  const down = Math.max(0, ...columns.map(({ values }) => -sum(values.filter((one) => one < 0))))
  const tall = Math.max(1, up + down)
  const filled = columns.filter(({ values }) => values.some((one) => one !== 0))
  const isSingle = filled.length === 1
  const told = filled.map(({ label, values }) => `${label}: ${toldValues(series, values, format)}`)
  const width = 100 / Math.max(1, columns.length)
  return (
    <ChartFigure sentence={isSingle ? `${name}. ${told[0]}.` : sentence} isDrawn={filled.length > 1}>
      {series.length > 1 && <ChartKey names={series.map((one) => one.name)} />}
      <Plot
        name={`${name}. ${spokenColumns(columns, series, format)}`}
        labels={labels}
        textOf={(at) => toldValues(series, columns[at]?.values ?? [], format) || 'no change'}
        scale={[format(up), ...(down > 0 ? [format(-down)] : [format(0)])]}
      >
        <ChartFills />
        {columns.map(({ label, values }, at) =>
          stacked(values).map(({ from, to, part }) => (
            <rect
              key={`${label} ${part}`}
              {...fillOf(part)}
              x={`${at * width + width / 10}%`}
              y={`${(100 * (up - to)) / tall}%`}
              width={`${width * 0.8}%`}
              height={`${(100 * (to - from)) / tall}%`}
            />
          )),
        )}
        <line x1="0" x2="100%" y1={`${(100 * up) / tall}%`} y2={`${(100 * up) / tall}%`} className="chart__zero" />
      </Plot>
    </ChartFigure>
  )
}

type ColumnValues = { label: string; values: readonly number[] }

const toldValues = (series: readonly Series[], values: readonly number[], format: Format): string =>
  series.length === 1
    ? format(values[0] ?? 0)
    : series.flatMap(({ name }, at) => (values[at] ? [`${name} ${format(values[at])}`] : [])).join(', ')

function spokenColumns(columns: readonly ColumnValues[], series: readonly Series[], format: Format): string {
  if (series.length === 1)
    return spoken(
      columns.map(({ label, values }) => ({ label, value: values[0] ?? 0 })),
      format,
    )
  const totals = series.map(({ values }) => sum(values))
  return `Over ${columns.length} columns: ${toldValues(series, totals, format) || 'nothing'}.`
}

/** Each part of a column from its lower to its upper end, without the empty ones. */
function stacked(values: readonly number[]): { from: number; to: number; part: number }[] {
  let [above, below] = [0, 0]
  return values.flatMap((value, part) => {
    if (value === 0) return []
    const from = value > 0 ? above : below + value
    const to = value > 0 ? above + value : below
    if (value > 0) above = to
    else below = from
    return [{ from, to, part }]
  })
}

type Bar = Point & {
  part?: number
}

type BarsProps = { sentence: string; bars: readonly Bar[] }

const barText = ({ value, part }: Bar) => (part === undefined ? String(value) : `${part} of ${value}`)

/** Lying bars with their labels and figures as text. */
export function BarsChart({ sentence, bars }: BarsProps) {
  const longest = Math.max(1, ...bars.map(({ value }) => value))
  const filled = bars.filter(({ value }) => value > 0)
  const [only] = filled
  const told = only ? `${only.label}: ${barText(only)}.` : 'Nothing yet.'
  return (
    <ChartFigure sentence={filled.length > 1 ? sentence : told} isDrawn={filled.length > 1}>
      <div className="chart__bars">
        {bars.map((bar) => (
          <div key={bar.label}>
            <span>{bar.label}</span>
            <svg aria-hidden="true">
              <rect className="chart__bar" width={`${(100 * bar.value) / longest}%`} height="100%" />
              {bar.part !== undefined && (
                <rect className="chart__mark" width={`${(100 * bar.part) / longest}%`} height="100%" />
              )}
            </svg>
            <span className="n">{barText(bar)}</span>
          </div>
        ))}
      </div>
    </ChartFigure>
  )
}

/** Ten columns that fit in a table cell, next to text that names the tallest. */
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
