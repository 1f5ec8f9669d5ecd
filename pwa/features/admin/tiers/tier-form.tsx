import { useState } from 'react'
import { ConflictSection } from '#pwa/features/admin/conflict-section.tsx'
import { type FormValues, removeOwnerDraft } from '#pwa/features/admin/draft-storage.ts'
import { RestoredNote } from '#pwa/features/admin/restored-section.tsx'
import { useAdminForm, useFormFill, versionField } from '#pwa/features/admin/use-admin-form.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { AdminTier, TierRequest, tierVisibilities } from '#shared/contract/admin-tier.ts'
import { readTierForm, tierFields, valuesOfTier, visibilityLabels } from './tier-texts.ts'

/** The texts of one tier. Closed by its cross, what was typed comes back with the next opening. */
export function TierFormDialog({ tier, onClose }: { tier: AdminTier; onClose: () => void }) {
  const draft = `tier-${tier.slug}`
  const { attempt, typed, isRestored, fillWith } = useFormFill(draft)
  return (
    <Dialog isOpen isWide onClose={onClose} title={`Edit: ${tier.name}`}>
      {isRestored && <RestoredNote onStartAgain={() => fillWith(null)} />}
      <TierForm
        key={attempt}
        {...{ tier, draft, typed }}
        onDone={onClose}
        onCancel={() => {
          removeOwnerDraft(draft)
          onClose()
        }}
        onTheirs={(theirs) => fillWith(valuesOfTier(theirs))}
      />
    </Dialog>
  )
}

type Props = {
  tier: AdminTier
  draft: string
  /** What was typed before and never saved. */
  typed: FormValues | null
  onDone: () => void
  onCancel: () => void
  /** The other owner's version, to fill the form with. */
  onTheirs: (tier: AdminTier) => void
}

function TierForm({ tier, draft, typed, onDone, onCancel, onTheirs }: Props) {
  const [values] = useState(() => typed ?? valuesOfTier(tier))
  const { props, errors, isBusy, problem, conflict, saveMine } = useAdminForm({
    ...{ draft, schema: TierRequest, read: readTierForm, row: AdminTier },
    send: (request, version) => api.api.admin.tiers({ tier: tier.slug }).patch({ ...request, version }),
    failure: 'The tier could not be saved.',
    done: ({ name }) => ({ title: 'Tier saved', description: `${name} is on the site as you left it.` }),
    onDone,
  })
  return (
    <form {...props} className="fields" aria-label="Tier">
      <input type="hidden" name={versionField} defaultValue={values.version} />
      <TierFields values={values} errors={errors} />
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      {conflict && (
        <ConflictSection
          differences={tierFields.map(([label, text]) => ({
            label,
            mine: text(conflict.mine),
            theirs: text(conflict.theirs),
          }))}
          isBusy={isBusy}
          onMine={() => saveMine(conflict.theirs.version)}
          onTheirs={() => onTheirs(conflict.theirs)}
        />
      )}
      <div className="acts">
        <Button type="submit" isBusy={isBusy} busyLabel="Saving…">
          Save tier
        </Button>
        <Button look="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** A wrong line is told under the field that holds all lines. */
const lineError = (errors: FieldErrors) =>
  errors.features ?? Object.entries(errors).find(([name]) => name.startsWith('features.'))?.[1]

const TierFields = ({ values, errors }: { values: FormValues; errors: FieldErrors }) => (
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
      label={<RequiredLabel label="What it gives" />}
      name="features"
      rows={6}
      required
      hint="A line for each. Words between ** and ** are bold."
      defaultValue={values.features}
      error={lineError(errors)}
    />
    <SelectField
      label="Who is shown it"
      name="visibility"
      hint="Members of a tier that is not on sale keep it."
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
