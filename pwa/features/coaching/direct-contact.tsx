import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { SectionText } from '#shared/contract/texts/parts.ts'

/** Each coach's chat and e-mail. */
export const DirectContact = ({ text }: { text: SectionText }) => {
  const { coaches } = useSiteContent()
  return (
    <PageSection section={text}>
      <ul className="coaches">
        {coaches.map(({ name, chat, email }, place) => (
          <li key={email} className="sheet">
            <Picture name={`coach-${(place % 2) + 1}`} alt="" width={480} height={480} />
            <div>
              <h3>{name}</h3>
              <TextAnchor isTap href={chat} target="_blank" rel="noreferrer">
                WhatsApp the {name}
              </TextAnchor>
              <TextAnchor isTap href={`mailto:${email}`}>
                {email}
              </TextAnchor>
            </div>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}
