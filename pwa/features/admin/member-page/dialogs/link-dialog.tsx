import { useState } from 'react'
import type { DialogProps } from '#pwa/features/admin/member-page/subscription-section.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { CardLink } from '#shared/contract/member-record.ts'
import { ReactivationLink } from '#shared/contract/reactivation.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { ActionDialog } from './action-dialog.tsx'

/** All that it needs of a member's record, so that a list can ask as well. */
type Asked = Omit<DialogProps, 'record'> & { record: { member: { id: string; email: string } } }

/** Mails the way to the card: it is the member's to type. */
export function CardLinkDialog({ record, name, onClose }: Asked) {
  const { id, email } = record.member
  const [wish] = useState(newKey)
  const action = useAdminAction({
    schema: CardLink,
    send: () =>
      api.api.admin.members({ memberId: id })['card-link'].post(undefined, { headers: { 'idempotency-key': wish } }),
    failure: 'The email could not be sent',
    done: { title: 'Email on its way', description: email },
  })
  return (
    <ActionDialog
      title={`Ask ${name} to change the card?`}
      button="Send the email"
      busy="Sending…"
      isDisabled={action.isSuccess}
      keep={action.isSuccess ? 'Done' : 'Leave it'}
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>
        {email} gets an email with the way to the card in Billing. They log in and change it there. No payment is taken.
      </p>
      {action.data && <LinkToCopy url={action.data.url} />}
    </ActionDialog>
  )
}

const obstacles = {
  already_subscribed: 'They have a membership now. The link only works once that has ended.',
  access_revoked: 'Their access is revoked. The link only works once you restore it.',
}

/** A signed link that starts the membership again, first paid when the paid month is over. */
export function ReactivationLinkDialog({ record, name, onClose }: DialogProps) {
  const { email } = record.member
  const action = useAdminAction({
    schema: ReactivationLink,
    send: () => api.api.admin['reactivation-links'].post({ email, expiresInDays: 14 }),
    failure: 'The link could not be made',
    done: { title: 'Link made', description: name },
  })
  const made = action.data
  return (
    <ActionDialog
      title={`Make a reactivation link for ${name}?`}
      button="Make the link"
      busy="Making it…"
      isDisabled={made !== undefined}
      keep={made === undefined ? 'Leave it' : 'Done'}
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>
        It opens the way back for {email} alone, with the first payment a month after the last one. It works for 14
        days; nothing is taken before they confirm. We do not email it for you: copy it and send it to them yourself.
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
  const toast = useToast()
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast({ title: 'Copied' }),
      () => toast({ title: 'Could not copy. Select the link instead.', tone: 'bad' }),
    )
  return (
    <p className="ask__link">
      <span className="num">{url}</span>
      <Button isSmall look="line" onClick={copy}>
        Copy the link
      </Button>
    </p>
  )
}
