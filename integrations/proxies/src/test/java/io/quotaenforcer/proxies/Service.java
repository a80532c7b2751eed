package io.quotaenforcer.proxies;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.Server;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The service that the proxies protect. It answers with the length of the body that it got; with a
 * status of its own where the path asks for one: {@code /status/403}.
 */
final class Service implements AutoCloseable {
  private static final String STATUS = "/status/";

  private final Server server;
  private final AtomicInteger asked;

  private Service(Server server, AtomicInteger asked) {
    this.server = server;
    this.asked = asked;
  }

  static Service start() {
    AtomicInteger asked = new AtomicInteger();
    Server server =
        Server.builder()
            .http(new InetSocketAddress("127.0.0.1", 0))
            .serviceUnder(
                "/",
                (context, request) -> {
                  asked.incrementAndGet();
                  return HttpResponse.of(
                      request
                          .aggregate()
                          .thenApply(all -> answer(all.headers(), all.content().length())));
                })
            .build();
    server.start().join();
    return new Service(server, asked);
  }

  private static HttpResponse answer(RequestHeaders headers, int length) {
    String path = headers.path();
    HttpStatus status =
        path.startsWith(STATUS)
            ? HttpStatus.valueOf(Integer.parseInt(path.substring(STATUS.length())))
            : HttpStatus.OK;
    return HttpResponse.of(
        status,
        MediaType.PLAIN_TEXT_UTF_8,
        "%s %d bytes, from %s"
            .formatted(headers.method(), length, headers.get("x-forwarded-for", "nobody")));
  }

  int port() {
    return server.activeLocalPort();
  }

  /** Requests so far. */
  int asked() {
    return asked.get();
  }

  @Override
  public void close() {
    server.stop().join();
  }
}
