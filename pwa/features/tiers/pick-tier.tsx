import { PageSection } from '#pwa/ui/page-section.tsx'
import type { SectionText } from '#shared/contract/texts/parts.ts'
import { TierChooser } from './tier-chooser.tsx'
import { TierTerms } from './tier-terms.tsx'
import { useTiers } from './use-tiers.ts'

/** The tier picker, after the chalk line. */
export const PickTier = ({ text }: { text: SectionText }) => (
  <>
    <div className="chalk" />
    <PageSection section={text}>
      <TierChooser state={useTiers()} />
      <TierTerms />
    </PageSection>
  </>
)
