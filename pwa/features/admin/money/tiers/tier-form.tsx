import { useQuery } from '@tanstack/react-query'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm, type RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { AdminTier } from '#shared/contract/admin-tier.ts'
import { openPagesText } from '#shared/rules/first-new-tier.ts'
import { priceNotes } from '#shared/rules/tier-prices.ts'
import { NewTierFields, newTierRequest, newTierValues, pricesTyped, TierFields, tierForm } from './tier-fields.tsx'
import { TierSide } from './tier-side.tsx'

const noTiers: readonly AdminTier[] = []

export function TierFormDialog({ tier, onClose }: { tier: AdminTier; onClose: () => void }) {
  const { data: tiers = noTiers } = useQuery(adminTiersQuery)
  const { draw, ...form } = tierForm(tier, tiers)
  return (
    <Dialog isOpen isWide onClose={onClose} title={`Edit: ${tier.name}`}>
      <RowForm
        label="Tier"
        className="tierform"
        draft={`tier-${tier.slug}`}
        schema={TierFields}
        row={AdminTier}
        {...form}
        begin={() => form.valuesOf(tier)}
        send={(request, { version }) => api.api.admin.tiers({ tier: tier.slug }).patch({ ...request, version })}
        failure="We couldn’t save the tier."
        done={(saved) => ({ title: 'Tier saved', description: savedText(saved) })}
        submit="Save tier"
        cancel="Cancel"
        onClose={onClose}
      >
        {(parts) => <TierParts parts={parts} draw={draw} tier={tier} />}
      </RowForm>
    </Dialog>
  )
}

const savedText = ({ name, isActive, isShown }: AdminTier) =>
  isActive && isShown ? `${name} is on the site now.` : name

export function NewTierDialog({ onClose }: { onClose: () => void }) {
  const { data: tiers = noTiers } = useQuery(adminTiersQuery)
  const { draw, ...form } = tierForm(null, tiers)
  return (
    <Dialog isOpen isWide onClose={onClose} title="New tier">
      <RowForm
        label="Tier"
        className="tierform"
        draft="tier-new"
        schema={NewTierFields}
        row={AdminTier}
        {...form}
        begin={newTierValues}
        send={(fields, { key }) =>
          api.api.admin.tiers.post(newTierRequest(fields), { headers: { 'idempotency-key': key } })
        }
        failure="We couldn’t add the tier."
        done={({ name }) => ({ title: 'Tier added', description: name })}
        says={(typed) => newTierSays(typed, tiers)}
        submit="Add tier"
        cancel="Discard"
        onClose={onClose}
      >
        {(parts) => <TierParts parts={parts} draw={draw} tier={null} />}
      </RowForm>
    </Dialog>
  )
}

type PartsProps = {
  parts: RowFormParts
  draw: ReturnType<typeof tierForm>['draw']
  tier: AdminTier | null
}

const TierParts = ({ parts, draw, tier }: PartsProps) => (
  <>
    <div className="tierform__parts">{draw(parts)}</div>
    <TierSide parts={parts} tier={tier} />
  </>
)

function newTierSays(typed: FormValues, tiers: readonly AdminTier[]): string {
  const said = [...priceNotes(pricesTyped(typed)), openPagesText(tiers)]
  return said.filter((sentence) => sentence !== '').join(' ')
}
