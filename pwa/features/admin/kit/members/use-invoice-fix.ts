import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { FixInvoicesResponse, type FixInvoicesResult } from '#shared/contract/invoices.ts'

const fixCall = api.api.admin['fix-member-invoices']

export const planInvoiceFix = () => parseResponse(FixInvoicesResponse, fixCall.post({ dryRun: true }))

export const isProblem = ({ status }: FixInvoicesResult) => status !== 'vat_invoice_created'

/** One member per request, so the owner sees progress and can stop at any point. */
export function useInvoiceFix(plan: FixInvoicesResponse | undefined) {
  const toast = useToast()
  const renew = useAdminRenewal()
  const [fixed, setFixed] = useState(0)
  const isStopped = useRef(false)
  const due = plan?.results.filter((result) => !isProblem(result) && result.created > 0) ?? []
  const mutation = useMutation({
    mutationFn: async () => {
      const results = plan?.results.filter(isProblem) ?? []
      for (const [index, { memberId }] of due.entries()) {
        if (isStopped.current) break
        setFixed(index)
        const response = await parseResponse(FixInvoicesResponse, fixCall.post({ memberId, dryRun: false }))
        results.push(...response.results)
      }
      return results
    },
    onSuccess: (results) => toast(outcomeOf(results)),
    onSettled: renew,
  })
  return {
    ...mutation,
    due,
    fixed,
    problem: mutation.error && messageOf(mutation.error, 'Failed to fix member invoices'),
    stop: () => {
      isStopped.current = true
    },
  }
}

function outcomeOf(results: readonly FixInvoicesResult[]) {
  const created = results.reduce((sum, result) => sum + result.created, 0)
  const problems = results.filter(isProblem).length
  return {
    title: `${created} ${created === 1 ? 'VAT invoice' : 'VAT invoices'} created`,
    description: `${problems} ${problems === 1 ? 'member' : 'members'} with payment-provider issues`,
  }
}
