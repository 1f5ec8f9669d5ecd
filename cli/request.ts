import * as v from 'valibot'
import { ErrorBody } from '#shared/contract/error.ts'
import { Day, Id, Instant } from '#shared/contract/fields.ts'
import { totalHeader } from '#shared/contract/listing.ts'
import { londonInstant, readTypedMoment } from '#shared/rules/london.ts'
import { CliError, exitCodeForStatus, exitCodes, usageError } from './exit-codes.ts'

type ApiResponse = { data: unknown; error: unknown; status: number; response: Response | undefined }

export const unexpectedResponse = 'Unexpected response. Is this the address of an Alliance server?'

/** Makes a call and checks the response: returns the contract's value, or throws a `CliError` with the server's message. */
export async function request<Schema extends v.GenericSchema>(
  schema: Schema,
  call: PromiseLike<ApiResponse>,
): Promise<v.InferOutput<Schema>> {
  return (await requestPage(schema, call)).value
}

export async function requestPage<Schema extends v.GenericSchema>(
  schema: Schema,
  call: PromiseLike<ApiResponse>,
): Promise<{ value: v.InferOutput<Schema>; next: string | null; total: number | null }> {
  const result = await settleCall(call)
  const { response } = result
  if (response === undefined) throw networkError(result.error)
  if (result.error !== null && result.error !== undefined) throw responseError(result, response)
  const parsed = v.safeParse(schema, result.data)
  if (!parsed.success) throw new CliError(exitCodes.failed, unexpectedResponse)
  const total = response.headers.get(totalHeader)
  return {
    value: parsed.output,
    next: nextCursor(response.headers.get('link')),
    total: total === null ? null : Number(total),
  }
}

async function settleCall(call: PromiseLike<ApiResponse>): Promise<ApiResponse> {
  try {
    return await call
  } catch (error) {
    if (error instanceof SyntaxError) throw new CliError(exitCodes.failed, unexpectedResponse)
    throw error
  }
}

export function responseError(
  { error, status }: Pick<ApiResponse, 'error' | 'status'>,
  { headers }: Response,
): CliError {
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    return new CliError(exitCodes.failed, `The server has moved to ${location}. Use that address.`)
  }
  const parsed = v.safeParse(ErrorBody, wrappedValue(error))
  if (!parsed.success) return new CliError(exitCodes.failed, unexpectedResponse)
  const { message, fields, code } = parsed.output.error
  return new CliError(exitCodeForStatus(status), fields ? Object.values(fields).join(' ') : message, fields, code)
}

/** Without a response, the typed client wraps the thrown value as the error's value. */
const networkError = (error: unknown) => wrappedValue(error) ?? new CliError(exitCodes.failed, 'No response.')

const wrappedValue = (error: unknown) =>
  typeof error === 'object' && error !== null && 'value' in error ? error.value : undefined

export function nextCursor(link: string | null): string | null {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1]
  return target === undefined ? null : new URL(target, 'http://localhost').searchParams.get('cursor')
}

/** What is wrong at a field is said of its option. */
export type OptionNames = Readonly<Record<string, string>>

/**
 * Checks an argument against the contract's schema. `name` goes in front if the message doesn't say what's wrong; of several, the one
 * that's given for the field.
 */
export function parseArgument<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  name?: string | OptionNames,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value)
  if (!parsed.success) {
    const [issue] = parsed.issues
    const message = issueSentence(issue)
    const option = typeof name === 'object' ? name[String(issue.path?.[0]?.key)] : name
    throw usageError(option === undefined ? message : `${option}: ${message}`)
  }
  return parsed.output
}

/** The schema's own message. On a form it's next to the choices; here we add them, unless the message lists them. */
function issueSentence({ message, type, input, expected }: v.BaseIssue<unknown>): string {
  const choices = [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice)
  if (type !== 'picklist' || choices.some((choice) => message.includes(` ${choice}`))) return message
  return `${message.startsWith('Invalid') ? `There’s no ${String(input)}.` : message} There are: ${choices.join(', ')}.`
}

export const parseOption = <Schema extends v.GenericSchema>(schema: Schema, value: unknown, name?: string) =>
  value === undefined ? undefined : parseArgument(schema, value, name)

/** A day, or a day and time, UK time. A day alone is its beginning. Timestamps are taken as well. */
export function parseMoment(given: string | undefined, name: string): string | undefined {
  if (given === undefined) return undefined
  if (v.safeParse(Instant, given).success) return given
  if (!/[T ]/.test(given.trim())) return londonInstant(parseArgument(Day, given.trim(), name), '00:00').toISOString()
  const moment = readTypedMoment(given)
  if (moment === null) throw usageError(`${name}: ${given} isn’t a date or time. Write it as 2026-07-01 09:00.`)
  return moment
}

export function parseId(given: string, list: string): string {
  const parsed = v.safeParse(Id, given)
  if (!parsed.success) throw usageError(`${given} isn’t an ID. See: alliance ${list}`)
  return parsed.output
}

type Set<Record> = { [Name in keyof Record]?: Exclude<Record[Name], undefined> }

/** The given options as a query. One that was left out gets no entry at all. */
export const withoutUnset = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Set<Given>

/** A member by ID or email address; the server knows which. */
export const parseMember = (idOrEmail: string) => requireText(idOrEmail, 'Enter a member’s ID or email address.')

export function requireText(value: string, missing: string): string {
  const text = value.trim()
  if (text === '') throw usageError(missing)
  return text
}
