/**
 * What a question is asked about, in the address of its page. `share`: what came from another app's share sheet. `draft`: the key of
 * one that was begun.
 */
export type AskSearch = { video?: string; at?: number; call?: string; share?: string; draft?: string }

const text = (value: unknown) => (typeof value === 'string' && value !== '' && value.length <= 80 ? value : undefined)

export function readAskSearch({ video, at, call, share, draft }: Record<string, unknown>): AskSearch {
  const seconds = Math.floor(Number(at))
  const [videoId, callId, shareId, draftKey] = [text(video), text(call), text(share), text(draft)]
  return {
    ...(videoId ? { video: videoId, ...(seconds > 0 && seconds <= 999_999 ? { at: seconds } : {}) } : {}),
    ...(callId ? { call: callId } : {}),
    ...(shareId ? { share: shareId } : {}),
    ...(draftKey ? { draft: draftKey } : {}),
  }
}
