import * as v from 'valibot'
import { invalid } from '#api/sandbox/errors.ts'
import {
  amount,
  clearable,
  clearableText,
  currency,
  customFields,
  flag,
  ignored,
  metadata,
  text,
  whole,
} from './params.ts'

const secondsPerDay = 86_400

const shared = {
  auto_advance: v.optional(flag),
  automatic_tax: v.optional(v.strictObject({ enabled: v.literal('false') })),
  custom_fields: customFields,
  days_until_due: v.optional(amount),
  due_date: v.optional(whole),
  effective_at: v.optional(clearable(whole)),
  footer: v.optional(clearableText),
  metadata,
  number: v.optional(clearable(v.pipe(text, v.maxLength(26)))),
  statement_descriptor: v.optional(v.pipe(text, v.maxLength(22))),
}

export const creation = {
  ...shared,
  collection_method: v.optional(v.picklist(['charge_automatically', 'send_invoice']), 'charge_automatically'),
  currency: v.optional(currency, 'gbp'),
  customer: text,
  default_payment_method: v.optional(text),
  default_tax_rates: v.optional(v.array(text)),
  description: v.optional(text),
  payment_settings: v.optional(
    v.strictObject({ payment_method_types: v.optional(clearable(v.array(v.picklist(['card', 'paypal'])))) }),
  ),
  pending_invoice_items_behavior: v.optional(v.picklist(['exclude', 'include']), 'exclude'),
  subscription: v.optional(text),
}

const creationSchema = v.strictObject(creation)
export type Creation = v.InferOutput<typeof creationSchema>

export const change = {
  ...shared,
  default_payment_method: v.optional(clearableText),
  default_tax_rates: v.optional(clearable(v.array(text))),
  description: v.optional(clearableText),
}

const changeSchema = v.strictObject(change)
export type Change = v.InferOutput<typeof changeSchema>

export const payment = {
  forgive: ignored,
  mandate: ignored,
  off_session: v.optional(flag),
  paid_out_of_band: v.optional(flag, 'false'),
  payment_method: v.optional(text),
}

const paymentSchema = v.strictObject(payment)
export type Payment = v.InferOutput<typeof paymentSchema>

/** When an invoice with `collection_method=send_invoice` is due. Others have no due date. */
export function dueDate(
  now: number,
  isSent: boolean,
  { days_until_due, due_date }: { days_until_due?: number | undefined; due_date?: number | undefined },
): number | null {
  const due = due_date ?? (days_until_due === undefined ? null : now + days_until_due * secondsPerDay)
  if (!isSent && due !== null) {
    throw invalid('You can only pass `due_date` or `days_until_due` with `collection_method=send_invoice`.', {
      param: due_date === undefined ? 'days_until_due' : 'due_date',
    })
  }
  if (isSent && due === null) {
    throw invalid('You must pass either `due_date` or `days_until_due` with `collection_method=send_invoice`.', {
      code: 'parameter_missing',
      param: 'days_until_due',
    })
  }
  return due
}
