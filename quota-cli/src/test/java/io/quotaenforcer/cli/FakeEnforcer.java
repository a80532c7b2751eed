package io.quotaenforcer.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Answers each question as a test wants, and remembers them. */
final class FakeEnforcer implements AutoCloseable {
  private final HttpServer server;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  volatile Function<String, String> answers;
  volatile @Nullable String authorization;

  /** How many of the next questions get the answer that it is busy. */
  final AtomicInteger busy = new AtomicInteger();

  FakeEnforcer(Function<String, String> answers) throws IOException {
    this.answers = answers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String question = exchange.getRequestURI().toString();
          asked.add(question);
          authorization = exchange.getRequestHeaders().getFirst("Authorization");
          boolean isBusy = busy.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
          String answer =
              isBusy
                  ? "{\"error\":\"too much\",\"category\":\"busy\"}"
                  : this.answers.apply(question);
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(isBusy ? 503 : 200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  List<String> asked() {
    return List.copyOf(asked);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
