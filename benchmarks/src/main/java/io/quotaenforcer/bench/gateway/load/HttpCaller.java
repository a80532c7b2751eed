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
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests over HTTP/1.1 connections that stay open, one at a time on each, as a proxy's upstream
 * connections have them. One thread, and no more work for a request than it takes, since the server
 * shares the machine.
 */
public final class HttpCaller implements Caller {
  private record Asked(int user, Receiver receiver) {}

  private final List<byte[]> requests;
  private final Selector selector;
  private final Thread thread;
  private final Queue<Asked> queue = new ConcurrentLinkedQueue<>();
  private final List<HttpConnection> all = new ArrayList<>();
  private final Deque<HttpConnection> idle = new ArrayDeque<>();
  private volatile boolean closed;

  /**
   * @param requests as they are sent, by user
   */
  public HttpCaller(int port, int connections, List<byte[]> requests) throws IOException {
    this.requests = List.copyOf(requests);
    selector = Selector.open();
    for (int i = 0; i < connections; i++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
      HttpConnection connection = new HttpConnection(channel);
      channel.register(selector, SelectionKey.OP_READ, connection);
      all.add(connection);
    }
    idle.addAll(all);
    thread = new Thread(this::run, "http-load");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void call(int user, Receiver receiver) {
    queue.add(new Asked(user, receiver));
    if (Thread.currentThread() != thread) {
      selector.wakeup();
    }
  }

  private void run() {
    try {
      while (!closed) {
        selector.select(this::received);
        send();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void received(SelectionKey key) {
    HttpConnection connection = (HttpConnection) key.attachment();
    try {
      if (connection.read()) {
        idle.add(connection);
        connection.deliver();
      }
    } catch (IOException e) {
      key.cancel();
      connection.fail();
    }
  }

  private void send() throws IOException {
    while (!idle.isEmpty()) {
      Asked asked = queue.poll();
      if (asked == null) {
        return;
      }
      idle.remove().send(requests.get(asked.user()), asked.receiver());
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
      selector.close();
      for (HttpConnection connection : all) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
