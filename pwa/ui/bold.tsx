import { Fragment } from 'react'

/** Text in which a pair of ** makes what stands between bold; a lone ** stays as it is written. */
export function BoldText({ text }: { text: string }) {
  const parts = text.split(/\*\*(.+?)\*\*/)
  return parts.map((part, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move
    place % 2 === 1 ? <b key={place}>{part}</b> : <Fragment key={place}>{part}</Fragment>,
  )
}
