import * as v from 'valibot'
import { Copy, PageText } from './parts.ts'

export const HealthText = v.strictObject({ ...PageText.entries, heading: Copy, lead: Copy })
export type HealthText = v.InferOutput<typeof HealthText>
