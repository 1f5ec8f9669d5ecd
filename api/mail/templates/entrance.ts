import { plural } from '#shared/rules/plural.ts'
import { type Block, paragraph } from './layout.ts'

export type Entrance = {
  membersUrl: string
  /** The one-time link, how long it works, and where a new one comes from; null where a password is set already. */
  setPassword: { url: string; days: number; forgotUrl: string } | null
}

/** The way into the members' area: straight there, or by setting a password first. */
export function entranceBlocks({ membersUrl, setPassword }: Entrance): Block[] {
  if (setPassword === null) return [{ kind: 'button', label: "Open the members' area", url: membersUrl }]
  return [
    paragraph("Set a password, so that you can get back in from any phone. The members' area opens after that."),
    { kind: 'button', label: 'Set your password', url: setPassword.url },
    paragraph(`The link works once, for ${plural(setPassword.days, 'day')}. For a new one: ${setPassword.forgotUrl}`),
    paragraph(`If you have set one already, go straight to the members' area: ${membersUrl}`),
  ]
}
