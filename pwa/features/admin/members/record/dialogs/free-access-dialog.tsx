import { useState } from 'react'
import * as v from 'valibot'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useDraft } from '#pwa/features/admin/kit/forms/use-draft.ts'
import type { DialogProps } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { freeAccessText } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { type ActionCall, useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { ConflictSection } from '#pwa/features/forms/conflict.tsx'
import { api } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { DateField } from '#pwa/ui/date-field.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { FreeAccess } from '#shared/contract/member-record.ts'
import { AdminMemberDetail, unprovenGuestText } from '#shared/contract/members.ts'
import { isLive } from '#shared/rules/membership.ts'

export function FreeAccessDialog({ record, name, onClose }: DialogProps) {
  const initial = { until: '', noEnd: '', version: String(record.accessVersion) }
  const { values, change, finish } = useDraft(`free-access:${record.member.id}`, initial, onClose)
  const hasNoEnd = values.noEnd === 'on'
  const [isMissing, setMissing] = useState(false)
  const { action, theirs } = useFreeAccess({
    send: (version) =>
      api.api.admin
        .members({ memberId: record.member.id })
        ['free-access'].put({ until: hasNoEnd ? null : values.until, version }),
    failure: 'We couldn’t save free access',
    done: { title: 'Free access given', description: name },
    onDone: finish,
  })
  const submit = (version: number) => {
    setMissing(!hasNoEnd && values.until === '')
    if (hasNoEnd || values.until !== '') action.mutate(version)
  }
  return (
    <ActionDialog
      title={`Give ${name} free access?`}
      button="Give free access"
      busy="Saving…"
      fields={hasNoEnd ? [] : ['until']}
      action={action}
      onClose={onClose}
      isSettled={theirs !== null}
      onSubmit={() => submit(Number(values.version))}
    >
      <Meaning record={record} />
      {!hasNoEnd && (
        <DateField
          label="Last day"
          required
          value={values.until}
          error={isMissing ? 'Choose the last day.' : fieldProblem(action.error, 'until')}
          onChange={(until) => change({ until })}
        />
      )}
      <CheckField
        label="No end"
        checked={hasNoEnd}
        onChange={({ target }) => change({ noEnd: target.checked ? 'on' : '' })}
      />
      {theirs && (
        <AccessConflict
          mine={{ until: hasNoEnd ? null : values.until }}
          theirs={theirs}
          isBusy={action.isPending}
          onMine={() => submit(theirs.version)}
          onTheirs={finish}
        />
      )}
    </ActionDialog>
  )
}

const Meaning = ({ record: { billing, member } }: Pick<DialogProps, 'record'>) => (
  <>
    <p>
      They’ll get the videos and the community without paying.{' '}
      {isLive(billing.status) &&
        'They’ll still be charged for their membership. To stop that, cancel it or give a free month.'}
    </p>
    {!member.isEmailProven && <p>{unprovenGuestText}</p>}
  </>
)

export function EndFreeAccessDialog({ record, name, onClose }: DialogProps) {
  const [seen] = useState(record.accessVersion)
  const { action, theirs } = useFreeAccess({
    send: (version) =>
      api.api.admin.members({ memberId: record.member.id })['free-access'].delete({}, { query: { version } }),
    failure: 'We couldn’t end free access',
    done: { title: 'Free access ended', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`End ${name}’s free access?`}
      button="End free access"
      busy="Ending…"
      keep="Keep it"
      isBad
      action={action}
      onClose={onClose}
      isSettled={theirs !== null}
      onSubmit={() => action.mutate(seen)}
    >
      <p>They’ll need a paid membership to get in.</p>
      {theirs && (
        <AccessConflict
          mine={null}
          theirs={theirs}
          isBusy={action.isPending}
          onMine={() => action.mutate(theirs.version)}
          onTheirs={onClose}
        />
      )}
    </ActionDialog>
  )
}

type Change = {
  /** `version` of the access the owner saw. */
  send: (version: number) => ActionCall
  failure: string
  done: { title: string; description: string }
  onDone: () => void
}

/** `theirs`: on a conflict, what the other owner saved. */
function useFreeAccess({ send, failure, done, onDone }: Change) {
  const action = useAdminAction({ schema: AdminMemberDetail, send, failure, done, onDone })
  const { error } = action
  const current = v.safeParse(FreeAccess, error instanceof RequestError ? error.versions?.current : undefined)
  return { action, theirs: current.success ? current.output : null }
}

type ConflictProps = {
  mine: FreeAccess['freeAccess']
  theirs: FreeAccess
  isBusy: boolean
  onMine: () => void
  onTheirs: () => void
}

const AccessConflict = ({ mine, theirs, ...choice }: ConflictProps) => (
  <ConflictSection
    title="Someone else changed this while you had it open"
    differences={[{ label: 'Free access', mine: freeAccessText(mine), theirs: freeAccessText(theirs.freeAccess) }]}
    {...choice}
  />
)
