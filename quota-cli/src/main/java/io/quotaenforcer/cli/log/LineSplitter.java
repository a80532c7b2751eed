package io.quotaenforcer.cli.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Splits bytes into lines at LF or CR LF. A line that is not UTF-8 is read as ISO 8859-1; an
 * overlong line is skipped to its end.
 */
final class LineSplitter {
  private final InputStream in;
  private final byte[] line;
  private final byte[] buffer = new byte[8192];
  private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
  private int position;
  private int limit;
  private int length;
  private boolean tooLong;
  private boolean first = true;

  LineSplitter(InputStream in, int maxBytes) {
    this.in = in;
    this.line = new byte[maxBytes];
  }

  /** Reads the next line, which is then the current one; false at the end. */
  boolean advance() throws IOException {
    length = 0;
    tooLong = false;
    boolean any = false;
    while (position < limit || fill()) {
      any = true;
      int from = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      append(from, position);
      if (position < limit) {
        position++;
        return true;
      }
    }
    return any;
  }

  boolean tooLong() {
    return tooLong;
  }

  /** The current line without its end. */
  String text() {
    int from = first && hasByteOrderMark() ? 3 : 0;
    int to = length > from && line[length - 1] == '\r' ? length - 1 : length;
    first = false;
    try {
      return utf8.decode(ByteBuffer.wrap(line, from, to - from)).toString();
    } catch (CharacterCodingException e) {
      return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    }
  }

  /** Line break of the current line. */
  String end() {
    return !tooLong && length > 0 && line[length - 1] == '\r' ? "\r\n" : "\n";
  }

  private boolean hasByteOrderMark() {
    return length >= 3
        && line[0] == (byte) 0xef
        && line[1] == (byte) 0xbb
        && line[2] == (byte) 0xbf;
  }

  private void append(int from, int to) {
    int bytes = to - from;
    if (tooLong || length + bytes > line.length) {
      tooLong = true;
      return;
    }
    System.arraycopy(buffer, from, line, length, bytes);
    length += bytes;
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer, 0, buffer.length));
    return limit > 0;
  }
}
