import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

/**
 * What the server does with an email: `sender` rejects our own address, `drop` takes the email and disconnects without a reply,
 * `leave` then also rejects later connections, `silent` takes it and never replies, `first` replies only to the first email until
 * `replyToAll`, `hang` never replies to an address.
 */
type Behaviour = 'accept' | 'first' | '421' | '451' | '530' | '550' | 'sender' | 'drop' | 'leave' | 'silent' | 'hang'

type Refusal = { at: 'MAIL FROM' | 'RCPT TO' | 'DATA'; says: string; isFor?: (address: string) => boolean }

export type TakenMail = { to: string[]; messageId: string; raw: string }

export type Smtp = {
  port: number
  behaviour: Behaviour
  /** Overrides `behaviour` for single addresses. */
  behaviours: Map<string, '421' | '451' | '550' | 'drop' | 'leave' | 'hang'>
  /** Refuses with this reply, such as `554 5.7.1 Blocked`, at this command. Before DATA's, the whole email is taken. */
  refuses: Refusal | null
  isAway: boolean
  connections: number
  /** Everyone we were asked to take an email for, in order. */
  askedFor: string[]
  /** Complete emails, oldest first. */
  taken: TakenMail[]
  /** Resolves when an email arrived that gets no reply. */
  asked: Promise<void>
  replyToAll(): void
  stop(): Promise<void>
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
const refusals: Partial<Record<Behaviour, Error>> = {
  '421': refusal(421, 'Service shutting down'),
  '451': refusal(451, 'Try again later'),
  '530': refusal(530, 'Log in first'),
  '550': refusal(550, 'No such \u001b[31m person here'),
}

/** The code is the reply's own. */
function refusalAt({ refuses }: Smtp, at: Refusal['at'], address = ''): Error | undefined {
  if (refuses?.at !== at || refuses.isFor?.(address) === false) return undefined
  return refusal(Number(refuses.says.slice(0, 3)), refuses.says.slice(4))
}

export async function startSmtp(port = 0): Promise<Smtp> {
  const { promise: asked, resolve: nowAsked } = Promise.withResolvers<void>()
  const held: (() => void)[] = []
  const replyToAll = () => {
    for (const reply of held.splice(0)) reply()
  }
  const smtp: Smtp = {
    port,
    behaviour: 'accept',
    behaviours: new Map(),
    refuses: null,
    isAway: false,
    connections: 0,
    askedFor: [],
    taken: [],
    asked,
    replyToAll,
    stop: () => stop(server),
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect(_session, reply) {
      smtp.connections += 1
      reply(smtp.isAway ? refusal(421, 'Too many connections') : undefined)
    },
    onMailFrom: (_address, _session, reply) =>
      reply(smtp.behaviour === 'sender' ? refusal(553, 'Not your address') : refusalAt(smtp, 'MAIL FROM')),
    onRcptTo({ address }, _session, reply) {
      const behaviour = smtp.behaviours.get(address) ?? smtp.behaviour
      smtp.askedFor.push(address)
      if (behaviour !== 'hang') reply(refusals[behaviour] ?? refusalAt(smtp, 'RCPT TO', address))
    },
    onData(stream, session, reply) {
      const onTaken = (mail: TakenMail) => {
        const refused = refusalAt(smtp, 'DATA', mail.to[0])
        if (refused !== undefined) return reply(refused)
        smtp.taken.push(mail)
        const behaviour = smtp.behaviours.get(mail.to[0] ?? '') ?? smtp.behaviour
        if (behaviour === 'leave') smtp.isAway = true
        if (behaviour === 'silent') nowAsked()
        else if (behaviour === 'drop' || behaviour === 'leave')
          for (const connection of server.connections) {
            if (behaviour === 'leave' || connection.session.id === session.id) connection.close()
          }
        else if (behaviour === 'first' && smtp.taken.length > 1) held.push(reply)
        else reply()
      }
      // If the connection breaks on the way, no email has arrived.
      take(stream, session).then(onTaken, () => {})
    },
  })
  server.on('error', () => {})
  const listener = server.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address !== null && typeof address === 'object') smtp.port = address.port
  return smtp
}

async function take(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<TakenMail> {
  const raw = (await text(stream)).replaceAll('\r\n', '\n')
  const messageId = raw.match(/^Message-ID: (.*)$/im)?.[1] ?? ''
  return { to: envelope.rcptTo.map(({ address }) => address), messageId, raw }
}

const stop = (server: SMTPServer) => new Promise<void>((resolve) => server.close(() => resolve()))

export function startMuteSmtp() {
  const mute = { connections: 0 }
  const listener = Bun.listen({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      open(socket) {
        mute.connections += 1
        socket.write('220 mail.example ESMTP\r\n')
      },
      data() {},
    },
  })
  return Object.assign(mute, { port: listener.port, stop: () => listener.stop(true) })
}
