import { useState } from 'react'
import { BulkFailures, useBulk } from '#pwa/features/admin/list/bulk-section.tsx'
import type { Chosen } from '#pwa/features/admin/list/use-chosen.ts'
import { memberName } from '#pwa/features/admin/members/member-texts.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { MemberPayments } from '#shared/contract/commission.ts'
import { plural } from '#shared/rules/plural.ts'
import { monthName } from './payment-texts.ts'

/** Marks one month of all chosen members: the ledger only appends, so it is taken back by the other button. */
export function BulkMonths({ chosen }: { chosen: Chosen<MemberPayments> }) {
  const months = [...new Set(chosen.rows.flatMap((row) => row.monthlyPayments.map((month) => month.paymentMonth)))]
    .sort()
    .reverse()
  const [picked, setPicked] = useState<string>()
  const month = months.find((one) => one === picked) ?? months[0]
  const mark = (commissionPaid: boolean) => ({
    idOf: ({ id }: MemberPayments) => id,
    nameOf: memberName,
    send: ({ id }: MemberPayments) =>
      parseResponse(
        Done,
        api.api.admin['commission-status']({ userId: id }).patch({ commissionPaid, commissionMonth: month }),
      ),
    done: (count: number) => `Marked as ${commissionPaid ? 'paid' : 'unpaid'} for ${plural(count, 'member')}`,
  })
  const paid = useBulk(mark(true))
  const unpaid = useBulk(mark(false))
  if (month === undefined) return null
  const having = (isPaid: boolean) =>
    chosen.rows.filter(({ monthlyPayments }) =>
      monthlyPayments.some((one) => one.paymentMonth === month && one.commissionPaid === isPaid),
    )
  return (
    <>
      <SelectField label="Month" value={month} onChange={({ target }) => setPicked(target.value)}>
        {months.map((one) => (
          <option key={one} value={one}>
            {monthName(one)}
          </option>
        ))}
      </SelectField>
      {having(false).length > 0 && (
        <Button
          isSmall
          look="line"
          isBusy={paid.progress !== null}
          busyLabel={paid.progress ?? ''}
          onClick={() => void paid.run(chosen, having(false)).catch(reportError)}
        >
          Mark {having(false).length} paid
        </Button>
      )}
      {having(true).length > 0 && (
        <Button
          isSmall
          look="line"
          isBusy={unpaid.progress !== null}
          busyLabel={unpaid.progress ?? ''}
          onClick={() => void unpaid.run(chosen, having(true)).catch(reportError)}
        >
          Mark {having(true).length} unpaid
        </Button>
      )}
      <BulkFailures failures={[...paid.failures, ...unpaid.failures]} />
    </>
  )
}
