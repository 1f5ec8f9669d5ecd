import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { type Caller, provePassword, storeProof } from '#api/features/accounts/login/login-service.ts'
import type { Member } from '#api/identity/person.ts'
import { hasSecondFactor } from '#api/identity/second-factor.ts'
import type { ProofRequest } from '#shared/contract/auth.ts'
import { personOfPasskey } from './assertion-service.ts'
import { proveFactor } from './factor-service.ts'

/** Proves who's logged in by password, passkey, or an owner's second factor. */
export async function provePerson(ctx: Context, person: Member, proof: ProofRequest, caller: Caller): Promise<void> {
  if ('password' in proof) return await provePassword(ctx, person, proof.password, caller)
  if ('code' in proof) await proveByCode(ctx, person, proof.code, caller)
  else await proveByPasskey(ctx, person, { answer: proof.answer, caller })
  storeProof(ctx, person, caller.address)
}

async function proveByCode(ctx: Context, person: Member, code: string, { address }: Caller): Promise<void> {
  if (!person.isAdmin || !hasSecondFactor(ctx, person.id))
    throw new AppError('invalid', 'You haven’t set up two-step login. Type your password.')
  await proveFactor(ctx, person, { code, address })
}

type Answered = { answer: Extract<ProofRequest, { answer: unknown }>['answer']; caller: Caller }

/** A wrong passkey doesn't end the login, so the error isn't "please log in". */
async function proveByPasskey(ctx: Context, { id }: Member, { answer, caller }: Answered): Promise<void> {
  const wrong = new AppError('invalid', 'That passkey belongs to another account. Use another, or type your password.')
  const holder = await personOfPasskey(ctx, answer, caller.address).catch((error) => {
    throw error instanceof AppError && error.code === 'invalid_credentials' ? wrong : error
  })
  if (holder.id !== id) throw wrong
}
