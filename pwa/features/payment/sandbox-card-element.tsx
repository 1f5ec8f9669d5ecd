import { createRoot, type Root } from 'react-dom/client'
import { type Card, type CardErrors, type CardText, checkCard, errorsOfRefusal } from './sandbox-card.ts'
import { SandboxCardForm } from './sandbox-card-form.tsx'
import type { SandboxError } from './sandbox-requests.ts'

/** The part of a payment element's options that the sandbox knows. */
export type CardElementOptions = {
  /** What may be paid with, in the order of the tabs; a card alone needs no tab. */
  paymentMethodOrder?: readonly string[]
  fields?: { billingDetails?: { name?: 'auto' | 'never' } }
  defaultValues?: { billingDetails?: { name?: string } }
}

export const methodTypes = ['card', 'paypal'] as const
export type MethodType = (typeof methodTypes)[number]

export type CardState = {
  text: CardText
  errors: CardErrors
  asksName: boolean
  methods: readonly MethodType[]
  method: MethodType
}

/** What is confirmed with, as the provider's API takes it. */
export type ReadMethod = { type: 'card'; card: Card; name?: string } | { type: 'paypal' }

type Listener = (event: object) => void

/** The state of one card form, and who is told when it changes. */
function createCardStore({ fields, defaultValues, paymentMethodOrder = ['card'] }: CardElementOptions) {
  const asksName = fields?.billingDetails?.name !== 'never'
  const name = defaultValues?.billingDetails?.name ?? ''
  const methods = methodTypes.filter((type) => paymentMethodOrder.includes(type))
  const text = { name, number: '', expiry: '', code: '' }
  let state: CardState = { text, errors: {}, asksName, methods, method: methods[0] ?? 'card' }
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (change: Partial<CardState>) => {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

export type CardStore = ReturnType<typeof createCardStore>

/** Stripe's events, by name. */
function createEvents() {
  const listeners = new Map<string, Set<Listener>>()
  const off = (event: string, listener?: Listener) => {
    if (listener) listeners.get(event)?.delete(listener)
    else listeners.delete(event)
  }
  return {
    on: (event: string, listener: Listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    off,
    tell: (event: string, detail: object = {}) => {
      for (const listener of listeners.get(event) ?? []) listener({ elementType: 'payment', ...detail })
    },
  }
}

/** A payment element of the sandbox: a card form with the interface that React Stripe.js mounts and listens to. */
export function createCardElement(options: CardElementOptions = {}) {
  const store = createCardStore(options)
  const { on, off, tell } = createEvents()
  let root: Root | null = null
  let box: HTMLElement | null = null
  const unmount = () => {
    const leaving = root
    root = null
    box?.remove()
    // React may be in the middle of taking the page away around it.
    queueMicrotask(() => leaving?.unmount())
  }
  store.subscribe(() => tell('change', { complete: isComplete(store.get()), empty: false, collapsed: false }))
  const ready = () => tell('ready')
  const element = {
    mount: (place: string | HTMLElement) => {
      box = document.createElement('div')
      const around = typeof place === 'string' ? document.querySelector(place) : place
      around?.append(box)
      root = createRoot(box)
      root.render(<SandboxCardForm store={store} onReady={ready} />)
    },
    unmount,
    destroy: unmount,
    focus: () => box?.querySelector('input')?.focus(),
    blur: () => {},
    clear: () => store.set({ text: { name: '', number: '', expiry: '', code: '' }, errors: {} }),
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
      const heard: Listener = (detail) => {
        off(event, heard)
        listener(detail)
      }
      on(event, heard)
      return element
    },
    /** What is chosen, or null once what is wrong with the card is marked and the first such field has the focus. */
    read: (): ReadMethod | null => {
      const { text, asksName, method } = store.get()
      if (method === 'paypal') return { type: method }
      const { card, errors } = checkCard(asksName ? text : { ...text, name: 'asked elsewhere' }, new Date())
      store.set({ errors })
      if (Object.keys(errors).length === 0) return { type: 'card', card, ...(asksName && { name: text.name.trim() }) }
      focusFirst(box, errors)
      return null
    },
    markRefusal: (error: SandboxError) => store.set({ errors: errorsOfRefusal(error) }),
  }
  return element
}

export type CardElement = ReturnType<typeof createCardElement>

const isComplete = ({ text, asksName, method }: CardState) =>
  method === 'paypal' ||
  Object.keys(checkCard(asksName ? text : { ...text, name: '-' }, new Date()).errors).length === 0

function focusFirst(box: HTMLElement | null, errors: CardErrors) {
  const [first] = Object.keys(errors)
  box?.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus()
}
