import { AppError } from '#api/errors.ts'
import { standAt } from '#api/file-position.ts'
import { textOf, withoutLongStrings } from './long-values-rules.ts'

/** `key` is the name of the object or list the value is in, `line` its number among the rows, or that of the last row before it. */
export type JsonValue = { key: string; value: unknown; line: number }

/** `isRow`: which keys hold the rows that count; all if it isn't given. `before`: how many rows came before this file's. */
type Reading = { paths: string[]; damaged: string; isRow?: (key: string) => boolean; before?: number }

/**
 * The values at `paths`, one at a time, however large the file is. What's being read is noted as the place: the row after the last
 * whole one.
 */
export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  { paths, damaged, isRow = () => true, before = 0 }: Reading,
): AsyncGenerator<JsonValue> {
  const { JSONParser } = await import('@streamparser/json')
  const parser = new JSONParser({ paths, keepStack: false })
  const found: JsonValue[] = []
  let hasFailed = false
  let line = before
  parser.onValue = ({ value, stack }) => {
    const key = String(stack.at(-1)?.key ?? '')
    if (isRow(key)) line += 1
    found.push({ key, value, line })
    standAt(line + 1)
  }
  parser.onError = () => {
    hasFailed = true
  }
  standAt(line + 1)
  for await (const piece of withoutLongStrings(textOf(chunks))) {
    parser.write(piece)
    if (hasFailed) break
    yield* found.splice(0)
    standAt(line + 1)
  }
  if (hasFailed || !parser.isEnded) throw new AppError('invalid', damaged)
  yield* found
}
