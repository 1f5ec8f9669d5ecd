import { AppError } from '#api/errors.ts'
import { textOf, withoutLongStrings } from './long-values-rules.ts'

/** `key` is the name of the object or list the value is in. */
export type JsonValue = { key: string; value: unknown }

/** The values at `paths`, one at a time, however large the file is. */
export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  { paths, damaged }: { paths: string[]; damaged: string },
): AsyncGenerator<JsonValue> {
  const { JSONParser } = await import('@streamparser/json')
  const parser = new JSONParser({ paths, keepStack: false })
  const found: JsonValue[] = []
  let hasFailed = false
  parser.onValue = ({ value, stack }) => void found.push({ key: String(stack.at(-1)?.key ?? ''), value })
  parser.onError = () => {
    hasFailed = true
  }
  for await (const piece of withoutLongStrings(textOf(chunks))) {
    parser.write(piece)
    if (hasFailed) break
    yield* found.splice(0)
  }
  if (hasFailed || !parser.isEnded) throw new AppError('invalid', damaged)
  yield* found
}
