import * as v from 'valibot'
import { firstSentences } from './first-sentences.ts'
import type { FormCheck } from './lasting-form-kind.ts'

/** Checks what is typed against the contract, and makes the body of it that is sent. */
export const checkBy =
  <Schema extends v.GenericSchema>(
    schema: Schema,
    toBody: (form: v.InferOutput<Schema>, now: Date) => object,
  ): FormCheck =>
  (typed, now) => {
    const read = v.safeParse(schema, typed)
    return read.success ? { body: toBody(read.output, now) } : { errors: firstSentences(read.issues) }
  }
