import * as v from 'valibot'
import { WithinYears } from '#shared/contract/fields.ts'

/** Our ids, also those of rows older than our ids of today. */
export const RowId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'This isn’t an id.'))

const isRealTime = (text: string) => {
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString() === text
}

/** A time as our columns hold it. */
export const Moment = v.pipe(v.string(), v.check(isRealTime, 'This isn’t a time in UTC.'), WithinYears)

export const RowVersion = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000))

export const OrNull = <Schema extends v.GenericSchema>(schema: Schema) => v.nullable(schema)

/** Places in a list, from 0. */
export const Whole = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most))
