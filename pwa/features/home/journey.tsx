import type { ReactNode } from 'react'
import { BookButton } from '#pwa/features/booking/book-button.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { PageSection } from '#pwa/ui/page-section.tsx'
import type { HomeText } from '#shared/contract/texts/home.ts'

/** The three steps, on one run of pipe. */
export const Journey = ({ text }: { text: HomeText['journey'] }) => {
  const { prices } = useSiteContent()
  const under: ReactNode[] = [
    <div key="call">
      <BookButton look="line" icon="phone" isSmall>
        Talk to a coach
      </BookButton>
    </div>,
    <LowestPrice key="price" reading={prices.lowest} />,
  ]
  return (
    <PageSection section={text} follows>
      <ol className="run">
        {text.steps.map(({ title, text }, place) => (
          <li key={title}>
            <span className="run__no" aria-hidden="true">
              {place + 1}
            </span>
            <h3>{title}</h3>
            <p>{text}</p>
            {under[place]}
          </li>
        ))}
      </ol>
    </PageSection>
  )
}

/** "from £147 + VAT per month": the price large, what is added to it small. */
const LowestPrice = ({ reading }: { reading: string }) => {
  const [price, ...rest] = reading.split(' + ')
  return (
    <p className="from">
      {price}
      {rest.length > 0 && <small> + {rest.join(' + ')}</small>}
    </p>
  )
}
