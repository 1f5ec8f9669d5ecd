import * as v from 'valibot'
import type { ErrorBody } from '#api/sandbox/errors.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import type { FormValue } from './form.ts'
import { expand, parseParams } from './params.ts'

/** A handler's result, before `expand` is applied to `object`. */
type RouteOutcome = { status: 200; object: object } | { status: number; error: ErrorBody }

type RouteResult = { outcome: RouteOutcome; expand: string[] }

export type Route = {
  method: string
  path: string[]
  /** The fields the publishable key sees. Null if it can't call this route. */
  browserFields: readonly string[] | null
  run: (ctx: Context, params: FormValue, ids: string[]) => RouteResult
}

type Handler<P> = (ctx: Context, params: P, id: string, second: string) => object | CommittedError

const committed = Symbol('refusal')
type CommittedError = { [committed]: true; status: number; error: ErrorBody }

/** Returns an error but commits the writes, because a declined payment is recorded. */
export function committedError(status: number, error: ErrorBody): CommittedError {
  return { [committed]: true, status, error }
}

function isCommittedError(value: object): value is CommittedError {
  return committed in value
}

/** A route such as `'POST /v1/customers/:id'`. Like Stripe, it rejects unknown parameters. */
export function route<E extends v.ObjectEntries>(
  signature: string,
  entries: E,
  handle: Handler<v.InferOutput<v.StrictObjectSchema<E, undefined>>>,
): Route {
  const [method = '', path = ''] = signature.split(' ')
  const own = v.strictObject(entries)
  const names = v.object({ expand })
  return {
    method,
    path: path.split('/').slice(1),
    browserFields: null,
    run(ctx, params, [id = '', second = '']) {
      const { expand: paths } = parseParams(names, params)
      const result = handle(ctx, parseParams(own, omitFields(params, ['expand'])), id, second)
      const outcome: RouteOutcome = isCommittedError(result)
        ? { status: result.status, error: result.error }
        : { status: 200, object: result }
      return { outcome, expand: paths }
    },
  }
}

export function openToBrowsers(fields: readonly string[], open: Route): Route {
  return { ...open, browserFields: fields }
}

export function omitFields(params: FormValue, names: string[]): FormValue {
  if (typeof params === 'string' || Array.isArray(params)) return params
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}
