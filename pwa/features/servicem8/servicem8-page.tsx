import { ButtonLink } from '#pwa/ui/button.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'
import { Quotation } from './quotation.tsx'
import { QuoteOptions } from './quote-options.tsx'

/** The business-systems set-up package: what it costs, what is done, how the quotes can look. */
export const Servicem8Page = ({ text }: { text: Servicem8Text }) => (
  <>
    <PageHero heading={text.heading} lead={text.lead} side={<Quotation setup={text.setup} />} />
    <PageSection section={text.features} isOnInk>
      <div className="spread">
        <StepList>
          {text.features.list.map((feature) => (
            <li key={feature.title}>
              <h3>{feature.title}</h3>
              <p>{feature.text}</p>
            </li>
          ))}
        </StepList>
      </div>
    </PageSection>
    <PageSection section={text.quotes}>
      <QuoteOptions {...text.quotes} />
    </PageSection>
    <PageSection section={text.end} follows>
      <div className="pair pair--late">
        <Picture
          name="servicem8"
          alt="A job card on a clipboard, and the same job on a phone"
          width={640}
          height={480}
        />
        <div className="stack">
          <p className="lead">{text.end.text}</p>
          <ButtonLink look="line" icon="arrow" to="/contact" search={{ subject: text.setup.subject }}>
            {text.end.action}
          </ButtonLink>
        </div>
      </div>
    </PageSection>
  </>
)
