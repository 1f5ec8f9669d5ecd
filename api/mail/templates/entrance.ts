import { type Block, words } from './frame.ts'

export type Entrance = {
  membersUrl: string
  /** Null where a password is set already. */
  setPasswordUrl: string | null
}

/** The way into the members' area: straight there, or by setting a password first. */
export function entranceBlocks({ membersUrl, setPasswordUrl }: Entrance): Block[] {
  if (setPasswordUrl === null) return [{ kind: 'button', label: "Open the members' area", url: membersUrl }]
  return [
    words("Set a password, so that you can get back in from any phone. The members' area opens after that."),
    { kind: 'button', label: 'Set your password', url: setPasswordUrl },
    words(`The members' area is at ${membersUrl}`),
  ]
}
