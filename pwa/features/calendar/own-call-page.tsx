import { PageHero, PageSection } from '#pwa/ui/page-section.tsx'
import { callNames } from '#shared/contract/call-kind.ts'
import CallPicker from './call-picker.tsx'
import { LinkedCallPage } from './linked-call-page.tsx'

/** What our calendar's address asks for: an emailed link's call, or the free times for a visitor's call. */
export type OwnCallSearch = { call?: string; for?: 'consultation' | 'sales' }

const leads = {
  consultation: 'Talk your business through with a coach. It’s free.',
  sales: 'See if Sales Lion suits your business. It’s free.',
}

export default function OwnCallPage({ search }: { search: OwnCallSearch }) {
  if (search.call !== undefined) return <LinkedCallPage token={search.call} />
  const kind = search.for ?? 'consultation'
  return (
    <>
      <PageHero tone="blade" heading={callNames[kind]} lead={leads[kind]} />
      <PageSection section={{ name: 'Time', heading: 'Pick a day and a time' }}>
        <CallPicker kind={kind} />
      </PageSection>
    </>
  )
}
