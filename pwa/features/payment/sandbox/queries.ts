import * as v from 'valibot'

type SandboxIntent = { id: string; status: string }

export type SandboxResult = { intent: SandboxIntent } | { error: SandboxError }

type Kind = 'payment_intent' | 'setup_intent'

const ErrorObject = v.object({
  type: v.string(),
  code: v.optional(v.string()),
  decline_code: v.optional(v.string()),
  message: v.optional(v.string(), 'The payment didn’t go through.'),
})
export type SandboxError = v.InferOutput<typeof ErrorObject>

const Intent = v.object({
  id: v.string(),
  status: v.string(),
  next_action: v.nullish(v.object({ redirect_to_url: v.nullish(v.object({ url: v.string() })) })),
  last_payment_error: v.nullish(ErrorObject),
  last_setup_error: v.nullish(ErrorObject),
})

const IntentResponse = v.union([v.object({ error: ErrorObject }), Intent])

/** Nested values, sent in Stripe's form encoding. */
export type FormTree = { [name: string]: string | number | FormTree | undefined }

/** `{ card: { number: 1 } }` as `card[number]=1`. */
function encodeForm(tree: FormTree, prefix = ''): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(tree)) {
    const key = prefix ? `${prefix}[${name}]` : name
    if (value === undefined) continue
    if (typeof value === 'object') for (const [inner, text] of encodeForm(value, key)) form.append(inner, text)
    else form.append(key, String(value))
  }
  return form
}

const noResponse: SandboxError = {
  type: 'api_connection_error',
  message: 'We couldn’t reach the payment sandbox. Check your signal and try again.',
}

/** The intent of a client secret such as `pi_1_secret_2`. */
const intentOf = (clientSecret: string) => clientSecret.split('_secret_')[0] ?? ''
const kindOf = (clientSecret: string): Kind => (clientSecret.startsWith('seti_') ? 'setup_intent' : 'payment_intent')

const pathOf = (clientSecret: string) => `${kindOf(clientSecret)}s/${intentOf(clientSecret)}`

async function requestIntent(
  path: string,
  publishableKey: string,
  body?: FormTree,
): Promise<v.InferOutput<typeof IntentResponse>> {
  try {
    const response = await fetch(`/sandbox/stripe/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${publishableKey}`,
        ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: body ? encodeForm(body).toString() : null,
    })
    return v.parse(IntentResponse, await response.json())
  } catch {
    return { error: noResponse }
  }
}

/**
 * Confirms a client secret's intent. If the bank asks the payer something, the browser goes to the bank's page and the promise
 * never settles, as with Stripe.js.
 */
export async function confirmIntent(
  publishableKey: string,
  clientSecret: string,
  params: FormTree,
): Promise<SandboxResult> {
  const path = `${pathOf(clientSecret)}/confirm`
  const response = await requestIntent(path, publishableKey, { ...params, client_secret: clientSecret })
  if ('error' in response) return { error: response.error }
  const { id, status, next_action, last_payment_error, last_setup_error } = response
  const failure = last_payment_error ?? last_setup_error
  if (status === 'requires_payment_method' && failure) return { error: failure }
  const page = next_action?.redirect_to_url?.url
  if (status === 'requires_action' && page) return redirectTo(page)
  return { intent: { id, status } }
}

export async function retrieveIntent(publishableKey: string, clientSecret: string): Promise<SandboxResult> {
  const query = encodeForm({ client_secret: clientSecret })
  const response = await requestIntent(`${pathOf(clientSecret)}?${query}`, publishableKey)
  return 'error' in response ? { error: response.error } : { intent: { id: response.id, status: response.status } }
}

function redirectTo(page: string): Promise<never> {
  window.location.assign(page)
  return new Promise(() => {})
}
