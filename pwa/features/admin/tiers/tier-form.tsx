import { RowForm, type RowFormParts } from '#pwa/features/admin/row-form.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { AdminTier, TierRequest, tierVisibilities } from '#shared/contract/admin-tier.ts'
import { readTierForm, tierFields, valuesOfTier, visibilityLabels } from './tier-texts.ts'

export const TierFormDialog = ({ tier, onClose }: { tier: AdminTier; onClose: () => void }) => (
  <Dialog isOpen isWide onClose={onClose} title={`Edit: ${tier.name}`}>
    <RowForm
      label="Tier"
      className="fields"
      draft={`tier-${tier.slug}`}
      schema={TierRequest}
      read={readTierForm}
      row={AdminTier}
      begin={() => valuesOfTier(tier)}
      valuesOf={valuesOfTier}
      send={(request, { version }) => api.api.admin.tiers({ tier: tier.slug }).patch({ ...request, version })}
      failure="We couldn’t save the tier."
      done={({ name }) => ({ title: 'Tier saved', description: `${name} is on the site now.` })}
      compared={tierFields}
      submit="Save tier"
      cancel="Cancel"
      onClose={onClose}
    >
      {(parts) => <TierFields {...parts} />}
    </RowForm>
  </Dialog>
)

/** All features share one text area, so an error in any of them goes there. */
const lineError = (errors: FieldErrors) =>
  errors.features ?? Object.entries(errors).find(([name]) => name.startsWith('features.'))?.[1]

const TierFields = ({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) => (
  <>
    <TextField
      label={<RequiredLabel label="Name" />}
      name="name"
      required
      autoComplete="off"
      defaultValue={values.name}
      error={errors.name}
    />
    <TextField
      label={<RequiredLabel label="Description" />}
      name="description"
      required
      autoComplete="off"
      defaultValue={values.description}
      error={errors.description}
    />
    <TextAreaField
      label={<RequiredLabel label="What they get" />}
      name="features"
      rows={6}
      required
      hint="One per line. Put ** around words to make them bold."
      defaultValue={values.features}
      error={lineError(errors)}
    />
    <SelectField
      label="Who sees it"
      name="visibility"
      hint="Members keep a tier that’s no longer on sale."
      defaultValue={values.visibility}
      error={errors.visibility}
    >
      {tierVisibilities.map((visibility) => (
        <option key={visibility} value={visibility}>
          {visibilityLabels[visibility]}
        </option>
      ))}
    </SelectField>
  </>
)
