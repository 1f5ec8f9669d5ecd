import * as v from 'valibot'

const Claims = v.object({ aud: v.string(), exp: v.number(), sub: v.string() })

const daySeconds = 24 * 60 * 60

/**
 * Why a push service wouldn't take a message, as the strictest of them words it (RFC 8292). Null if it would. `key` is the one the
 * phone subscribed with.
 */
export async function vapidProblem(
  authorization: string | null,
  { key, origin, now }: { key: string; origin: string; now: Date },
): Promise<string | null> {
  const [, token = '', sender = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? []
  if (sender !== key) return 'VapidPkHashMismatch'
  const [head = '', body = '', signature = ''] = token.split('.')
  const claims = v.safeParse(Claims, readJson(body))
  if (!claims.success || !(await isSignedBy(sender, `${head}.${body}`, signature))) return 'BadJwtToken'
  const { aud, exp, sub } = claims.output
  const left = exp - now.getTime() / 1000
  const isReal = /^mailto:[^\s<>@]+@[^\s<>@]+\.[^\s<>@]+$|^https:\/\/[^\s/]+\.[^\s/]+/.test(sub)
  return aud === origin && left > 0 && left <= daySeconds && isReal ? null : 'BadJwtToken'
}

function readJson(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return null
  }
}

async function isSignedBy(key: string, text: string, signature: string): Promise<boolean> {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const
  const raw = Buffer.from(key, 'base64url')
  const publicKey = await crypto.subtle.importKey('raw', raw, curve, false, ['verify']).catch(() => null)
  if (publicKey === null) return false
  const signed = Buffer.from(signature, 'base64url')
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, publicKey, signed, Buffer.from(text))
}
