import { classNames } from './class-names.ts'
import './styles/chart.css'

/** A pattern as well as a colour for each part, so that neither theme nor eyes decide whether it can be read. */
export const ChartFills = () => (
  <defs>
    <pattern id="chart-fill-1" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect className="chart__ground" width="6" height="6" />
      <rect className="chart__mark" width="2" height="6" />
    </pattern>
    <pattern id="chart-fill-2" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect className="chart__ground" width="6" height="6" />
      <circle className="chart__mark" cx="3" cy="3" r="1.5" />
    </pattern>
    <pattern id="chart-fill-4" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
      <rect className="chart__mark" width="3" height="6" />
    </pattern>
  </defs>
)

const patterned = new Set([1, 2, 4])

export const fillOf = (part: number) =>
  patterned.has(part)
    ? { className: 'chart__bar', style: { fill: `url(#chart-fill-${part})` } }
    : { className: classNames('chart__bar', part === 3 && 'chart__bar--hollow') }

export const ChartKey = ({ names }: { names: readonly string[] }) => (
  <ul className="plain chart__key">
    {names.map((name, part) => (
      <li key={name}>
        <svg aria-hidden="true">
          <rect width="100%" height="100%" {...fillOf(part)} />
        </svg>
        {name}
      </li>
    ))}
  </ul>
)
