import { useState } from 'react'
import { readOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { setUpText } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { AdminQuotientOrder, SetUpRequest } from '#shared/contract/quotient.ts'

const valuesOf = ({ setUpOn, version }: AdminQuotientOrder) => ({ setUpOn: setUpOn ?? '', version: String(version) })

/** Owners enter it, since we can’t see the buyer’s system. */
export function SetUpPart({ order }: { order: AdminQuotientOrder }) {
  const draft = `set-up:${order.id}`
  const [isEditing, setEditing] = useState(() => readOwnerDraft(draft) !== null)
  if (!isEditing)
    return (
      <>
        {setUpText(order)}{' '}
        <Button isSmall look="line" icon="pencil" onClick={() => setEditing(true)}>
          Change the setup
        </Button>
      </>
    )
  return (
    <RowForm
      label="Setup"
      className="fields"
      draft={draft}
      schema={SetUpRequest}
      read={({ setUpOn }) => ({ setUpOn: setUpOn || null })}
      row={AdminQuotientOrder}
      begin={() => valuesOf(order)}
      valuesOf={valuesOf}
      send={(request, { version }) => api.api.admin['quotient-orders']({ id: order.id }).patch({ ...request, version })}
      failure="We couldn’t save the setup."
      done={(saved) => ({ title: 'Order saved', description: setUpText(saved) })}
      compared={[['Setup', setUpText]]}
      submit="Save the setup"
      cancel="Leave it"
      onClose={() => setEditing(false)}
    >
      {({ values, errors }) => (
        <DateField
          label="Set up on"
          name="setUpOn"
          missingYear="last"
          hint="Leave it empty if it’s not done yet."
          defaultValue={values.setUpOn}
          error={errors.setUpOn}
        />
      )}
    </RowForm>
  )
}
