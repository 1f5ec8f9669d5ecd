import * as v from 'valibot'
import { deviceStorage } from './storage.ts'

/**
 * A key of local storage that is set when a login was ended from elsewhere, until the next one: whose forms may still wait
 * here, and which they are, once the wipe has read it.
 */
export const leftFormsKey = 'forms-left'

const LeftForms = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ memberId: v.string(), ids: v.nullable(v.array(v.string())) }),
)
type LeftForms = v.InferOutput<typeof LeftForms>

export const writeLeftForms = (left: LeftForms) => deviceStorage.setItem(leftFormsKey, JSON.stringify(left))

export function readLeftForms(): LeftForms | null {
  const left = v.safeParse(LeftForms, deviceStorage.getItem(leftFormsKey))
  return left.success ? left.output : null
}

/** Whose writer's login was ended before it was sent: nobody here may be shown it, or put it right. */
export const isLeftForm = (id: string): boolean => readLeftForms()?.ids?.includes(id) ?? false
