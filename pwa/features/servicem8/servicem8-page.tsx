import { ButtonLink } from '#pwa/ui/button.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'
import { formatPounds } from '#shared/rules/money.ts'

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

const Quotation = ({ setup }: Pick<Servicem8Text, 'setup'>) => (
  <div className="sheet sheet--pad">
    <dl className="cells cells--two">
      {setup.lines.map(({ label, value }) => (
        <div key={label}>
          <dt className="label">{label}</dt>
          <dd>
            <b>{value}</b>
          </dd>
        </div>
      ))}
    </dl>
    <div className="quotation">
      <p className="tier__price">
        <span className="fig">{formatPounds(setup.price * 100)}</span> <span>+ VAT</span>
      </p>
      <ButtonLink isWide icon="arrow" to="/contact" search={{ subject: setup.subject }}>
        {setup.action}
      </ButtonLink>
    </div>
  </div>
)

const QuoteOptions = ({ options, action }: Pick<Servicem8Text['quotes'], 'options' | 'action'>) => (
  <div className="trio sheet">
    {options.map(({ name, text, lines, subject }) => (
      <div key={name} className="option">
        <h3>{name}</h3>
        <p>{text}</p>
        <dl className="option__lines">
          {lines.map(({ what, price }) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd>{price}</dd>
            </div>
          ))}
        </dl>
        <ButtonLink look="line" isSmall to="/contact" search={{ subject }}>
          {action} <span className="vh">({name})</span>
        </ButtonLink>
      </div>
    ))}
  </div>
)
