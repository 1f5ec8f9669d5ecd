import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { SectionText } from '#shared/contract/texts/parts.ts'

/** Who the coaches are. Nothing, not even the heading, while none has a trade or a town. */
export function CoachSection({ text }: { text: SectionText }) {
  const coaches = useSiteContent().coaches.filter(({ trade, town }) => trade || town)
  if (coaches.length === 0) return null
  return (
    <PageSection section={text} follows>
      <ul className="crew">
        {coaches.map(({ id, name, trade, town, photograph }) => (
          <li key={id} className="sheet">
            {photograph && <Picture name="" photograph={photograph} alt="" width={480} height={480} />}
            <h3>{name}</h3>
            <dl>
              {[
                ['Trade', trade],
                ['Town', town],
              ].map(
                ([label, value]) =>
                  value && (
                    <div key={label}>
                      <dt className="label">{label}</dt>
                      <dd>{value}</dd>
                    </div>
                  ),
              )}
            </dl>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}
