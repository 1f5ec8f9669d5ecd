import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { TickList } from '#pwa/ui/tick-list.tsx'
import { type QuotientPackage, type QuotientSetup, quotientSetups } from '#shared/contract/quotient-setups.ts'
import { withVat } from '#shared/rules/money.ts'

const isPackage = (name: string): name is QuotientPackage => Object.hasOwn(quotientSetups, name)

/** The chosen package and its price. It is ordered by message: no card is asked for here. */
export const CheckoutPage = ({ chosen = 'professional' }: { chosen: string | undefined }) => (
  <section className="job">
    <div className="wrap">
      <p className="job__no">Quotient</p>
      <div className="job__head">
        <h1>Your setup</h1>
      </div>
      {isPackage(chosen) ? <Summary setup={quotientSetups[chosen]} /> : <Unknown name={chosen} />}
    </div>
  </section>
)

const Summary = ({ setup }: { setup: QuotientSetup }) => {
  const other = quotientSetups[setup.key === 'master' ? 'professional' : 'master']
  return (
    <div className="pair">
      <Slip title={setup.name} netLabel="Setup, once" {...withVat(setup.net)}>
        <TickList items={setup.features} />
      </Slip>
      <div className="stack">
        <p className="lead">You order it by message, and nothing is taken now. We send the invoice before we begin.</p>
        <ButtonLink to="/contact" search={{ subject: `Quotient: ${setup.name}` }} icon="arrow">
          Order {setup.name}
        </ButtonLink>
        <TextLink isTap to="/quotient/checkout" search={{ package: other.key }}>
          {other.name} instead, {other.price}
        </TextLink>
        <TextLink isTap to="/quotient">
          Back to Quotient
        </TextLink>
      </div>
    </div>
  )
}

const Unknown = ({ name }: { name: string }) => (
  <Banner
    role="status"
    icon="warn"
    title="There is no package of this name"
    action={Object.values(quotientSetups).map((setup) => (
      <ButtonLink key={setup.key} to="/quotient/checkout" search={{ package: setup.key }} look="line" isSmall>
        {setup.name}
      </ButtonLink>
    ))}
  >
    <p>“{name.slice(0, 40)}” is not one of the two. Choose one here.</p>
  </Banner>
)
