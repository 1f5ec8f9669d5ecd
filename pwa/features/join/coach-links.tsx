import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import '#pwa/features/payment/purchase.css'

/** How to reach each coach. */
export function CoachLinks() {
  const { coaches } = useSiteContent()
  return (
    <ul className="plain">
      {coaches.map(({ name, chat, email }) => (
        <li key={email} className="purchase__ways">
          <TextAnchor isTap href={`mailto:${email}`}>
            E-mail, {name}
          </TextAnchor>
          <TextAnchor isTap href={chat} target="_blank" rel="noreferrer">
            WhatsApp, {name}
          </TextAnchor>
        </li>
      ))}
    </ul>
  )
}
