package io.quotaenforcer.enforcer.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that were read; the count may be read by any thread. */
final class CountingStream extends FilterInputStream {
  private volatile long bytesRead;

  CountingStream(InputStream in) {
    super(in);
  }

  long bytesRead() {
    return bytesRead;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    count(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = super.read(target, offset, length);
    count(Math.max(0, count));
    return count;
  }

  private void count(int bytes) {
    bytesRead = bytesRead + bytes;
  }
}
