import { useSiteContent } from '#pwa/lib/site-content.tsx'

/** What stands under every list of tiers. */
export const TierTerms = () => {
  const { prices } = useSiteContent()
  return (
    <div className="under">
      <p>
        <b>{prices.guarantee}</b>
      </p>
      <p>{prices.terms}</p>
    </div>
  )
}
