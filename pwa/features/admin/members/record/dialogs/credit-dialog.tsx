import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { AnsweredCredit, type MemberCredit } from '#shared/contract/accounting.ts'
import type { CreditAnswer } from '#shared/rules/credit.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

type Props = { credit: MemberCredit; answer: CreditAnswer; name: string; onClose: () => void }

export function CreditDialog({ credit: { id, amount, counts }, answer, name, onClose }: Props) {
  const sum = formatPoundsAndPence(amount)
  const action = useAdminAction({
    schema: AnsweredCredit,
    send: () => api.api.admin.credits({ id }).answer.post({ answer, dryRun: false }),
    failure: 'We couldn’t save your answer',
    done: ({ documents }) => ({
      title: `${sum} counts as ${answer}`,
      description: documents.length === 0 ? name : `New VAT invoice: ${documents.join(', ')}`,
    }),
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Count ${name}’s ${sum} credit as ${answer}?`}
      button={`Count as ${answer}`}
      busy="Saving…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>{meanings[answer]}</p>
      {counts !== answer && <p>{changes}</p>}
    </ActionDialog>
  )
}

const meanings: Record<CreditAnswer, string> = {
  money: 'They paid it to you, so it pays for their membership like a card. Invoices are for the whole price.',
  goodwill: 'You gave it to them, so it’s a discount. Invoices are for what’s left to pay.',
}

const changes = 'If it’s been used already, we’ll credit that invoice, issue a new one and correct the commission.'
