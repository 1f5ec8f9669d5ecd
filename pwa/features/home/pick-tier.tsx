import { TierChooser } from '#pwa/features/tiers/tier-chooser.tsx'
import { TierTerms } from '#pwa/features/tiers/tier-terms.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Job } from '#pwa/ui/job.tsx'
import type { SectionText } from '#shared/contract/texts/section.ts'

/** The tier picker, after the chalk line. */
export const PickTier = ({ text }: { text: SectionText }) => (
  <>
    <div className="chalk" />
    <Job section={text}>
      <TierChooser state={useTiers()} />
      <TierTerms />
    </Job>
  </>
)
