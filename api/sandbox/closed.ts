import type Stripe from 'stripe'

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false

/** The SDK's mark of an enum that may grow. */
type AnyOther = string & Record<never, never>

/**
 * A type of the SDK as JSON has it. Enums only hold the values this version documents, and decimals are text.
 */
export type Closed<T> = T extends string
  ? Same<T, AnyOther> extends true
    ? never
    : T
  : T extends Stripe.Decimal
    ? string
    : T extends (infer E)[]
      ? Closed<E>[]
      : T extends object
        ? { [K in keyof T]: Closed<T[K]> }
        : T
