import { Fragment, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

/** What's included: a tick for each item, which is parsed as BoldText. */
export const TickList = ({ items }: { items: readonly string[] }) => (
  <ul className="ticklist">
    {items.map((item) => (
      <li key={item}>
        <Icon name="tick" />
        <span>
          <BoldText text={item} />
        </span>
      </li>
    ))}
  </ul>
)

/** What happens next, in order; each child is an `li` with a heading and a text. */
export const StepList = ({ children }: { children: ReactNode }) => <ol className="steplist">{children}</ol>

/** Text in which a pair of ** makes the words between bold; a lone ** stays as it is. */
export function BoldText({ text }: { text: string }) {
  const parts = text.split(/\*\*(.+?)\*\*/)
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    index % 2 === 1 ? <b key={index}>{part}</b> : <Fragment key={index}>{part}</Fragment>,
  )
}
