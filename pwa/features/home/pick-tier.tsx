import { TierChooser } from '#pwa/features/tiers/tier-chooser.tsx'
import { TierTerms } from '#pwa/features/tiers/tier-terms.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'

/** The tier picker, after the chalk line. */
export const PickTier = () => (
  <>
    <div className="chalk" />
    <section className="job">
      <div className="wrap">
        <p className="job__no">Membership</p>
        <div className="job__head">
          <h2>Pick your tier</h2>
        </div>
        <div>
          <TierChooser state={useTiers()} />
          <TierTerms />
        </div>
      </div>
    </section>
  </>
)
