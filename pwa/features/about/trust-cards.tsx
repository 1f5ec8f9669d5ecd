import { useSiteContent } from '#pwa/lib/site-content.tsx'
import type { AboutText } from '#shared/contract/texts/about.ts'

/** Three promises on one sheet; a claim that owners switched off leaves its place. */
export const TrustCards = ({ cards }: Pick<AboutText['trust'], 'cards'>) => {
  const { claims } = useSiteContent()
  const shown = cards.flatMap((card) => {
    if (!('claim' in card)) return [card]
    const { isOn, figure, label } = claims[card.claim]
    return isOn ? [{ figure, label, text: card.text }] : []
  })
  return (
    <ul className="trio sheet sheet--pad">
      {shown.map(({ figure, label, text }) => (
        <li key={label}>
          <h3>
            <span className="fig">{figure}</span> <span className="label">{label}</span>
          </h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  )
}
