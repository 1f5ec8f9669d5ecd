import type { MouseEvent, ReactNode } from 'react'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonAnchor, ButtonLink, type ButtonLook } from '#pwa/ui/button.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { WebsiteBuildsText, WebsitePackage } from '#shared/contract/texts/website-builds.ts'

/** The websites are sold on the sales platform; every button leads there. */
export const WebsiteBuildsPage = ({ text }: { text: WebsiteBuildsText }) => {
  const { websiteBuilds } = useSiteContent().links
  return (
    <>
      <Top text={text} address={websiteBuilds} />
      <PageSection section={text.features}>
        <div className="spread">
          <TickList items={text.features.list} />
        </div>
      </PageSection>
      <PageSection section={text.reasons} isOnInk>
        <ul className="pair plain">
          {text.reasons.list.map(({ figure, label, text }) => (
            <li key={figure} className="stack">
              <h3>
                <span className="fig fig--big">{figure}</span> {label}
              </h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </PageSection>
      <PageSection section={text.packages}>
        <Packages packages={text.packages.list} address={websiteBuilds} />
      </PageSection>
      <PageSection section={text.benefits} follows>
        <div className="pair">
          <TickList items={text.benefits.list} />
          <CustomQuote custom={text.custom} />
        </div>
      </PageSection>
    </>
  )
}

const Top = ({ text, address }: { text: WebsiteBuildsText; address: string }) => (
  <PageHero
    tone="blade"
    heading={text.heading}
    lead={text.lead}
    side={
      <Picture
        name="website"
        alt="A website in its window, and on a phone beside it"
        width={640}
        height={480}
        isFirst
      />
    }
  >
    <div className="acts">
      <PopUpAnchor address={address} subject={text.title}>
        GET YOUR WEBSITE TODAY
      </PopUpAnchor>
      {address && (
        <PopUpAnchor address={address} subject={text.title} look="line">
          VIEW PORTFOLIO
        </PopUpAnchor>
      )}
    </div>
  </PageHero>
)

const CustomQuote = ({ custom }: Pick<WebsiteBuildsText, 'custom'>) => (
  <div className="stack">
    <h3>{custom.heading}</h3>
    <p>{custom.text}</p>
    <ButtonLink look="line" icon="arrow" to="/contact" search={{ subject: custom.subject }}>
      {custom.action}
    </ButtonLink>
  </div>
)

type PackagesProps = { packages: readonly WebsitePackage[]; address: string }

const Packages = ({ packages, address }: PackagesProps) => (
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
        <PopUpAnchor
          address={address}
          subject={`Website: ${one.name}`}
          look={one.isMostPopular ? 'ink' : 'line'}
          isWide
        >
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

type PopUpAnchorProps = { address: string; subject: string; look?: ButtonLook; isWide?: boolean; children: ReactNode }

/**
 * Opens the sales page in a small window. If that's blocked, or without JavaScript, it opens a normal tab. Without a sales page it
 * leads to the contact form.
 */
const PopUpAnchor = ({ address, subject, children, ...face }: PopUpAnchorProps) =>
  address ? (
    <ButtonAnchor {...face} icon="ext" href={address} target="_blank" rel="noreferrer" onClick={openSmall}>
      {children}
    </ButtonAnchor>
  ) : (
    <ButtonLink {...face} icon="arrow" to="/contact" search={{ subject }}>
      {children}
    </ButtonLink>
  )

const openSmall = (event: MouseEvent<HTMLAnchorElement>) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  // With noopener a browser never says whether it opened a window.
  const opened = window.open(event.currentTarget.href, '_blank', 'popup,width=800,height=600')
  if (!opened) return
  event.preventDefault()
  opened.opener = null
  opened.focus()
}
