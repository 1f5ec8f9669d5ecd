import { useState } from 'react'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { CheckField, TextField } from '#pwa/ui/field.tsx'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { isLive } from '#shared/rules/membership.ts'
import { ActionDialog, fieldProblem } from './action-dialog.tsx'
import type { DialogProps } from './subscription-section.tsx'
import { useDraft } from './use-draft.ts'

/** Access for nothing, until a day or for good. */
export function FreeAccessDialog({ record, name, onClose }: DialogProps) {
  const initial = { until: '', noEnd: '' }
  const { values, change, finish } = useDraft(`free-access:${record.member.id}`, initial, onClose)
  const hasNoEnd = values.noEnd === 'on'
  const [isMissing, setMissing] = useState(false)
  const action = useAdminAction({
    schema: AdminMemberDetail,
    send: (until: string | null) => api.api.admin.members({ memberId: record.member.id })['free-access'].put({ until }),
    failure: 'Free access could not be saved',
    done: { title: 'Free access given', description: name },
    onDone: finish,
  })
  const submit = () => {
    setMissing(!hasNoEnd && values.until === '')
    if (hasNoEnd || values.until !== '') action.mutate(hasNoEnd ? null : values.until)
  }
  return (
    <ActionDialog
      title={`Give ${name} free access?`}
      button="Give free access"
      busy="Saving…"
      {...{ action, onClose }}
      onSubmit={submit}
    >
      <p>
        They can use the videos and the community without paying.{' '}
        {isLive(record.billing.status) &&
          'Their membership and its payments carry on. If they should not pay, cancel it or give a free month.'}
      </p>
      {!hasNoEnd && (
        <TextField
          label="Last day"
          type="date"
          required
          value={values.until}
          error={isMissing ? 'Please choose the last day.' : fieldProblem(action.error, 'until')}
          onChange={({ target }) => change({ until: target.value })}
        />
      )}
      <CheckField
        label="No end"
        checked={hasNoEnd}
        onChange={({ target }) => change({ noEnd: target.checked ? 'on' : '' })}
      />
    </ActionDialog>
  )
}

export function EndFreeAccessDialog({ record, name, onClose }: DialogProps) {
  const action = useAdminAction({
    schema: AdminMemberDetail,
    send: () => api.api.admin.members({ memberId: record.member.id })['free-access'].delete(),
    failure: 'Free access could not be ended',
    done: { title: 'Free access ended', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`End the free access of ${name}?`}
      button="End it now"
      busy="Ending…"
      keep="Keep it"
      isBad
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>From now on they need a paid membership to get in. No money moves.</p>
    </ActionDialog>
  )
}
