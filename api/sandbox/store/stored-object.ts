/**
 * An object of the SDK's pinned version as it is stored. Every field of the SDK's type stays required, and references are
 * ids. `hidden` is what the sandbox remembers about the object and never shows.
 */
export type Stored<T, Fields extends { [K in keyof Fields]: K extends keyof T | 'hidden' ? unknown : never }> = Omit<
  T,
  keyof Fields
> &
  Fields
