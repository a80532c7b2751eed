package io.quotaenforcer.bench.gateway.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests over HTTP/1.1 connections that stay open, one at a time on each, as a proxy's upstream
 * connections have them: one that the server closes is replaced, and what was asked over it without
 * any answer is asked once more. One thread, and no more work for a request than it takes, since
 * the server shares the machine.
 */
public final class HttpCaller implements Caller {
  private record Asked(int user, Receiver receiver, boolean isRepeated) {}

  private final List<byte[]> requests;
  private final InetSocketAddress server;
  private final Selector selector;
  private final Thread thread;
  private final Queue<Asked> queue = new ConcurrentLinkedQueue<>();
  private final List<HttpConnection> all = new ArrayList<>();
  private final Deque<HttpConnection> idle = new ArrayDeque<>();
  private final Map<HttpConnection, Asked> underWay = new HashMap<>();
  private final int connections;
  private volatile boolean closed;

  /**
   * @param requests as they are sent, by user
   */
  public HttpCaller(int port, int connections, List<byte[]> requests) throws IOException {
    this.requests = List.copyOf(requests);
    this.connections = connections;
    server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    selector = Selector.open();
    for (int i = 0; i < connections; i++) {
      connect();
    }
    thread = new Thread(this::run, "http-load");
    thread.setDaemon(true);
    thread.start();
  }

  private void connect() throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
    HttpConnection connection = new HttpConnection(channel);
    channel.register(selector, SelectionKey.OP_READ, connection);
    all.add(connection);
    idle.add(connection);
  }

  @Override
  public void call(int user, Receiver receiver) {
    queue.add(new Asked(user, receiver, false));
    if (Thread.currentThread() != thread) {
      selector.wakeup();
    }
  }

  private void run() {
    try {
      while (!closed) {
        selector.select(this::received);
        replaceDropped();
        send();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the server is gone, whatever is asked of it fails. */
  private void replaceDropped() {
    try {
      while (all.size() < connections) {
        connect();
      }
    } catch (IOException e) {
      for (Asked asked = queue.poll(); asked != null; asked = queue.poll()) {
        asked.receiver.received(Answer.FAILED);
      }
    }
  }

  private void received(SelectionKey key) {
    HttpConnection connection = (HttpConnection) key.attachment();
    try {
      if (!connection.read()) {
        return;
      }
      underWay.remove(connection);
      if (connection.isLastAnswer()) {
        drop(connection);
      } else {
        idle.add(connection);
      }
      connection.deliver();
    } catch (IOException e) {
      drop(connection);
      Asked asked = underWay.remove(connection);
      if (asked != null && !asked.isRepeated && connection.isUnanswered()) {
        queue.add(new Asked(asked.user, asked.receiver, true));
      } else {
        connection.fail();
      }
    }
  }

  private void drop(HttpConnection connection) {
    idle.remove(connection);
    all.remove(connection);
    connection.close();
  }

  private void send() {
    while (!idle.isEmpty()) {
      Asked asked = queue.poll();
      if (asked == null) {
        return;
      }
      HttpConnection connection = idle.remove();
      underWay.put(connection, asked);
      try {
        connection.send(requests.get(asked.user()), asked.receiver());
      } catch (IOException e) {
        // Its end is read next.
        connection.breakOff();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
      selector.close();
      all.forEach(HttpConnection::close);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
