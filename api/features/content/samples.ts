import type { AllContent, Claim, SiteContent } from '#shared/contract/site-content.ts'

/** With a live key nothing is claimed that came with the software as an example. */
export function leaveOutSamples(content: AllContent, isLive: boolean): AllContent {
  if (!isLive) return content
  return { ...content, site: withRealClaims(content.site) }
}

const withRealClaims = (site: SiteContent): SiteContent => {
  const { coached, rating, guarantee, founded, revenue } = site.claims
  return {
    ...site,
    claims: {
      coached: real(coached),
      rating: real(rating),
      guarantee: real(guarantee),
      founded: real(founded),
      revenue: real(revenue),
    },
  }
}

const real = (claim: Claim): Claim => ({ ...claim, isOn: claim.isOn && claim.isSample !== true })
