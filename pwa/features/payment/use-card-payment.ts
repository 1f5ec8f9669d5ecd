import { useElements, useStripe } from '@stripe/react-stripe-js'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { ask } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { BillingAddress } from '#shared/contract/billing.ts'
import { RequiredText } from '#shared/contract/fields.ts'
import { confirmCard, type Outcome } from './confirm.ts'
import { ownApi } from './own-api.ts'
import { usePayOnce } from './use-pay-once.ts'

/** What is asked beside the card. */
const PayerForm = v.object({ holder: RequiredText('Name on card'), ...BillingAddress.entries })
const ConsentingForm = v.object({
  ...PayerForm.entries,
  consent: v.literal('on', 'Please tick the box to go on.'),
})

type PayerErrors = Partial<Record<keyof typeof ConsentingForm.entries, string>>

export type Refusal = { message: string; isDeclined: boolean }

/** What is said when the provider refuses (with its own words), and when anything else goes wrong. */
export type PaymentWords = {
  refused: string
  /** Where the provider gives no words of its own. */
  unexplained: string
  failed: { title: string; description: string }
}

export const membershipWords: PaymentWords = {
  refused: 'Payment Setup Failed',
  unexplained: 'Payment processing failed. Please try again.',
  failed: { title: 'Payment Error', description: 'Payment processing failed. Please try again.' },
}

export type Charge = {
  clientSecret: string
  /** Where the bank's page leads back to. */
  returnPath: string
  /** Of the payer, where the provider is told. */
  email?: string | undefined
  /** Our own invoice needs the address, so it is saved before the card is charged. The person's own, unless this says how. */
  saveAddress: ((address: BillingAddress) => Promise<void>) | undefined
}

type Options = Charge & {
  asksConsent: boolean
  words: PaymentWords
  before: Refusal | null
  onBusy: ((isBusy: boolean) => void) | undefined
  onPaid: () => void
}

/** The form around the card: checked here and by the provider, sent once however often it is pressed. */
export function useCardPayment({ asksConsent, words, before, onBusy, onPaid, ...charge }: Options) {
  const toast = useToast()
  const [errors, setErrors] = useState<PayerErrors>({})
  const [refusal, setRefusal] = useState(before)
  const { isPaying, payOnce } = usePayOnce(onBusy)
  const pay = usePay(charge, asksConsent ? ConsentingForm : PayerForm, setErrors)

  const payAndTell = async (form: HTMLFormElement) => {
    try {
      const outcome = await pay(form)
      if (outcome.kind === 'done') return onPaid()
      if (outcome.kind === 'invalid') return
      const message = outcome.message ?? words.unexplained
      setRefusal({ message, isDeclined: outcome.isDeclined })
      toast({ title: words.refused, description: message, tone: 'bad' })
    } catch (error) {
      if (error instanceof RequestError) setErrors(error.fields)
      toast({ ...words.failed, tone: 'bad' })
    }
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    payOnce(() => payAndTell(form))
  }
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    if (isControl(target)) setErrors((marked) => ({ ...marked, [target.name]: undefined }))
  }
  return { form: { onSubmit, onInput, noValidate: true }, errors, refusal, isPaying }
}

/** One try: both sides check first, then the address is saved and the card confirmed. */
function usePay(charge: Charge, schema: typeof PayerForm | typeof ConsentingForm, mark: (errors: PayerErrors) => void) {
  const stripe = useStripe()
  const elements = useElements()
  const queryClient = useQueryClient()
  return async (form: HTMLFormElement): Promise<Outcome> => {
    if (!stripe || !elements) return { kind: 'invalid' }
    const card = await elements.submit()
    const read = v.safeParse(schema, valuesOf(form))
    const marked = read.success ? {} : firstSentences(read.issues)
    mark(marked)
    if (!read.success) focusFirst(form, marked, card.error !== undefined)
    if (!read.success || card.error) return { kind: 'invalid' }
    const { holder, ...address } = v.parse(PayerForm, read.output)
    const { clientSecret, returnPath, email, saveAddress = saveOwn(queryClient) } = charge
    await saveAddress(address)
    const returnUrl = window.location.origin + returnPath
    return confirmCard({ stripe, elements }, { clientSecret, holder, address, email, returnUrl })
  }
}

const saveOwn = (queryClient: QueryClient) => async (address: BillingAddress) => {
  const { api } = await ownApi(queryClient)
  await ask(BillingAddress, api.api.billing.address.put(address))
}

function valuesOf(form: HTMLFormElement) {
  const values = new FormData(form)
  return { ...Object.fromEntries(values), line2: values.get('line2') || undefined, consent: values.get('consent') }
}

function firstSentences(issues: readonly v.BaseIssue<unknown>[]): PayerErrors {
  const found: Record<string, string> = {}
  for (const issue of issues) found[v.getDotPath(issue) ?? ''] ??= issue.message
  return found
}

const isControl = (element: unknown) => element instanceof HTMLInputElement || element instanceof HTMLSelectElement

/** The card form focuses its own first fault; only the name stands before it. */
function focusFirst(form: HTMLFormElement, errors: PayerErrors, isCardWrong: boolean) {
  const marked = [...form.elements].filter(isControl).filter(({ name }) => Object.hasOwn(errors, name))
  const first = isCardWrong ? marked.find(({ name }) => name === 'holder') : marked[0]
  first?.focus()
}
