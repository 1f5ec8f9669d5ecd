/**
 * The databases of worlds, which the set-up of all tests closes: with the test that opened one, or with the file if it was opened
 * before a test began. Collected as garbage they'd fill the memory first, and asking the system for more costs as much as the tests.
 */
type Connection = { close(): unknown }
const connections = { file: new Set<Connection>(), test: new Set<Connection>() }
let current = connections.file

export const registerConnection = (connection: Connection): void => void current.add(connection)

export function startTest(): void {
  current = connections.test
}

export function endTest(): void {
  closeAll(connections.test)
  current = connections.file
}

export const endFile = (): void => closeAll(connections.file)

function closeAll(open: Set<Connection>): void {
  for (const connection of open) connection.close()
  open.clear()
}
