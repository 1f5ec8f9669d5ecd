import { useElements, useStripe } from '@stripe/react-stripe-js'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useState } from 'react'
import * as v from 'valibot'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'
import { loadOwnApi } from '#pwa/features/payment/queries.ts'
import { useSinglePayment } from '#pwa/features/payment/use-single-payment.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { isOffline, RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { BillingAddress, BillingAddressResponse } from '#shared/contract/billing.ts'
import { messagesByField, RequiredText } from '#shared/contract/fields.ts'
import { type Confirmation, confirmCard } from './queries.ts'

const PayerForm = v.object({ holder: RequiredText('Name on card'), ...BillingAddress.entries })
const ConsentingForm = v.object({
  ...PayerForm.entries,
  consent: v.literal('on', 'Tick the box to carry on.'),
})

type PayerErrors = Partial<Record<keyof typeof ConsentingForm.entries, string>>

export type PaymentRejection = { message: string; isDeclined: boolean }

export type PaymentTexts = {
  rejectedTitle: string
  rejectedMessage: string
  errorToast: { title: string; description: string }
}

export const membershipTexts: PaymentTexts = {
  rejectedTitle: 'Payment Setup Failed',
  rejectedMessage: 'Payment processing failed. Please try again.',
  errorToast: { title: 'Payment Error', description: 'Payment processing failed. Please try again.' },
}

export type PaymentDetails = {
  clientSecret: string
  returnPath: string
  /** The payer's address, if Stripe should have it. */
  email?: string | undefined
  /** Our invoice needs the address, so we save it before charging the card. By default we save it for the logged-in person. */
  saveAddress: ((address: BillingAddress) => Promise<void>) | undefined
}

type Options = PaymentDetails & {
  asksConsent: boolean
  texts: PaymentTexts
  initialRejection: PaymentRejection | null
  onBusy: ((isBusy: boolean) => void) | undefined
  onConfirmed: () => void | Promise<void>
}

/** The form around the card: checked here and by Stripe, and sent once however often it's submitted. */
export function useCardPayment(options: Options) {
  const { asksConsent, texts, initialRejection, onBusy, onConfirmed, ...details } = options
  const toast = useToast()
  const [errors, setErrors] = useState<PayerErrors>({})
  const [rejection, setRejection] = useState(initialRejection)
  const [hasNoSignal, setNoSignal] = useState(false)
  const { isPaying, payOnce } = useSinglePayment(onBusy)
  const pay = usePay(details, asksConsent ? ConsentingForm : PayerForm, setErrors)

  const payAndReport = async (form: HTMLFormElement) => {
    setNoSignal(false)
    try {
      const result = await pay(form)
      // Busy until the page shows what came of it: a button that's free again asks for a second press.
      if (result.kind === 'confirmed') return await onConfirmed()
      if (result.kind === 'invalid') return
      const message = result.message ?? texts.rejectedMessage
      setRejection({ message, isDeclined: result.isDeclined })
      toast({ title: texts.rejectedTitle, description: message, tone: 'bad' })
    } catch (error) {
      if (error instanceof RequestError) setErrors(error.fields)
      // Only our own requests fail this way, and they come before the charge.
      setNoSignal(isOffline(error))
      toast({ ...texts.errorToast, tone: 'bad' })
    }
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    payOnce(() => payAndReport(form))
  }
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    if (isControl(target)) setErrors((shown) => ({ ...shown, [target.name]: undefined }))
  }
  return { form: { onSubmit, onInput, noValidate: true }, errors, rejection, hasNoSignal, isPaying }
}

function usePay(
  details: PaymentDetails,
  schema: typeof PayerForm | typeof ConsentingForm,
  showErrors: (errors: PayerErrors) => void,
) {
  const stripe = useStripe()
  const elements = useElements()
  const queryClient = useQueryClient()
  return async (form: HTMLFormElement): Promise<Confirmation> => {
    if (!stripe || !elements) return { kind: 'invalid' }
    const card = await elements.submit()
    const read = v.safeParse(schema, valuesOf(form))
    const errors = read.success ? {} : messagesByField(read.issues)
    showErrors(errors)
    if (!read.success) focusFirstError(form, errors, card.error !== undefined)
    if (!read.success || card.error) return { kind: 'invalid' }
    const { holder, ...address } = v.parse(PayerForm, read.output)
    const { clientSecret, returnPath, email, saveAddress = saveOwnAddress(queryClient) } = details
    await saveAddress(address)
    const returnUrl = window.location.origin + returnPath
    return confirmCard({ stripe, elements }, { clientSecret, holder, address, email, returnUrl })
  }
}

const saveOwnAddress = (queryClient: QueryClient) => async (address: BillingAddress) => {
  const { api } = await loadOwnApi(queryClient)
  await parseResponse(BillingAddress, api.api.billing.address.put(address))
}

/**
 * The address the person gave before: saved by an earlier attempt that ended on the bank's page, or in an earlier membership. Keeps
 * anything typed before it arrives.
 */
export function useAddressOnFile(form: RefObject<HTMLFormElement | null>, isWanted: boolean) {
  const queryClient = useQueryClient()
  const { data } = useQuery({
    queryKey: ['address-on-file'],
    queryFn: async () => {
      const { api } = await loadOwnApi(queryClient)
      return (await parseResponse(BillingAddressResponse, api.api.billing.address.get())).address
    },
    enabled: isWanted,
    gcTime: 0,
  })
  const [address, setAddress] = useState<BillingAddress>()
  useEffect(() => {
    if (data && form.current && !hasAddress(form.current)) setAddress(data)
  }, [data, form])
  return address
}

function hasAddress(form: HTMLFormElement): boolean {
  const values = new FormData(form)
  return ['line1', 'line2', 'town', 'postcode'].some((name) => values.get(name))
}

function valuesOf(form: HTMLFormElement) {
  const values = new FormData(form)
  return { ...Object.fromEntries(values), line2: values.get('line2') || undefined, consent: values.get('consent') }
}

/** Stripe's form focuses its own first error. Of our fields only the name comes before it on the page. */
function focusFirstError(form: HTMLFormElement, errors: PayerErrors, hasCardError: boolean) {
  const invalid = [...form.elements].filter(isControl).filter(({ name }) => Object.hasOwn(errors, name))
  const first = hasCardError ? invalid.find(({ name }) => name === 'holder') : invalid[0]
  first?.focus()
}
