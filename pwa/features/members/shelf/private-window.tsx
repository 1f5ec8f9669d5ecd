import type { Room } from './use-storage.ts'

/** A private window's room is small, and never promised to stay. So may a full phone's be: we only ask. */
const leastBytes = 2e9

/** What works in a private window, and what doesn't. No browser says that it is one. */
export const PrivateWindow = ({ room }: { room: Room | undefined }) =>
  room && room.isPersistent !== true && room.quota !== null && room.quota < leastBytes ? (
    <p>
      <b>Is this a private window?</b> You can watch and tick here. But what’s saved goes when you close it, so keep
      videos in a normal one.
    </p>
  ) : null
