import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { WebsiteBuildsText } from '#shared/contract/texts/website-builds.ts'
import { Packages } from './packages.tsx'
import { PopUpAnchor } from './pop-up-anchor.tsx'

/** Websites for tradesmen: what is in them, why, in which sizes. They are sold on the sales platform. */
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
      <PopUpAnchor address={address}>GET YOUR WEBSITE TODAY</PopUpAnchor>
      <PopUpAnchor address={address} look="line">
        VIEW PORTFOLIO
      </PopUpAnchor>
    </div>
    {!address && (
      <p>
        {text.notSetUp}{' '}
        <TextLink to="/contact" search={{ subject: text.title }}>
          Send a message
        </TextLink>
      </p>
    )}
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
