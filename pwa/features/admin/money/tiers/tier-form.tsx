import { choiceField, type FormPart, formOf, lineField, textField } from '#pwa/features/admin/kit/forms/form-parts.tsx'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { AdminTier, TierRequest } from '#shared/contract/admin-tier.ts'
import { visibilityLabels } from './tier-texts.ts'

/** All features share one text area, so an error in any of them goes there. */
const lineError = (errors: FieldErrors) =>
  errors.features ?? Object.entries(errors).find(([name]) => name.startsWith('features.'))?.[1]

const features = textField('features', 'What they get', {
  rows: 6,
  required: true,
  hint: 'One per line. Put ** around words to make them bold.',
})

const featuresPart: FormPart<Pick<AdminTier, 'features'>> = {
  ...features,
  draw: ({ values, errors }) => features.draw({ values, errors: { ...errors, features: lineError(errors) } }),
  fill: (tier) => ({ features: tier.features.join('\n') }),
  read: (typed) => ({ features: (typed.features ?? '').split(/\r?\n/).filter((line) => line.trim() !== '') }),
  text: (tier) => tier.features.join('\n'),
}

const { draw, ...form } = formOf<Pick<AdminTier, 'features'>>([
  lineField('name', 'Name', { required: true }),
  lineField('description', 'Description', { required: true }),
  featuresPart,
  choiceField('visibility', 'Who sees it', visibilityLabels, { hint: 'Members keep a tier that’s no longer on sale.' }),
])

export const TierFormDialog = ({ tier, onClose }: { tier: AdminTier; onClose: () => void }) => (
  <Dialog isOpen isWide onClose={onClose} title={`Edit: ${tier.name}`}>
    <RowForm
      label="Tier"
      className="fields"
      draft={`tier-${tier.slug}`}
      schema={TierRequest}
      row={AdminTier}
      {...form}
      begin={() => form.valuesOf(tier)}
      send={(request, { version }) => api.api.admin.tiers({ tier: tier.slug }).patch({ ...request, version })}
      failure="We couldn’t save the tier."
      done={({ name }) => ({ title: 'Tier saved', description: `${name} is on the site now.` })}
      submit="Save tier"
      cancel="Cancel"
      onClose={onClose}
    >
      {draw}
    </RowForm>
  </Dialog>
)
