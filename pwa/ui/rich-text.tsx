import { Fragment, type ReactNode } from 'react'
import type { RichPart, RichText } from '#shared/contract/announcement.ts'

/** An owner's text, which the server has parsed. None of it is ever HTML. */
export const RichTextView = ({ text }: { text: RichText }) => (
  <div className="rich">{keyed(text, ({ kind, lines }) => blockOf(kind, lines))}</div>
)

function blockOf(kind: RichText[number]['kind'], lines: readonly RichPart[][]): ReactNode {
  const [first = []] = lines
  if (kind === 'heading') return <h3>{keyed(first, partOf)}</h3>
  if (kind === 'paragraph') return <p>{keyed(first, partOf)}</p>
  return (
    <ul>
      {keyed(lines, (line) => (
        <li>{keyed(line, partOf)}</li>
      ))}
    </ul>
  )
}

function partOf({ text, isBold, href }: RichPart): ReactNode {
  if (text === '\n') return <br />
  if (href === undefined) return isBold ? <b>{text}</b> : text
  return (
    <a className="link" href={href} {...(href.startsWith('https:') ? { target: '_blank', rel: 'noreferrer' } : {})}>
      {text}
    </a>
  )
}

/** Positions work as keys, because the parts of a text never move. */
const keyed = <Item,>(items: readonly Item[], show: (item: Item) => ReactNode): ReactNode[] =>
  // biome-ignore lint/suspicious/noArrayIndexKey: as said above
  items.map((item, index) => <Fragment key={index}>{show(item)}</Fragment>)
