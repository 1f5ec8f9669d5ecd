import { lazy, Suspense, useState } from 'react'
import { useAddressedDialogs } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import type { DialogProps } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { AccessDialog } from '#pwa/features/admin/members/access-dialog.tsx'
import { RemoveDialog } from '#pwa/features/admin/members/remove-dialog.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { PasswordLinkDialog } from './lists.tsx'
import { listActions } from './subscription.tsx'

const RefundDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/refund-dialog.tsx')).then((file) => ({
    default: file.RefundDialog,
  })),
)

/** What Find asks who for, with what's said where it can't be done. */
const impossible = {
  refund: 'There’s nothing to refund',
  'free-month': 'They can’t have a free month right now',
  tier: 'Their tier can’t change right now',
  cancel: 'There’s no membership to cancel',
  resume: 'There’s no membership to resume',
  'free-access': 'Owners always have access',
  card: 'There’s no card to replace',
  access: 'Owners always have access',
  remove: 'An owner can’t be removed here',
  password: 'We can’t email them',
} as const

type Asked = keyof typeof impossible
const isAsked = (name: unknown): name is Asked => typeof name === 'string' && name in impossible

/** The dialog that Find asked who for. */
export function AskedDialog(props: Omit<DialogProps, 'onClose'>) {
  const { opened, show } = useAddressedDialogs()
  return isAsked(opened) ? <Chosen key={opened} asked={opened} {...props} onClose={() => show(undefined)} /> : null
}

function Chosen({ asked, ...props }: DialogProps & { asked: Asked }) {
  // As it was when they asked: once it's done it couldn't be done again.
  const [found] = useState(() => ({ Dialog: dialogFor(asked, props) ?? Impossible }))
  return (
    <Suspense>
      <found.Dialog {...props} asked={asked} />
    </Suspense>
  )
}

function dialogFor(asked: Asked, { record }: DialogProps) {
  if (asked === 'password') return record.member.mailRefused === null ? PasswordLinkDialog : undefined
  if (record.member.isAdmin) return undefined
  if (asked === 'refund') return newestRefundable(record) && NewestRefund
  if (asked === 'access') return AccessOf
  if (asked === 'remove') return RemovalOf
  return listActions(record).find(({ ask, isShown }) => ask === asked && isShown)?.Dialog
}

const newestRefundable = ({ payments }: DialogProps['record']) => payments.find(({ refundable }) => refundable > 0)

function NewestRefund(props: DialogProps) {
  const [{ paymentId }] = useState(() => newestRefundable(props.record) ?? { paymentId: '' })
  const payment = props.record.payments.find((one) => one.paymentId === paymentId)
  return payment && <RefundDialog {...props} payment={payment} />
}

const AccessOf = ({ record, onClose }: DialogProps) => <AccessDialog member={record.member} onClose={onClose} />
const RemovalOf = ({ record, onClose }: DialogProps) => <RemoveDialog member={record.member} onClose={onClose} />

const Impossible = ({ asked, record: { member }, name, onClose }: DialogProps & { asked: Asked }) => (
  <Dialog isOpen onClose={onClose} title={impossible[asked]}>
    <p>
      {asked === 'password'
        ? `${member.email}: ${member.mailRefused}`
        : member.isAdmin
          ? `${name} is an owner.`
          : `${name} sees: “${member.stateLine}”`}
    </p>
  </Dialog>
)
