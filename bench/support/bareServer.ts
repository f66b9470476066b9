/** The lower bound: a uWebSockets.js handler that only sends five headers and a constant. Run as a process. */
import { library } from '../../src/http/socket/uws/uwsDriver.js'

const { App, us_socket_local_port } = library
const sizeBytes = Number(process.argv[2])
if (!Number.isInteger(sizeBytes) || sizeBytes < 0) throw new Error('usage: bareServer SIZE_BYTES')
const body = Buffer.alloc(sizeBytes, 'a constant answer of a fixed size. ')

App()
  .get('/*', (response) => {
    response
      .writeHeader('Content-Type', 'application/json')
      .writeHeader('ETag', '"1234567"')
      .writeHeader('Last-Modified', 'Sun, 05 Jul 2009 12:00:00 GMT')
      .writeHeader('Cache-Control', 'max-age=5')
      .writeHeader('X-Content-Type-Options', 'nosniff')
      .end(body)
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('cannot listen')
    console.log(`listening at http://127.0.0.1:${us_socket_local_port(socket)}/`)
  })
