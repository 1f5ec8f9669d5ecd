import * as v from 'valibot'
import { ErrorBody } from '#shared/contract/error.ts'
import { exitCodeOfStatus, exitCodes, Stop } from './exit.ts'

type Answer = { data: unknown; error: unknown; status: number; response: Response | undefined }

const strangeAnswer = 'That address answered, but not as the Alliance API does. Is it the right one?'

/** Makes a call and checks what came back: the contract's value, or a `Stop` with the server's own sentence. */
export async function ask<Schema extends v.GenericSchema>(
  schema: Schema,
  call: PromiseLike<Answer>,
): Promise<v.InferOutput<Schema>> {
  return (await askPage(schema, call)).value
}

/** The same for one page of a list; `next` is the cursor of the page after it. */
export async function askPage<Schema extends v.GenericSchema>(
  schema: Schema,
  call: PromiseLike<Answer>,
): Promise<{ value: v.InferOutput<Schema>; next: string | null }> {
  const answer = await settled(call)
  const { response } = answer
  if (response === undefined) throw causeOf(answer.error)
  if (answer.error !== null && answer.error !== undefined) throw refusal(answer, response)
  const parsed = v.safeParse(schema, answer.data)
  if (!parsed.success) throw new Stop(exitCodes.failed, strangeAnswer)
  return { value: parsed.output, next: nextCursor(response.headers.get('link')) }
}

/** The typed client throws on a JSON answer that is none. */
async function settled(call: PromiseLike<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (error instanceof SyntaxError) throw new Stop(exitCodes.failed, strangeAnswer)
    throw error
  }
}

function refusal({ error, status }: Answer, { headers }: Response): Stop {
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    return new Stop(exitCodes.failed, `The API has moved to ${location}. Please use that address.`)
  }
  const parsed = v.safeParse(ErrorBody, keptValue(error))
  if (!parsed.success) return new Stop(exitCodes.failed, strangeAnswer)
  const { message, fields } = parsed.output.error
  return new Stop(exitCodeOfStatus(status), fields ? Object.values(fields).join(' ') : message)
}

/** Where nothing came back, the typed client keeps what was thrown as the error's value. */
const causeOf = (error: unknown) => keptValue(error) ?? new Stop(exitCodes.failed, 'No answer.')

const keptValue = (error: unknown) =>
  typeof error === 'object' && error !== null && 'value' in error ? error.value : undefined

function nextCursor(link: string | null): string | null {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(link ?? '')?.[1]
  return target === undefined ? null : new URL(target, 'http://localhost').searchParams.get('cursor')
}

/** What was typed, by the contract's own schema; `name` is what it was typed for, where the sentence does not tell. */
export function typed<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  name?: string,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value)
  if (!parsed.success) {
    const [{ message }] = parsed.issues
    throw new Stop(exitCodes.usage, name === undefined ? message : `${name}: ${message}`)
  }
  return parsed.output
}
