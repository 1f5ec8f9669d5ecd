import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { Picture } from '#pwa/ui/picture.tsx'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'
import { FrameButton, Offer } from './offer-section.tsx'
import { Training, Videos } from './videos-section.tsx'

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
          <FrameButton
            text={text.call}
            address={salesCall}
            isOwnCalendar={!salesCall && calls.sales !== undefined}
            look="hivis"
            icon="phone"
          />
          {salesPricing && <FrameButton text={text.pricing} address={salesPricing} look="bare" />}
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
