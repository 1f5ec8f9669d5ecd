import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ClickToLoad } from '#pwa/ui/click-to-load.tsx'
import { StepList, TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'
import { EmbedButton, Offer } from './offer.tsx'

export const SalesLionPage = ({ text }: { text: SalesLionText }) => {
  const { links, calls } = useSiteContent()
  const { salesCall, salesPricing } = links
  return (
    <>
      <PageHero
        tone="ink"
        heading={text.heading}
        lead={text.lead}
        side={
          <Picture name="sales-lion" alt="A telephone, a diary and a counter bell" width={640} height={480} isFirst />
        }
      >
        <div className="acts">
          <EmbedButton
            text={text.call}
            address={salesCall}
            isOwnCalendar={!salesCall && calls.sales !== undefined}
            look="hivis"
            icon="phone"
          />
          {salesPricing && <EmbedButton text={text.pricing} address={salesPricing} look="bare" />}
        </div>
      </PageHero>
      <PageSection section={text.features}>
        <div className="spread">
          <TickList items={text.features.list} />
        </div>
      </PageSection>
      {(links.salesDemoVideo || links.salesCaseVideo) && (
        <PageSection section={text.videos} follows>
          <Videos text={text.videos} />
        </PageSection>
      )}
      {links.salesTrainingVideos.length > 0 && (
        <PageSection section={text.training} isOnInk>
          <Training text={text.training} />
        </PageSection>
      )}
      <PageSection section={text.offer}>
        <Offer text={text} />
      </PageSection>
    </>
  )
}

export const Videos = ({ text }: { text: SalesLionText['videos'] }) => {
  const { salesDemoVideo, salesCaseVideo } = useSiteContent().links
  const { demo, caseStudy, play } = text
  return (
    <div className="pair">
      {salesDemoVideo && (
        <div className="stack">
          <h3>{demo.title}</h3>
          <p>{demo.text}</p>
          <ClickToLoad
            address={salesDemoVideo}
            title="Demo video"
            action={play}
            picture={<Picture name="video-demo" alt="A job moving along the job board" width={1280} height={720} />}
          />
        </div>
      )}
      {salesCaseVideo && (
        <div className="stack">
          <h3>{caseStudy.title}</h3>
          <p>{caseStudy.text}</p>
          <ClickToLoad
            address={salesCaseVideo}
            title="Case-study video"
            action={play}
            picture={<Picture name="video-case" alt="Five brick piers, each higher" width={1280} height={720} />}
          />
        </div>
      )}
    </div>
  )
}

/** The training videos by number, including those without a text yet. */
export const Training = ({ text }: { text: SalesLionText['training'] }) => {
  const { salesTrainingVideos: addresses } = useSiteContent().links
  return (
    <div className="spread">
      <StepList>
        {addresses.map((address, index) => {
          const title = text.list[index]?.title ?? `Training video ${index + 1}`
          return (
            <li key={address}>
              <h3>{title}</h3>
              <div className="stack">
                <p>{text.list[index]?.text}</p>
                <ClickToLoad address={address} title={title} action={text.play} />
              </div>
            </li>
          )
        })}
      </StepList>
    </div>
  )
}
