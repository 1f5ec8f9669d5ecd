/**
 * A stored object of the SDK's pinned version. All fields of the SDK's type stay required, and references are ids. `hidden` is
 * what the sandbox remembers and never shows.
 */
export type Stored<T, Fields extends { [K in keyof Fields]: K extends keyof T | 'hidden' ? unknown : never }> = Omit<
  T,
  keyof Fields
> &
  Fields
