package io.quotaenforcer.bench.accuracy.central;

import io.quotaenforcer.core.algorithm.Limit;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection to the store that stays open: one round trip per question. One thread at a time. */
public final class CentralStoreClient implements AutoCloseable {
  private final SocketChannel channel;
  private final ByteBuffer question = ByteBuffer.allocateDirect(Take.BYTES);
  private final ByteBuffer answer = ByteBuffer.allocateDirect(Taken.BYTES);

  private CentralStoreClient(SocketChannel channel) {
    this.channel = channel;
  }

  /** Connects to a store on loopback. */
  public static CentralStoreClient connect(int port) {
    try {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new CentralStoreClient(channel);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot connect to the store: port=" + port, e);
    }
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param key number of the counter
   * @throws UncheckedIOException if the store is gone
   */
  public Taken take(long key, Limit limit, long cost) {
    try {
      question.clear();
      new Take(key, limit, cost).write(question);
      question.flip();
      while (question.hasRemaining()) {
        channel.write(question);
      }
      answer.clear();
      while (answer.hasRemaining()) {
        if (channel.read(answer) < 0) {
          throw new EOFException("the store has ended");
        }
      }
      answer.flip();
      return Taken.read(answer);
    } catch (IOException e) {
      throw new UncheckedIOException("the store does not answer", e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the connection to the store", e);
    }
  }
}
