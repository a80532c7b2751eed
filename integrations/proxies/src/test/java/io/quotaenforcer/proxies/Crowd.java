package io.quotaenforcer.proxies;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Many clients of a gateway, in a process of its own, each with a connection that it keeps open:
 * asks once on each, says so, and asks again, on a new one where it was ended, for every line of
 * the standard input.
 */
final class Crowd {
  static final String ASKED = "asked: ";

  private static final int TIMEOUT_MILLIS = 30_000;
  private static final byte[] REQUEST =
      """
      GET /check/nginx HTTP/1.1
      Host: gateway
      X-Original-Method: GET
      X-Original-URI: /read
      X-Forwarded-For: 192.0.2.1

      """
          .replace("\n", "\r\n")
          .getBytes(StandardCharsets.US_ASCII);

  private final InetSocketAddress gateway;
  private final List<Socket> clients = new ArrayList<>();
  private int reconnected;

  private Crowd(int port) {
    this.gateway = new InetSocketAddress("127.0.0.1", port);
  }

  public static void main(String[] arguments) throws IOException {
    Crowd crowd = new Crowd(Integer.parseInt(arguments[0]));
    int count = Integer.parseInt(arguments[1]);
    do {
      long begun = System.nanoTime();
      int answered = crowd.ask(count);
      System.out.println(
          ASKED
              + answered
              + " answered, "
              + crowd.reconnected
              + " connected, "
              + (System.nanoTime() - begun) / 1_000_000
              + " ms");
    } while (System.in.read() >= 0);
  }

  /** All are sent before the first is read. */
  private int ask(int count) {
    reconnected = 0;
    for (int i = 0; i < count; i++) {
      if (i == clients.size()) {
        clients.add(new Socket());
      }
      if (!send(clients.get(i))) {
        reconnected++;
        clients.set(i, connected());
      }
    }
    int answered = 0;
    for (int i = 0; i < count; i++) {
      Socket socket = clients.get(i);
      if (isAnswered(socket)) {
        answered++;
        continue;
      }
      // Ended by the other side, which shows only now.
      reconnected++;
      clients.set(i, connected());
      answered += isAnswered(clients.get(i)) ? 1 : 0;
    }
    return answered;
  }

  private static boolean send(Socket socket) {
    try {
      socket.getOutputStream().write(REQUEST);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Socket connected() {
    Socket socket = new Socket();
    try {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(gateway, TIMEOUT_MILLIS);
      send(socket);
    } catch (IOException e) {
      // It shows when the answer is read.
    }
    return socket;
  }

  private static boolean isAnswered(Socket socket) {
    try {
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      byte[] part = new byte[1_024];
      // The answer has no body.
      while (head.indexOf("\r\n\r\n") < 0) {
        int length = in.read(part);
        if (length < 0) {
          return false;
        }
        head.append(new String(part, 0, length, StandardCharsets.US_ASCII));
      }
      return head.indexOf("HTTP/1.1 200") == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
