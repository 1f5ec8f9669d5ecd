import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import * as v from 'valibot'
import { type FieldErrors, useFieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { messagesByField } from '#shared/contract/fields.ts'
import type {
  CreateQuotientPaymentRequest,
  CreateQuotientPaymentResponse,
  QuotientPackage,
} from '#shared/contract/quotient.ts'
import {
  type OrderDetails,
  type OrderRequest,
  prepareOrder,
  readDetails,
  renewKey,
  saveDetails,
  saveOrder,
} from './checkout-storage.ts'
import { type OrderProblem, problemOf, setupErrorToast } from './checkout-texts.ts'
import { createOrder, RequiredDetails, toOrder } from './queries.ts'

export type DetailsFormOptions = {
  chosen: QuotientPackage
  initialProblem: OrderProblem | null
  onCreated: (request: OrderRequest, response: CreateQuotientPaymentResponse) => void
  onPaid: (request: OrderRequest) => void
}

export function useDetailsForm({ chosen, initialProblem, ...on }: DetailsFormOptions) {
  const toast = useToast()
  const { terms } = useSiteContent()
  const [details, setDetails] = useState(readDetails)
  const { errors, showErrors, clearError } = useFieldErrors()
  const [problem, setProblem] = useState(initialProblem)
  const { create, isBusy } = useCreateOrder(on)

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const required = v.safeParse(RequiredDetails, details)
    if (!required.success) return showErrors(form, messagesByField(required.issues))
    const order = toOrder(details, chosen, terms)
    if (!order.success) return showErrors(form, toFormFields(messagesByField(order.issues)))
    setProblem(null)
    create(order.output, (error) => {
      flushSync(() => setProblem(problemOf(error)))
      toast(setupErrorToast)
      if (error instanceof RequestError) showErrors(form, toFormFields(error.fields))
    })
  }
  const change = (name: keyof OrderDetails, value: string | boolean) => {
    const changed = { ...details, [name]: value }
    setDetails(changed)
    saveDetails(changed)
    clearError(name)
  }
  return { form: { onSubmit: submit }, details, errors, change, isBusy, problem }
}

function useCreateOrder({ onCreated, onPaid }: Pick<DetailsFormOptions, 'onCreated' | 'onPaid'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: (request: OrderRequest) => createOrder(request),
  })
  // `isPending` comes with the next render, and two presses can come before that.
  const isUnderWay = useRef(false)
  const create = (wanted: CreateQuotientPaymentRequest, onRejected: (error: Error) => void) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    const request = prepareOrder(wanted)
    mutate(request, {
      onSuccess: (response) => {
        saveOrder(response)
        onCreated(request, response)
      },
      onError: (error) => {
        const code = error instanceof RequestError ? error.code : undefined
        if (code === 'already_paid') return onPaid(request)
        if (code === 'conflict' || code === 'idempotency_conflict') renewKey(request.key)
        onRejected(error)
      },
      onSettled: () => {
        isUnderWay.current = false
      },
    })
  }
  return { create, isBusy: isPending }
}

/** The request has one name, which the form splits into two fields. */
const toFormFields = ({ name, ...rest }: FieldErrors): FieldErrors => (name ? { firstName: name, ...rest } : rest)
