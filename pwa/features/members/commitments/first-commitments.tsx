import { useCommitments } from '#pwa/sync/commitments/status.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { openOnes, proposedOnes, shownAtFirst } from '#shared/rules/commitments.ts'
import { londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { CommitmentItem } from './commitment.tsx'
import { useCommitmentActions } from './use-commitment-actions.ts'
import './commitments.css'

/** The next ones, on the members' first screen while any is open. */
export default function FirstCommitments() {
  const shown = useCommitments()
  const isReadOnly = useIsReadOnly()
  const { touched, placed, change } = useCommitmentActions()
  if (!shown) return null
  const { all } = shown
  const byId = new Map(all.map((one) => [one.id, one]))
  const open = openOnes(all.map(placed))
  const asked = proposedOnes(all).length
  if (open.length + asked === 0) return null
  return (
    <section className="sheet commit commit__sheet commit__first" aria-labelledby="said">
      <h2 id="said" className="label">
        {open.length > 0 ? 'You said you’d do' : 'From your coach'}
      </h2>
      {open.length > 0 && (
        <ul className="commit__list">
          {open.slice(0, shownAtFirst).map(({ id }) => {
            const commitment = byId.get(id)
            return (
              commitment && (
                <CommitmentItem
                  key={id}
                  isShort
                  commitment={commitment}
                  today={londonDay(new Date())}
                  isReadOnly={isReadOnly}
                  isTouched={touched.has(id)}
                  onChange={change}
                />
              )
            )
          })}
        </ul>
      )}
      <div>
        <ButtonLink look="line" isSmall icon="arrow" to="/members/$place" params={{ place: 'commitments' }}>
          {asked > 0 ? `Your coach suggests ${plural(asked, 'thing')}` : 'See your whole list'}
        </ButtonLink>
      </div>
    </section>
  )
}
