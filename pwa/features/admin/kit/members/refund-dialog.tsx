import { useState } from 'react'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useDraft } from '#pwa/features/admin/kit/forms/use-draft.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { CheckField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { type MemberPayment, type MemberRecord, PaymentRefund } from '#shared/contract/member-record.ts'
import { GuaranteeRefund } from '#shared/contract/members.ts'
import { noteOn } from '#shared/rules/credit-note.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { unusedText } from '#shared/rules/paid-months.ts'
import { priceText } from '#shared/rules/payment-words.ts'
import { plural } from '#shared/rules/plural.ts'
import type { DialogProps } from './member-page-texts.ts'

/** Pounds as typed → pence; null if it isn’t an amount. */
function penceOf(typed: string): number | null {
  const text = typed.trim().replace(/^£/, '')
  return /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null
}

type Props = DialogProps & { payment: MemberPayment }

/** The days or months they haven’t used. Owners may give back another sum. */
function proposalOf({ unused, coolingOff }: MemberPayment): string {
  const proposed = coolingOff ?? unused
  return proposed === undefined ? '' : (proposed.amount / 100).toFixed(2)
}

function amountHint({ refundable, unused, coolingOff }: MemberPayment): string {
  const most = `Up to ${formatPoundsAndPence(refundable)}, all that’s left of this payment.`
  if (coolingOff !== undefined) {
    const { days, of, amount, until } = coolingOff
    return `${formatPoundsAndPence(amount)} is for the ${days} of ${plural(of, 'day')} they haven’t used. You owe them this if they cancel by ${formatLongDate(until)}. ${most}`
  }
  return unused === undefined ? most : `${unusedText(unused)}. ${most}`
}

function useRefund({ record, name, onClose, payment }: Props) {
  const [values, setValues] = useState({ amount: proposalOf(payment), reason: '', ends: '', wish: newKey() })
  const [isChecked, setChecked] = useState(false)
  const amount = penceOf(values.amount)
  const hasReason = values.reason.trim() !== ''
  const action = useAdminAction({
    schema: PaymentRefund,
    send: (pence: number) =>
      api.api.admin.members({ memberId: record.member.id }).refund.post({
        id: values.wish,
        paymentId: payment.paymentId,
        amount: pence,
        reason: values.reason,
        endsMembership: values.ends === 'on',
      }),
    failure: 'The refund didn’t go through',
    done: ({ refunded }) => ({
      title: 'Refund sent',
      description: `You’ve refunded ${name} ${formatPoundsAndPence(refunded)} of this payment.`,
    }),
    onDone: onClose,
  })
  const submit = () => {
    setChecked(true)
    if (amount && !isTooMuch && hasReason) action.mutate(amount)
  }
  const changeTyped = (typed: Partial<typeof values>) => {
    setChecked(false)
    setValues({ ...values, ...typed })
  }
  // Only a new amount gets a new idempotency key: retrying with another reason mustn’t refund twice.
  const changeAmount = (typed: string) => changeTyped({ amount: typed, wish: newKey() })
  const isTooMuch = amount !== null && amount > payment.refundable
  const problems = {
    amount: amountProblem(isTooMuch, isChecked && !amount, payment),
    reason: isChecked && !hasReason ? 'Reason is required' : undefined,
  }
  return { values, changeTyped, changeAmount, amount: isTooMuch ? null : amount, problems, action, submit }
}

function amountProblem(isTooMuch: boolean, isMissing: boolean, { refundable }: MemberPayment): string | undefined {
  if (isTooMuch) return `You can refund up to ${formatPoundsAndPence(refundable)} of this payment.`
  return isMissing ? 'Enter an amount in pounds, such as 50.00.' : undefined
}

export function RefundDialog(props: Props) {
  const { record, name, onClose, payment } = props
  const { values, changeTyped, changeAmount, amount, problems, action, submit } = useRefund(props)
  return (
    <ActionDialog
      title={`Refund ${name}?`}
      button={amount ? `Refund ${formatPoundsAndPence(amount)}` : 'Refund'}
      busy="Refunding…"
      isBad
      fields={['amount', 'reason']}
      action={action}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label={<RequiredLabel label="Amount with VAT (£)" />}
        inputMode="decimal"
        autoComplete="off"
        required
        hint={amountHint(payment)}
        value={values.amount}
        error={problems.amount ?? fieldProblem(action.error, 'amount')}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => changeAmount(target.value)}
      />
      <ReasonField
        value={values.reason}
        error={problems.reason ?? fieldProblem(action.error, 'reason')}
        onChange={(reason) => changeTyped({ reason })}
      />
      {isLive(record.billing.status) && (
        <CheckField
          label="Cancel the membership now too"
          checked={values.ends === 'on'}
          onChange={({ target }) => changeTyped({ ends: target.checked ? 'on' : '' })}
        />
      )}
      <p>{refundText(payment, amount, values.ends === 'on')} You can’t undo a refund.</p>
    </ActionDialog>
  )
}

function refundText(payment: MemberPayment, amount: number | null, ends: boolean): string {
  const { net, vat, total, refundable, noted } = payment
  if (!amount || amount > refundable) return 'We’ll email them about the refund, with a credit note.'
  const invoice = noted ?? { net, vat, gross: total, lines: [], notes: [] }
  const part = noteOn(invoice, invoice.notes, { amount, lines: null })
  const access = ends ? 'Their membership and access end straight away.' : 'They keep their access.'
  return `${priceText({ net: part.net, vat: part.vat, total: part.gross })} goes back to the card or account they paid from. We’ll email them, with a credit note. The commission on it comes off what you owe. ${access}`
}

type GuaranteeProps = DialogProps & { guarantee: NonNullable<MemberRecord['guarantee']> }

/** The 14-day guarantee: a full refund, which also ends the membership. */
export function GuaranteeDialog({ record, name, onClose, guarantee }: GuaranteeProps) {
  const { values, change, finish } = useDraft(`guarantee:${record.member.id}`, { reason: '' }, onClose)
  const [isChecked, setChecked] = useState(false)
  const action = useAdminAction({
    schema: GuaranteeRefund,
    send: () => api.api.admin.members({ memberId: record.member.id }).refund.post({ reason: values.reason }),
    failure: 'The refund didn’t go through',
    done: ({ refunded }) => ({ title: 'Refund sent', description: `${name}: ${formatPoundsAndPence(refunded)}` }),
    onDone: finish,
  })
  return (
    <ActionDialog
      title={`Refund ${name} under the guarantee?`}
      button={`Refund ${formatPoundsAndPence(guarantee.refundable)} and end membership`}
      busy="Refunding…"
      isBad
      action={action}
      onClose={onClose}
      onSubmit={() => {
        setChecked(true)
        if (values.reason.trim() !== '') action.mutate()
      }}
    >
      <p>
        We’ll refund everything they’ve paid, {formatPoundsAndPence(guarantee.refundable)} with VAT, and email them,
        with a credit note. Their membership and access end straight away. The guarantee runs until{' '}
        {formatLongDate(guarantee.endsOn)}. You can’t undo a refund.
      </p>
      <ReasonField
        value={values.reason}
        error={isChecked && values.reason.trim() === '' ? 'Reason is required' : fieldProblem(action.error, 'reason')}
        onChange={(reason) => change({ reason })}
      />
    </ActionDialog>
  )
}

type ReasonProps = { value: string; error: string | undefined; onChange: (reason: string) => void }

const ReasonField = ({ value, error, onChange }: ReasonProps) => (
  <TextAreaField
    label={<RequiredLabel label="Reason" />}
    maxLength={500}
    required
    hint="It’s kept with their activity."
    value={value}
    error={error}
    onChange={({ target }) => onChange(target.value)}
  />
)
