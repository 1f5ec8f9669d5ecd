import { isVoicePath } from '#shared/rules/voice-path.ts'

/** Whether this document may use the microphone. Who came here from a public page is still in that page's document. */
export function mayRecordHere(): boolean {
  const [load] = performance.getEntriesByType?.('navigation') ?? []
  return load === undefined || isVoicePath(new URL(load.name, location.href).pathname)
}
