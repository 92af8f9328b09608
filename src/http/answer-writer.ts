/**
 * Writes the body of an answer in pieces, so that Node buffers at most one piece that the socket does not take.
 *
 *     add(send), add(send), writeRest()     data that is due now; short texts are joined until writeRest
 *     add(longSend) -> false                the socket is full, or enough is written in this turn
 *     beginTurn() -> true                   in a later turn: the rest of it is written
 *     end()
 */
import type { ServerResponse } from 'node:http'
import type { Send } from '../core/protocol/plan/plan.ts'

/** Characters or bytes of a piece. */
const PIECE_LENGTH = 65_536
/** Characters to write in one turn of the event loop: building a long text takes a millisecond for 20,000 to 50,000 characters. */
const TURN_LENGTH = PIECE_LENGTH
/** Less than any socket takes before it is full. */
const MAX_CHUNK_LENGTH = 8192
// Not imported: the ES module of node:http would load the client of fetch.
const { write: nodeWrite, end: nodeEnd } = process.getBuiltinModule('node:http').ServerResponse.prototype

export class AnswerWriter {
  readonly #response: ServerResponse
  /** Text that is due and not written yet. */
  #text = ''
  /** The rest of a long text, which is built while it is written. */
  #parts: Iterator<string> | undefined
  /** Bytes that are due and not written yet. */
  #bytes: Uint8Array | undefined
  /** The characters and bytes written so far. */
  written = 0
  /** The value of `written` at which this turn of the event loop has written enough. */
  #turnEnd = TURN_LENGTH
  /** True once Node has written the head, which it does with the first data. */
  #isBegun = false

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /**
   * Takes data that is due and writes it in whole pieces. A rest of less than a piece waits for `writeRest` or `end`.
   * @returns false when it had to stop: the socket is full, or enough is written in this turn of the event loop. Then
   * `beginTurn` has to return true before the next call.
   */
  add(send: Send): boolean {
    if (send.parts !== undefined) {
      // Its data would be the whole text, which is built when it is read.
      this.#parts = send.parts[Symbol.iterator]()
      return this.#writePieces()
    }
    const { data } = send
    if (typeof data === 'string') {
      this.#text += data
      if (this.#text.length <= PIECE_LENGTH) return true
    } else {
      this.writeRest()
      this.#bytes = data
    }
    return this.#writePieces()
  }

  /** Goes on with what is due, as the first call in a turn of the event loop. @returns false when it had to stop again. */
  beginTurn(): boolean {
    this.#turnEnd = this.written + TURN_LENGTH
    return this.#writePieces()
  }

  /** Writes whole pieces of what is due: first the bytes, then the text, to which the parts of a long text are added. */
  #writePieces(): boolean {
    while (this.#bytes !== undefined) {
      const piece = this.#bytes.subarray(0, PIECE_LENGTH)
      this.#bytes = piece.length < this.#bytes.length ? this.#bytes.subarray(PIECE_LENGTH) : undefined
      if (!this.#writePiece(piece)) return false
    }
    for (;;) {
      while (this.#text.length > PIECE_LENGTH) {
        // Not between the two halves of a character.
        const isHigh = (this.#text.charCodeAt(PIECE_LENGTH - 1) & 0xfc00) === 0xd800
        const end = isHigh ? PIECE_LENGTH - 1 : PIECE_LENGTH
        const piece = this.#text.slice(0, end)
        this.#text = this.#text.slice(end)
        if (!this.#writePiece(piece)) return false
      }
      const part = this.#parts?.next()
      if (part === undefined) return true
      if (part.done) this.#parts = undefined
      else this.#text += part.value
    }
  }

  /** Writes the text that is left after `add`; false when the socket is full. */
  writeRest(): boolean {
    const text = this.#text
    this.#text = ''
    return text === '' ? !this.#response.writableNeedDrain : this.#write(text)
  }

  /** Writes the text that is left after `add`, and ends the answer. */
  end(): void {
    const text = this.#text
    const response = this.#response
    this.written += text.length
    const isWholeBody = !this.#isBegun && !response.chunkedEncoding && text !== ''
    if (!isWholeBody || !this.#isDirect) return void response.end(text, encodingOf(text))
    // `end(text)` would write the text and an empty one, which takes 6 % of a short call: a list of texts is slower than one.
    const socket = response.socket!
    socket.cork()
    response.write(text, encodingOf(text))
    socket.uncork()
    response.end()
  }

  /** True if data goes to the socket at once. It does not after a full socket, or where middleware replaces `write`. */
  get #isDirect(): boolean {
    const { socket, write, end } = this.#response
    return socket?.writable === true && socket.writableLength === 0 && write === nodeWrite && end === nodeEnd
  }

  /** Writes the text that is left and what Node has buffered, even if it is only the head. */
  flush(): void {
    if (this.#text !== '') this.writeRest()
    else if (this.#response.headersSent) this.#response.flushHeaders()
  }

  #writePiece(piece: string | Uint8Array): boolean {
    return this.#write(piece) && this.written < this.#turnEnd
  }

  #write(data: string | Uint8Array): boolean {
    this.written += data.length
    if (typeof data === 'string') {
      if (this.#writeChunk(data)) return true
      this.#isBegun = true
    }
    this.#cork()
    return typeof data === 'string' ? this.#response.write(data, encodingOf(data)) : this.#response.write(data)
  }

  /**
   * Joins the writes of one turn of the event loop in the socket, as Node does before version 26. Later versions join them in the
   * response, where what is written to the socket would overtake them.
   */
  #cork(): void {
    const { socket } = this.#response
    if (socket?.writableCorked !== 0) return
    socket.cork()
    process.nextTick(() => socket.uncork())
  }

  /**
   * Writes a short text as one chunk; false when Node has to write it, which takes four pieces for a chunk. In one
   * piece it takes 7 instead of 12 us (`npm run bench -- --only open`).
   */
  #writeChunk(text: string): boolean {
    const { chunkedEncoding, socket } = this.#response
    if (!this.#isBegun || text.length > MAX_CHUNK_LENGTH || !chunkedEncoding || !this.#isDirect) return false
    const chunk = `${text.length.toString(16)}\r\n${text}\r\n`
    // Of the chunk, not of the text: V8 copies a text that is made of parts when its bytes are counted.
    return encodingOf(chunk) === 'latin1' && socket!.write(chunk, 'latin1')
  }
}

/** ASCII is the same bytes in both encodings, and Node writes Latin-1 faster. */
const encodingOf = (text: string): 'latin1' | 'utf8' => (Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8')
