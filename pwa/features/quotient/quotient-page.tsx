import { ButtonAnchor } from '#pwa/ui/button.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { Packages } from './packages.tsx'
import { QuoteGallery } from './quote-gallery.tsx'
import { QuoteStatus } from './quote-status.tsx'

/** Where the button of the page's head leads. */
const packagesId = 'packages'

/** The set-up of the quoting system: what it does, what it costs, what it looks like. */
export const QuotientPage = ({ text }: { text: QuotientText }) => (
  <>
    <PageHero tone="ink" heading={text.heading} lead={text.lead} side={<QuoteStatus sample={text.sample} />}>
      <ButtonAnchor look="hivis" icon="arrow" href={`#${packagesId}`}>
        GET STARTED
      </ButtonAnchor>
    </PageHero>
    <Stats stats={text.stats} />
    <PageSection section={text.benefits}>
      <ul className="six">
        {text.benefits.items.map(({ title, text: words }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{words}</p>
          </li>
        ))}
      </ul>
    </PageSection>
    <div className="chalk" />
    <PageSection section={text.packages} id={packagesId}>
      <Packages offers={text.packages.offers} />
    </PageSection>
    <PageSection section={text.gallery} follows>
      <QuoteGallery pictures={text.gallery.pictures} />
    </PageSection>
  </>
)

function Stats({ stats }: Pick<QuotientText, 'stats'>) {
  const shown = stats.filter(({ isOn }) => isOn)
  return (
    shown.length > 0 && (
      <section className="on-blade" aria-label="In figures">
        <dl className="wrap three">
          {shown.map(({ figure, label }) => (
            <div key={label}>
              <dt className="label">{label}</dt>
              <dd className="fig">{figure}</dd>
            </div>
          ))}
        </dl>
      </section>
    )
  )
}
