package io.quotaenforcer.cli.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes that were read; the count may be read by any thread. */
final class CountingStream extends FilterInputStream {
  private final AtomicLong bytesRead = new AtomicLong();

  CountingStream(InputStream in) {
    super(in);
  }

  long bytesRead() {
    return bytesRead.get();
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
    bytesRead.addAndGet(bytes);
  }
}
