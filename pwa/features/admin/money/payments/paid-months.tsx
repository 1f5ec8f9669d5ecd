import { useQuery } from '@tanstack/react-query'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { mrrQuery } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { CommissionPayment, MemberPayments } from '#shared/contract/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { deletedText, monthLock, monthName, paidText } from './payment-texts.ts'

export function PaidMonths({ member }: { member: MemberPayments }) {
  const [latest, ...older] = member.monthlyPayments
  return (
    <div className="months">
      {latest && <Months member={member} months={[latest]} />}
      {older.length > 0 && (
        <details>
          <summary>{older.length === 1 ? '1 older month' : `${older.length} older months`}</summary>
          <Months member={member} months={older} />
        </details>
      )}
    </div>
  )
}

type MonthsProps = { member: MemberPayments; months: readonly CommissionPayment[] }

const Months = ({ member, months }: MonthsProps) => (
  <ul className="plain">
    {months.map((payment) => (
      <Month key={payment.id} member={member} payment={payment} />
    ))}
  </ul>
)

function Month({ member, payment }: { member: MemberPayments; payment: CommissionPayment }) {
  const about = `${nameOrEmail(member)}, ${monthName(payment.paymentMonth)}`
  const toggle = useAdminAction({
    schema: Done,
    send: (commissionPaid: boolean) =>
      api.api.admin['commission-status']({ userId: member.id }).patch({
        commissionPaid,
        commissionMonth: payment.paymentMonth,
      }),
    failure: 'Failed to update commission status',
    done: {
      title: payment.commissionPaid ? 'Commission marked as unpaid' : 'Commission marked as paid',
      description: about,
    },
  })
  const remove = useAdminAction({
    schema: Done,
    send: () => api.api.admin['commission-payments']({ id: payment.id }).delete(),
    failure: 'Failed to delete commission payment',
    done: { title: 'Commission payment deleted', description: about },
  })
  const problem = toggle.problem ?? remove.problem
  const askAndRemove = () => {
    if (remove.isPending) return
    toggle.reset()
    if (window.confirm(deleteQuestion(about, payment))) remove.mutate()
  }
  return (
    <li className="month">
      <span className="month__name">{monthName(payment.paymentMonth)}</span>
      <span className="month__sums">
        {formatPoundsAndPence(payment.membershipAmount)}
        <small>commission {formatPoundsAndPence(payment.commissionAmount)}</small>
      </span>
      <PaidToggle
        about={about}
        isPaid={payment.commissionPaid}
        text={paidText(payment, 'due since')}
        lockOn={(today) => monthLock(payment, today)}
        isBusy={toggle.isPending}
        onChange={(isPaid) => {
          remove.reset()
          toggle.mutate(isPaid)
        }}
      />
      <RowMenu name={about} items={[{ label: 'Delete commission', onPress: askAndRemove }]} />
      {problem && <Banner tone="bad" role="alert" title={problem} />}
    </li>
  )
}

const deleteQuestion = (about: string, { commissionAmount, commissionPaid }: CommissionPayment) =>
  `Delete ${formatPoundsAndPence(commissionAmount)} commission for ${about}? ${deletedText(commissionPaid)} The member’s payment isn’t affected.`

type Props = {
  about: string
  isPaid: boolean
  text?: string
  /** Why it can’t be marked as paid on that day; null if it can. */
  lockOn: (today: string) => string | null
  isBusy: boolean
  onChange: (isPaid: boolean) => void
}

/** Shows the new state only once the server has it. */
export function PaidToggle({ about, isPaid, text, lockOn, isBusy, onChange }: Props) {
  // The server’s billing day, which the sandbox can move. `RevenueCard` requests it.
  const { data: mrr } = useQuery({ ...mrrQuery, enabled: false })
  const lock = lockOn(londonDay(mrr ? new Date(mrr.lastUpdated) : new Date()))
  return (
    <CheckField
      className="paid"
      label={
        <>
          Commission paid <span className="vh">for {about}</span>
        </>
      }
      hint={lock ?? text}
      checked={isPaid}
      aria-disabled={isBusy || lock !== null || undefined}
      onChange={({ target: { checked } }) => !isBusy && lock === null && onChange(checked)}
    />
  )
}
