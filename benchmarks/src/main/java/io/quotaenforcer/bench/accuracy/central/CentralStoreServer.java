package io.quotaenforcer.bench.accuracy.central;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;

/**
 * The store: one thread answers every connection on loopback, so that each question is decided
 * alone. It keeps nothing on disk and is not replicated: less than any store that is used in
 * earnest has to do.
 */
final class CentralStoreServer implements AutoCloseable {
  private static final int QUESTIONS_AT_ONCE = 256;

  private final Selector selector;
  private final ServerSocketChannel listener;
  private final Counters counters = new Counters();
  private final LongSupplier epochNanos;
  private final ByteBuffer answers = ByteBuffer.allocateDirect(QUESTIONS_AT_ONCE * Taken.BYTES);

  CentralStoreServer(LongSupplier epochNanos) throws IOException {
    this.epochNanos = epochNanos;
    selector = Selector.open();
    listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
  }

  int port() {
    return listener.socket().getLocalPort();
  }

  /** Answers until it is closed. */
  void serve() {
    try {
      while (selector.isOpen()) {
        selector.select(this::handle);
      }
    } catch (ClosedSelectorException e) {
      // It was closed.
    } catch (IOException e) {
      throw new IllegalStateException("the store cannot wait for questions", e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    selector.close();
  }

  private void handle(SelectionKey ready) {
    try {
      if (ready.isAcceptable()) {
        accept();
      } else {
        answer((SocketChannel) ready.channel(), (ByteBuffer) ready.attachment());
      }
    } catch (IOException e) {
      // The instance has ended.
      ready.cancel();
    }
  }

  private void accept() throws IOException {
    SocketChannel connection = listener.accept();
    if (connection != null) {
      connection.configureBlocking(false);
      connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
      ByteBuffer questions = ByteBuffer.allocateDirect(QUESTIONS_AT_ONCE * Take.BYTES);
      connection.register(selector, SelectionKey.OP_READ, questions);
    }
  }

  private void answer(SocketChannel connection, ByteBuffer questions) throws IOException {
    if (connection.read(questions) < 0) {
      connection.close();
      return;
    }
    questions.flip();
    answers.clear();
    while (questions.remaining() >= Take.BYTES) {
      counters.take(Take.read(questions), epochNanos.getAsLong()).write(answers);
    }
    questions.compact();
    answers.flip();
    while (answers.hasRemaining()) {
      connection.write(answers);
    }
  }
}
