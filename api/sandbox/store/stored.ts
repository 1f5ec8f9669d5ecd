/**
 * An object of the SDK's pinned version as it is stored: every field of the SDK's type stays required, references are ids.
 * `hidden` is what the sandbox remembers about it and never answers.
 */
export type Stored<T, Fields extends { [K in keyof Fields]: K extends keyof T | 'hidden' ? unknown : never }> = Omit<
  T,
  keyof Fields
> &
  Fields
