import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { TickList } from '#pwa/ui/tick-list.tsx'
import {
  formatSetupPrice,
  type QuotientPackage,
  quotientPackages,
  quotientPrices,
} from '#shared/contract/quotient-setups.ts'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { withVat } from '#shared/rules/money.ts'

const isPackage = (name: string): name is QuotientPackage => Object.hasOwn(quotientPrices, name)

type Props = { text: QuotientText; chosen: string | undefined }

/** The chosen package and its price. It is ordered by message: no card is asked for here. */
export const CheckoutPage = ({ text, chosen = 'professional' }: Props) => (
  <section className="job">
    <div className="wrap">
      <p className="job__no">{text.checkout.name}</p>
      <div className="job__head">
        <h1>{text.checkout.heading}</h1>
      </div>
      {isPackage(chosen) ? <Summary text={text} chosen={chosen} /> : <Unknown text={text} name={chosen} />}
    </div>
  </section>
)

const Summary = ({ text: { packages, checkout }, chosen }: { text: QuotientText; chosen: QuotientPackage }) => {
  const { name, features } = packages.offers[chosen]
  const other = chosen === 'master' ? 'professional' : 'master'
  return (
    <div className="pair">
      <Slip title={name} netLabel="Setup, once" {...withVat(quotientPrices[chosen])}>
        <TickList items={features} />
      </Slip>
      <div className="stack">
        <p className="lead">{checkout.lead}</p>
        <ButtonLink to="/contact" search={{ subject: `Quotient: ${name}` }} icon="arrow">
          Order {name}
        </ButtonLink>
        <TextLink isTap to="/quotient/checkout" search={{ package: other }}>
          {packages.offers[other].name} instead, {formatSetupPrice(quotientPrices[other])}
        </TextLink>
        <TextLink isTap to="/quotient">
          Back to Quotient
        </TextLink>
      </div>
    </div>
  )
}

const Unknown = ({ text: { packages }, name }: { text: QuotientText; name: string }) => (
  <Banner
    role="status"
    icon="warn"
    title="There is no package of this name"
    action={quotientPackages.map((key) => (
      <ButtonLink key={key} to="/quotient/checkout" search={{ package: key }} look="line" isSmall>
        {packages.offers[key].name}
      </ButtonLink>
    ))}
  >
    <p>“{name.slice(0, 40)}” is not one of the two. Choose one here.</p>
  </Banner>
)
