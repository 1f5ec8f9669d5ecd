import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import * as v from 'valibot'
import { type FieldErrors, focusFirstError } from '#pwa/features/forms/use-field-errors.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { messagesByField } from '#shared/contract/fields.ts'
import type { CreateQuotientPaymentRequest, CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import type { QuotientPackage } from '#shared/contract/quotient-setups.ts'
import {
  keepDetails,
  keepOrder,
  type OrderDetails,
  type OrderRequest,
  prepareOrder,
  readDetails,
  renewOrder,
} from './checkout-draft.ts'
import { beginOrder, NeededDetails, toOrder } from './order-request.ts'
import { type Problem, problemOf, setupError } from './problems.ts'

export type DetailsForm = {
  chosen: QuotientPackage
  /** Why step 2 led back here, if it did. */
  problem: Problem | null
  onBegun: (request: OrderRequest, answer: CreateQuotientPaymentResponse) => void
  onPaid: (request: OrderRequest) => void
}

/** Step 1: what is typed is kept at once; sent, it begins the payment. */
export function useDetails({ chosen, problem: before, ...on }: DetailsForm) {
  const toast = useToast()
  const [details, setDetails] = useState(readDetails)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [problem, setProblem] = useState(before)
  const { begin, isBusy } = useBegin(on)

  const mark = (form: HTMLFormElement, found: FieldErrors) => {
    flushSync(() => setErrors(found))
    focusFirstError(form, found)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const needed = v.safeParse(NeededDetails, details)
    if (!needed.success) return mark(form, messagesByField(needed.issues))
    const order = toOrder(details, chosen)
    if (!order.success) return mark(form, ofForm(messagesByField(order.issues)))
    setProblem(null)
    begin(order.output, (error) => {
      flushSync(() => setProblem(problemOf(error)))
      toast(setupError)
      if (error instanceof RequestError) mark(form, ofForm(error.fields))
    })
  }
  const change = (name: keyof OrderDetails, value: string | boolean) => {
    const next = { ...details, [name]: value }
    setDetails(next)
    keepDetails(next)
    setErrors((marked) => ({ ...marked, [name]: undefined }))
  }
  return { form: { onSubmit: submit }, details, errors, change, isBusy, problem }
}

/** Begins the payment, once however often it is pressed. */
function useBegin({ onBegun, onPaid }: Pick<DetailsForm, 'onBegun' | 'onPaid'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: (request: OrderRequest) => beginOrder(request),
    networkMode: 'always',
  })
  // Two presses can come before the first shows.
  const isUnderWay = useRef(false)
  const begin = (wanted: CreateQuotientPaymentRequest, onRefused: (error: Error) => void) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    const request = prepareOrder(wanted)
    mutate(request, {
      onSuccess: (answer) => {
        keepOrder(answer)
        onBegun(request, answer)
      },
      onError: (error) => {
        const code = error instanceof RequestError ? error.code : undefined
        if (code === 'already_paid') return onPaid(request)
        if (code === 'conflict' || code === 'idempotency_conflict') renewOrder(request.key)
        onRefused(error)
      },
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
  return { begin, isBusy: isPending }
}

/** The joined name is typed in two fields. */
const ofForm = ({ name, ...rest }: FieldErrors): FieldErrors => (name ? { firstName: name, ...rest } : rest)
