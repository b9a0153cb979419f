import { stopTestServer } from './helpers/database-server.ts'

// tap runs this once, after the last file
await stopTestServer()
