import { ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { QuotientPackage } from '#shared/contract/quotient.ts'
import type { QuotientOffer, QuotientText } from '#shared/contract/texts/quotient.ts'
import { formatPounds, withVat } from '#shared/rules/money.ts'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'

type Offered = { which: QuotientPackage; offer: QuotientOffer }

export const Packages = ({ offers: { professional, master } }: Pick<QuotientText['packages'], 'offers'>) => (
  <div className="tiers two">
    <article className="tier">
      <PackageHead which="professional" offer={professional} />
      <PackageRest which="professional" offer={professional} />
    </article>
    <article className="tier tier--best">
      <Stamp>MOST POPULAR</Stamp>
      <div className="tier__top">
        <PackageHead which="master" offer={master} />
      </div>
      <PackageRest which="master" offer={master} />
    </article>
  </div>
)

function PackageHead({ which, offer }: Offered) {
  const net = quotientPrices[which]
  return (
    <>
      <h3>{offer.name}</h3>
      <p className="tier__price">
        <span className="fig">{formatPounds(net)}</span>{' '}
        <span>
          + VAT
          <br />({formatPounds(withVat(net).total)} total)
        </span>
      </p>
    </>
  )
}

const PackageRest = ({ which, offer: { name, features } }: Offered) => (
  <>
    <ul className="tier__list">
      {features.map((feature) => (
        <li key={feature}>
          <Icon name="tick" />
          <span>{feature}</span>
        </li>
      ))}
    </ul>
    <ButtonLink
      to="/quotient/checkout"
      search={{ package: which }}
      look={which === 'master' ? 'ink' : 'line'}
      icon="arrow"
      isWide
    >
      CHOOSE {name.toUpperCase()}
    </ButtonLink>
  </>
)
