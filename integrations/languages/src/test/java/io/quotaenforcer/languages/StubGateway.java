package io.quotaenforcer.languages;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Admits the first request, and refuses the others, as a gateway does. */
final class StubGateway implements AutoCloseable {
  private final HttpServer server;
  private final List<String> asked = new ArrayList<>();

  private StubGateway(HttpServer server) {
    this.server = server;
  }

  static StubGateway start() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    StubGateway gateway = new StubGateway(server);
    server.createContext("/decide", gateway::decide);
    server.start();
    return gateway;
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Token and body of each question. */
  List<String> asked() {
    synchronized (asked) {
      return List.copyOf(asked);
    }
  }

  private void decide(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      boolean admitted;
      synchronized (asked) {
        admitted = asked.isEmpty();
        asked.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + body);
      }
      exchange
          .getResponseHeaders()
          .set("Content-Type", admitted ? "application/json" : "application/problem+json");
      exchange.getResponseHeaders().set("Retry-After", "7");
      byte[] answer =
          (admitted ? "{\"admitted\": true}" : "{\"title\": \"Quota exceeded\"}")
              .getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(admitted ? 200 : 429, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
