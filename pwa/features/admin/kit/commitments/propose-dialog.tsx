import { useState } from 'react'
import * as v from 'valibot'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useDraft } from '#pwa/features/admin/kit/forms/use-draft.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { DateField } from '#pwa/ui/date-field.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { Commitment, commitmentTextLimit } from '#shared/contract/commitments.ts'
import { Day, RequiredLine } from '#shared/contract/fields.ts'
import { dayNamed } from '#shared/rules/commitments.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import { londonDay } from '#shared/rules/london.ts'

type Props = { memberId: string; name: string; onClose: () => void }

const Text = RequiredLine('This', commitmentTextLimit)

/** A draft keeps its id, so a press after a lost answer makes no second one. */
export function ProposeDialog({ memberId, name, onClose }: Props) {
  const [today] = useState(() => londonDay(new Date()))
  const [first] = useState(() => ({
    id: uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes))),
    text: '',
    day: '',
  }))
  const { values, change, finish } = useDraft(`commitment:${memberId}`, first, onClose)
  const { id, text } = values
  const day = values.day || dayNamed(text, today)
  const action = useAdminAction({
    schema: Commitment,
    send: () => api.api.admin.members({ memberId }).commitments.post({ id, text, day, callId: null }),
    failure: 'We couldn’t suggest it.',
    done: { title: 'Suggested', description: `${name} can say yes on their phone.` },
    onDone: finish,
  })
  return (
    <ActionDialog
      title={`Suggest something to ${name}`}
      button="Suggest it"
      busy="Saving…"
      isDisabled={!v.is(Text, text) || !v.is(Day, day)}
      fields={['text', 'day']}
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>They’ll see it on their phone. Once they say yes, it’s on their list.</p>
      <TextField
        label="What could they do?"
        hint="In their words, for example: put my day rate up by Friday"
        required
        value={text}
        maxLength={commitmentTextLimit}
        error={fieldProblem(action.error, 'text')}
        onChange={({ target }) => change({ id, text: target.value })}
      />
      <DateField
        label="By when?"
        required
        value={day}
        min={today}
        error={fieldProblem(action.error, 'day')}
        onChange={(typed) => change({ id, day: typed })}
      />
    </ActionDialog>
  )
}
