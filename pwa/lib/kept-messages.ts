// WebKit loses the messages that are on their way as it freezes a page. React's next piece of work waits for one, and so does our next
// read: back on that page, nothing would be drawn or read any more. So what hasn't come by then is told.

/** What was posted to each port, until it has come. */
const underWay = new Map<MessagePort, unknown>()

class KeptChannel extends MessageChannel {
  constructor() {
    super()
    const { port1, port2 } = this
    const post = port2.postMessage
    port2.postMessage = (message: unknown, ...rest: []) => {
      underWay.set(port1, message)
      post.call(port2, message, ...rest)
    }
    port1.addEventListener('message', () => underWay.delete(port1))
  }
}
globalThis.MessageChannel = KeptChannel

/** Other browsers tell it themselves, once the page is back. */
const patienceMs = 100

function tell(): void {
  for (const [port, data] of underWay) port.dispatchEvent(new MessageEvent('message', { data }))
}

globalThis.window.addEventListener('pageshow', ({ persisted }) => persisted && setTimeout(tell, patienceMs))
