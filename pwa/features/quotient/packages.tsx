import { ButtonLink } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { type QuotientSetup, quotientSetups } from '#shared/contract/quotient-setups.ts'
import { formatPounds, withVat } from '#shared/rules/money.ts'

/** Both packages, side by side. */
export const Packages = () => (
  <div className="tiers two">
    <article className="tier">
      <PackageHead setup={quotientSetups.professional} />
      <PackageRest setup={quotientSetups.professional} />
    </article>
    <article className="tier tier--best">
      <Stamp>MOST POPULAR</Stamp>
      <div className="tier__top">
        <PackageHead setup={quotientSetups.master} />
      </div>
      <PackageRest setup={quotientSetups.master} />
    </article>
  </div>
)

const PackageHead = ({ setup: { name, net } }: { setup: QuotientSetup }) => (
  <>
    <h3>{name}</h3>
    <p className="tier__price">
      <span className="fig">{formatPounds(net)}</span>{' '}
      <span>
        + VAT
        <br />({formatPounds(withVat(net).total)} total)
      </span>
    </p>
  </>
)

const PackageRest = ({ setup: { key, name, features } }: { setup: QuotientSetup }) => (
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
      search={{ package: key }}
      look={key === 'master' ? 'ink' : 'line'}
      icon="arrow"
      isWide
    >
      CHOOSE {name.toUpperCase()}
    </ButtonLink>
  </>
)
