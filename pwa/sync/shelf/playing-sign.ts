import { pageLeft, untilAborted, untilPageIsBack } from '#pwa/lib/page-life.ts'

/** What plays on this device right now: `network` videos take the line, `kept` ones need their pieces to stay. */
type Source = 'network' | 'kept'

const lockOf = (source: Source) => `alliance-film-${source}`
const channelName = 'alliance-films'

/** Until the returned function is called, every tab knows that a video plays. The browser takes the sign back with the tab. */
export function signalPlaying(source: Source): () => void {
  if (!('locks' in navigator)) return () => {}
  const ended = new AbortController()
  const channel = new BroadcastChannel(channelName)
  const tell = () => channel.postMessage(source)
  const hold = async () => {
    while (!ended.signal.aborted) {
      await untilPageIsBack()
      const over = AbortSignal.any([ended.signal, pageLeft()])
      await navigator.locks.request(lockOf(source), { mode: 'shared' }, () => {
        tell()
        return untilAborted(over)
      })
      tell()
    }
  }
  hold()
    .catch(() => {})
    .finally(() => channel.close())
  return () => ended.abort()
}

export async function isVideoPlaying(source: Source): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === lockOf(source))
}

/** Calls back when a video begins or ends, in any tab. A channel hears other objects of its own page too. */
export function onPlayingChange(changed: () => void): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', changed)
  return () => channel.close()
}
