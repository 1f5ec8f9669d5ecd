import { type api, parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import {
  type NewPasskeyAnswer,
  NewPasskeyQuestion,
  type PasskeyAnswer,
  PasskeyQuestion,
} from '#shared/contract/sign-in.ts'

/** Without browser support, we don't mention passkeys. */
export const canUsePasskeys = () => 'PublicKeyCredential' in globalThis

/** The browser's own window was closed, or timed out. */
export const noPasskey = 'That didn’t work. Try again, or use your password.'

export async function answerWithPasskey(client: typeof api, { isAutofill = false } = {}): Promise<PasskeyAnswer> {
  const [{ startAuthentication }, optionsJSON] = await Promise.all([
    loadFile(() => import('@simplewebauthn/browser')),
    parseResponse(PasskeyQuestion, client.api.auth.passkey.post()),
  ])
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }
}

export async function makePasskey(client: typeof api): Promise<NewPasskeyAnswer> {
  const optionsJSON = await parseResponse(NewPasskeyQuestion, client.api.user.passkeys.new.post())
  const { startRegistration } = await loadFile(() => import('@simplewebauthn/browser'))
  const { id, rawId, type, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
}
