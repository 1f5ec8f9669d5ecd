import { TickList } from '#pwa/ui/list.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { WebsitePackage } from '#shared/contract/texts/website-builds.ts'
import { PopUpAnchor } from './pop-up-anchor.tsx'

type Props = { packages: readonly WebsitePackage[]; address: string }

/** The packages, as the tiers are shown. */
export const Packages = ({ packages, address }: Props) => (
  <div className="tiers">
    {packages.map((one) => (
      <article key={one.name} className={one.isMostPopular ? 'tier tier--best' : 'tier'}>
        {one.isMostPopular ? (
          <>
            <Stamp>Most popular</Stamp>
            <div className="tier__top">
              <Head one={one} />
            </div>
          </>
        ) : (
          <Head one={one} />
        )}
        <TickList items={one.features} />
        <PopUpAnchor address={address} look={one.isMostPopular ? 'ink' : 'line'} isWide>
          Get Started <span className="vh">with {one.name}</span>
        </PopUpAnchor>
      </article>
    ))}
  </div>
)

const Head = ({ one }: { one: WebsitePackage }) => (
  <>
    <h3>{one.name}</h3>
    <p className="tier__price">
      <span className="fig">{one.price}</span>
    </p>
  </>
)
