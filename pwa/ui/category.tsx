import { type CSSProperties, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import { Stamp } from './stamp.tsx'
import { Tape } from './tape.tsx'
import './styles/row.css'

type Props = {
  title: string
  count: number
  minutes: number
  done: number
  /** Not one of the nine: in capitals and grey. */
  isOther?: boolean
  /** With `onToggle` it starts closed, and a press opens it. */
  isOpen?: boolean
  onToggle?: (isOpen: boolean) => void
  /** Below the rows. */
  foot?: ReactNode
  children: ReactNode
}

const videos = (count: number) => (count === 1 ? '1 video' : `${count} videos`)

/** Gives the browser an estimated height for a category that isn't laid out yet. */
function rowsOf(count: number): CSSProperties {
  const rows: Record<`--${string}`, number> = { '--rows': count }
  return rows
}

export function Category({ title, count, minutes, done, isOther, isOpen, onToggle, foot, children }: Props) {
  const id = useId()
  const heading = <h3 id={id}>{title}</h3>
  const className = classNames('cat', isOther && 'cat--other')
  if (onToggle)
    return (
      <details
        className={className}
        style={rowsOf(isOpen ? count : 0)}
        open={isOpen}
        onToggle={(event) => onToggle(event.currentTarget.open)}
      >
        <summary className="cat__head">
          {heading}
          <Icon name="chev" />
          <span className="second num">
            {videos(count)} · {minutes} min · {done} of {count} done
          </span>
        </summary>
        <ol className="plain">{children}</ol>
        {foot}
      </details>
    )
  return (
    <section className={className} style={rowsOf(count)} aria-labelledby={id}>
      <div className="cat__head">
        {heading}
        {count > 0 && done === count && <Stamp tone="ok">Complete</Stamp>}
        <p className="second num">
          {videos(count)} · {minutes} min
        </p>
        <Tape label="Completed" value={done} max={count} minor={0.2} isSmall />
      </div>
      <ol className="plain">{children}</ol>
      {foot}
    </section>
  )
}
