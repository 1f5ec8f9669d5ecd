import { readClusters, type VoiceNote } from './voice-clusters.ts'
import { readFragments } from './voice-fragments.ts'

/**
 * The type and length of a recording by its content: browsers write neither length nor number of parts at its beginning, so what's in
 * it is counted. Every length in the file is checked before it's used.
 */
export function readVoiceNote(bytes: Uint8Array): VoiceNote {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12) return { problem: 'unknown' }
  if (view.getUint32(0) === 0x1a45dfa3) return readClusters(view)
  return view.getUint32(4) === 0x66747970 ? readFragments(view) : { problem: 'unknown' }
}
