import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'

// A file of its own, which a page loads only once the browser's own databases fail.

export const createMemory = () => ({ indexedDB: new IDBFactory(), IDBKeyRange })
