import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { ContactText } from '#shared/contract/texts/contact.ts'

/** Messages, mail and networks, for those who would rather not fill in a form. */
export function OtherWays({ heading, lead }: ContactText['ways']) {
  const { coaches, links } = useSiteContent()
  const networks = [
    { name: 'Facebook', url: links.facebook },
    { name: 'Instagram', url: links.instagram },
  ]
  return (
    <div className="enquiry__panel">
      <h2>{heading}</h2>
      <p>{lead}</p>
      <ul className="plain">
        {coaches.map(({ name, chat }) => (
          <OutsideWay key={chat} words={`WhatsApp, ${name}`} url={chat} />
        ))}
        {coaches.map(({ name, email }) => (
          <li key={email}>
            <TextAnchor isTap href={`mailto:${email}`}>
              E-mail, {name}
            </TextAnchor>
          </li>
        ))}
        {networks.map(({ name, url }) =>
          url ? (
            <OutsideWay key={name} words={name} url={url} />
          ) : (
            <li key={name} className="second enquiry__none">
              {name}: not configured
            </li>
          ),
        )}
      </ul>
    </div>
  )
}

const OutsideWay = ({ words, url }: { words: string; url: string }) => (
  <li>
    <TextAnchor isTap href={url} target="_blank" rel="noreferrer">
      {words}
    </TextAnchor>
  </li>
)
