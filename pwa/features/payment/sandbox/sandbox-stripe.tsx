import { createRoot, type Root } from 'react-dom/client'
import { confirmIntent, type FormTree, retrieveIntent, type SandboxError, type SandboxResult } from './queries.ts'
import { SandboxCardForm } from './sandbox-card-form.tsx'
import {
  type CardElementOptions,
  type CardErrors,
  checkCardState,
  createCardStore,
  emptyCard,
  errorsOfRejection,
  type PaymentMethodData,
} from './sandbox-card-store.ts'

type ElementsOptions = { clientSecret?: string }

type ConfirmOptions = {
  elements?: SandboxElements
  clientSecret?: string
  confirmParams?: {
    return_url?: string
    /** A payment method on file; without it we read the card form. */
    payment_method?: string
    payment_method_data?: { billing_details?: FormTree }
  }
}

const incomplete: SandboxError = { type: 'validation_error', message: 'Check your card details.' }
const notSupported: SandboxError = {
  type: 'invalid_request_error',
  message: 'The payment sandbox can’t do this.',
}

/**
 * A `Stripe` object for the payment sandbox, with what React Stripe.js 7 looks for and what the site calls. It talks to
 * the sandbox through our own origin, in Stripe's paths, encoding and shapes.
 */
export function createSandboxStripe(publishableKey: string) {
  const confirm = async ({ elements, clientSecret, confirmParams }: ConfirmOptions): Promise<SandboxResult> => {
    const { return_url, payment_method, payment_method_data } = confirmParams ?? {}
    const secret = clientSecret ?? elements?.clientSecret ?? ''
    if (payment_method) return confirmIntent(publishableKey, secret, { return_url, payment_method })
    const method = elements?.card()?.read()
    if (!method) return { error: incomplete }
    const { type, card, name } = { card: undefined, name: undefined, ...method }
    const result = await confirmIntent(publishableKey, secret, {
      return_url,
      payment_method_data: {
        type,
        card,
        billing_details: { ...(name && { name }), ...payment_method_data?.billing_details },
      },
    })
    if ('error' in result) elements?.card()?.showRejection(result.error)
    return result
  }
  const retrieve = (clientSecret: string) => retrieveIntent(publishableKey, clientSecret)
  const refuse = async () => ({ error: notSupported })
  return {
    elements: (options: ElementsOptions = {}) => createElements(options),
    confirmPayment: async (options: ConfirmOptions) => nameIntent('paymentIntent', await confirm(options)),
    confirmSetup: async (options: ConfirmOptions) => nameIntent('setupIntent', await confirm(options)),
    retrievePaymentIntent: async (clientSecret: string) => nameIntent('paymentIntent', await retrieve(clientSecret)),
    retrieveSetupIntent: async (clientSecret: string) => nameIntent('setupIntent', await retrieve(clientSecret)),
    confirmCardPayment: refuse,
    createToken: refuse,
    createPaymentMethod: refuse,
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  }
}

/** Stripe.js returns the intent under the name of its kind. */
const nameIntent = (name: 'paymentIntent' | 'setupIntent', result: SandboxResult) =>
  'error' in result ? result : { [name]: result.intent }

type SandboxElements = ReturnType<typeof createElements>

/** Stripe's `elements` group with the one element the site uses. */
function createElements({ clientSecret = '' }: ElementsOptions) {
  let card: CardElement | null = null
  return {
    clientSecret,
    create: (_type: string, options?: CardElementOptions) => {
      card = createCardElement(options)
      return card
    },
    getElement: () => card,
    card: () => card,
    submit: async () => (card?.read() ? {} : { error: incomplete }),
    update: () => {},
    fetchUpdates: async () => ({}),
    on: () => {},
    off: () => {},
    once: () => {},
  }
}

type CardElement = ReturnType<typeof createCardElement>

/** The sandbox's payment element: a card form with the interface React Stripe.js mounts and listens to. */
function createCardElement(options: CardElementOptions = {}) {
  const store = createCardStore(options)
  const { on, off, once, emit } = createEvents()
  let root: Root | null = null
  let container: HTMLElement | null = null
  const unmount = () => {
    const unmounted = root
    root = null
    container?.remove()
    // React may still be rendering the removal of the page around it.
    queueMicrotask(() => unmounted?.unmount())
  }
  store.subscribe(() => {
    const { errors } = checkCardState(store.get())
    emit('change', { complete: Object.keys(errors).length === 0, empty: false, collapsed: false })
  })
  const emitReady = () => emit('ready')
  const element = {
    mount: (target: string | HTMLElement) => {
      container = document.createElement('div')
      const parent = typeof target === 'string' ? document.querySelector(target) : target
      parent?.append(container)
      root = createRoot(container)
      root.render(<SandboxCardForm store={store} onReady={emitReady} />)
    },
    unmount,
    destroy: unmount,
    focus: () => container?.querySelector('input')?.focus(),
    blur: () => {},
    clear: () => store.set({ text: emptyCard, errors: {} }),
    collapse: () => element,
    update: () => element,
    on: (event: string, listener: Listener) => {
      on(event, listener)
      return element
    },
    off: (event: string, listener?: Listener) => {
      off(event, listener)
      return element
    },
    once: (event: string, listener: Listener) => {
      once(event, listener)
      return element
    },
    /** The chosen payment method. Null if the card has errors, which it shows, focusing the first such field. */
    read: (): PaymentMethodData | null => {
      const { data, errors } = checkCardState(store.get())
      store.set({ errors })
      if (data === null) focusFirstError(container, errors)
      return data
    },
    showRejection: (error: SandboxError) => store.set({ errors: errorsOfRejection(error) }),
  }
  return element
}

function focusFirstError(container: HTMLElement | null, errors: CardErrors) {
  const [first] = Object.keys(errors)
  container?.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus()
}

type Listener = (event: object) => void

function createEvents() {
  const listeners = new Map<string, Set<Listener>>()
  const on = (event: string, listener: Listener) => {
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
  }
  const off = (event: string, listener?: Listener) => {
    if (listener) listeners.get(event)?.delete(listener)
    else listeners.delete(event)
  }
  return {
    on,
    off,
    once: (event: string, listener: Listener) => {
      const callOnce: Listener = (detail) => {
        off(event, callOnce)
        listener(detail)
      }
      on(event, callOnce)
    },
    emit: (event: string, detail: object = {}) => {
      for (const listener of listeners.get(event) ?? []) listener({ elementType: 'payment', ...detail })
    },
  }
}
