import { useState } from 'react'
import { AgreedLines, type CallOfMember } from '#pwa/features/admin/kit/commitments/agreed-lines.tsx'
import { readOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextAreaField } from '#pwa/ui/field.tsx'
import { agreementLength, CallAgreementRequest } from '#shared/contract/calendar.ts'
import { CallAgreement } from '#shared/contract/member-calls.ts'
import './inbox.css'

const valuesOf = ({ agreed, version }: CallAgreement) => ({ agreed: agreed ?? '', version: String(version) })
const textOf = ({ agreed }: Pick<CallAgreement, 'agreed'>) => agreed ?? 'Nothing'

type Props = {
  agreement: CallAgreement
  /** The call, if it was a member's: lines of the note can be suggested to them. */
  call?: CallOfMember | null
}

/** Notes of what was agreed in a call. The member sees them on their own page and can edit them too. */
export function AgreedPart({ agreement, call = null }: Props) {
  const { id, agreed, by } = agreement
  const draft = `agreed:${id}`
  const [isEditing, setEditing] = useState(() => readOwnerDraft(draft) !== null)
  if (!isEditing)
    return (
      <>
        {agreed !== null && call !== null ? (
          <AgreedLines call={call} agreed={agreed} />
        ) : (
          <span className="entry__words">{agreed ?? 'Nothing written down yet.'}</span>
        )}
        {agreed !== null && <small> Written by {by === 'member' ? 'the member' : 'a coach'}.</small>}{' '}
        <Button isSmall look="line" icon="pencil" onClick={() => setEditing(true)}>
          {agreed === null ? 'Write what was agreed' : 'Change what was agreed'}
        </Button>
      </>
    )
  return (
    <RowForm
      label="What was agreed"
      className="fields"
      draft={draft}
      schema={CallAgreementRequest}
      read={({ agreed: typed, version }) => ({ agreed: typed, version: Number(version) })}
      row={CallAgreement}
      begin={() => valuesOf(agreement)}
      valuesOf={valuesOf}
      send={(request, { version }) => api.api.admin.calendar.calls({ id }).agreed.put({ ...request, version })}
      failure="We couldn’t save what was agreed."
      done={() => ({ title: 'Saved', description: 'The member can see it on their page.' })}
      compared={[['What was agreed', textOf]]}
      submit="Save"
      cancel="Leave it"
      onClose={() => setEditing(false)}
    >
      {({ values, errors }) => (
        <TextAreaField
          label="What was agreed, who’s doing it and by when"
          name="agreed"
          maxLength={agreementLength}
          hint="The member can read and change it on their page."
          defaultValue={values.agreed}
          error={errors.agreed}
        />
      )}
    </RowForm>
  )
}
