import { useState } from 'react'
import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { useCopy } from '#pwa/features/admin/kit/use-copy.ts'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { Button } from '#pwa/ui/button.tsx'
import { CardLink } from '#shared/contract/member-record.ts'
import { ReactivationLink } from '#shared/contract/reactivation.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { dueOf } from '#shared/rules/payment-words.ts'
import type { DialogProps } from './member-page-texts.ts'
import { cardLinkText } from './member-page-texts.ts'

/** Less than the full record, so that lists can use it too. */
type Asked = Omit<DialogProps, 'record'> & {
  record: { member: { id: string; email: string }; billing?: DialogProps['record']['billing'] }
}

/** Emails a link, because only the member may type card details. */
export function CardLinkDialog({ record, name, onClose }: Asked) {
  const { id, email } = record.member
  const open = record.billing?.openInvoice
  const [wish] = useState(newKey)
  const action = useAdminAction({
    schema: CardLink,
    send: () =>
      api.api.admin.members({ memberId: id })['card-link'].post(undefined, { headers: { 'idempotency-key': wish } }),
    failure: 'We couldn’t send the email',
    done: { title: 'Email on its way', description: email },
  })
  return (
    <ActionDialog
      title={`Ask ${name} for a new card?`}
      button="Send email"
      busy="Sending…"
      isDisabled={action.isSuccess}
      keep={action.isSuccess ? 'Done' : 'Not now'}
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>{cardLinkText(email, open && { due: dueOf(open) })}</p>
      {action.data && <LinkToCopy url={action.data.url} />}
    </ActionDialog>
  )
}

const obstacles = {
  already_subscribed: 'They’re a member now. The link won’t work until that membership ends.',
  access_revoked: 'Their access is revoked. The link won’t work until you restore it.',
}

/** The signed link restarts the membership. The first payment is due when the time they’ve paid for ends. */
export function ReactivationLinkDialog({ record, name, onClose }: DialogProps) {
  const { email } = record.member
  const action = useAdminAction({
    schema: ReactivationLink,
    send: () => api.api.admin['reactivation-links'].post({ email, expiresInDays: 14 }),
    failure: 'We couldn’t create the link',
    done: { title: 'Link created', description: name },
  })
  const made = action.data
  return (
    <ActionDialog
      title={`Create a reactivation link for ${name}?`}
      button="Create link"
      busy="Creating…"
      isDisabled={made !== undefined}
      keep={made === undefined ? 'Not now' : 'Done'}
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        Only {email} can rejoin with it, for the next 14 days. They pay a month after their last payment, and only once
        they confirm. Copy it and send it yourself: we don’t email it.
      </p>
      {made && (
        <>
          <LinkToCopy url={made.url} />
          <p className="second">It works until {formatLongDate(made.expires)}.</p>
          {made.obstacle && <p>{obstacles[made.obstacle]}</p>}
        </>
      )}
    </ActionDialog>
  )
}

function LinkToCopy({ url }: { url: string }) {
  const copy = useCopy()
  return (
    <p className="ask__link">
      <span className="num">{url}</span>
      <Button isSmall look="line" onClick={() => copy(url)}>
        Copy link
      </Button>
    </p>
  )
}
